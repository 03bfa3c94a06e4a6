/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.github.zklock.simulation;

import java.nio.ByteBuffer;

import org.apache.jute.Record;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.RequestHeader;
import org.apache.zookeeper.server.ConnectionCode;
import org.apache.zookeeper.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a client: two directions, each in order. What is sent before an end
 * closes still arrives. When the connection is cut, what is under way in one direction
 * arrives or not: so a request may be carried out of which the client is told that the
 * connection is lost, and an event may come whose reply is lost.
 */
public final class Wire implements ConnectionCode.Peer {

	private static final int EVENT = -1;

	private final Cable cable;

	private final SimulatedServer server;

	private final End client;

	private @Nullable ConnectionCode code;

	private boolean clientOpen = true;

	private boolean serverOpen;

	private boolean cut;

	private int unanswered;

	private boolean lostUp;

	private boolean lostDown;

	private long lastHeard;

	private long lastUp;

	private long lastDown;

	Wire(Cable cable, SimulatedServer server, End client) {
		this.cable = cable;
		this.server = server;
		this.client = client;
	}

	private void up(String what, Runnable action) {
		long now = this.cable.schedule().now();
		this.lastUp = Math.max(this.lastUp, now + this.cable.latency());
		this.cable.up(this.lastUp, what, action);
	}

	private void down(String what, Runnable action) {
		long now = this.cable.schedule().now();
		this.lastDown = Math.max(this.lastDown, now + this.cable.latency());
		this.cable.sendLane().after(this.lastDown - now, what, action);
	}

	void dial() {
		up("dial", this::answer);
	}

	private void answer() {
		if (this.lostUp) {
			return;
		}
		this.code = this.clientOpen ? this.server.accept(this) : null;
		if (this.code == null) {
			down("refused", this::clientCloses);
			return;
		}
		this.serverOpen = true;
		this.lastHeard = this.cable.millis();
		down("opened", () -> {
			if (this.clientOpen && !this.lostDown) {
				this.client.opened();
			}
		});
	}

	/**
	 * Send a request, or the wish for a session.
	 */
	public void send(@Nullable RequestHeader header, @Nullable Record record) {
		if (!this.clientOpen) {
			return;
		}
		if (header != null && header.getType() != OpCode.ping && this.cable.isToCutBeforeRequest()) {
			cut();
			return;
		}
		if (header != null && isCreating(header.getType()) && this.cable.isToCutBeforeCreated()) {
			this.unanswered = header.getXid();
		}
		String what = (header != null) ? Request.op2String(header.getType()) : "connect";
		up(what, () -> {
			if (this.serverOpen && !this.lostUp) {
				this.server.receive(this, header, record);
			}
		});
	}

	private static boolean isCreating(int type) {
		return type == OpCode.create || type == OpCode.create2 || type == OpCode.createContainer
				|| type == OpCode.multi;
	}

	@Override
	public void send(int xid, ByteBuffer message) {
		if (!this.serverOpen) {
			return;
		}
		if (xid > 0 && (xid == this.unanswered || this.cable.isToCutBeforeReply())) {
			cut();
			return;
		}
		if (xid == EVENT && this.cable.isEventLost()) {
			return;
		}
		this.cable.traffic().sent(xid, message.remaining());
		down(what(xid), () -> {
			if (this.clientOpen && !this.lostDown) {
				this.client.received(message);
			}
		});
	}

	private static String what(int xid) {
		if (xid > 0) {
			return "reply";
		}
		return (xid == EVENT) ? "event" : "answer";
	}

	/**
	 * Close the client's end.
	 */
	public void hangUp() {
		if (this.clientOpen) {
			this.clientOpen = false;
			up("hang up", () -> {
				if (!this.lostUp) {
					serverCloses();
				}
			});
		}
	}

	/**
	 * Close the server's end.
	 */
	@Override
	public void close() {
		if (this.serverOpen) {
			this.serverOpen = false;
			down("closed", this::clientCloses);
		}
	}

	private void serverCloses() {
		if (this.serverOpen) {
			this.serverOpen = false;
			this.server.closed(this);
		}
	}

	private void clientCloses() {
		if (this.clientOpen && !this.lostDown) {
			this.clientOpen = false;
			this.client.closed();
		}
	}

	void cut() {
		this.lostUp |= this.cable.schedule().random().nextBoolean();
		this.lostDown |= this.cable.schedule().random().nextBoolean();
		this.cut = true;
		up("cut", this::serverCloses);
		down("cut", () -> {
			if (this.clientOpen) {
				this.clientOpen = false;
				this.client.closed();
			}
		});
	}

	void lose() {
		this.lostUp = true;
		this.lostDown = true;
	}

	ConnectionCode code() {
		if (this.code == null) {
			throw new IllegalStateException("not accepted");
		}
		return this.code;
	}

	Cable cable() {
		return this.cable;
	}

	boolean isOpen() {
		return this.clientOpen && this.serverOpen && !this.cut && !this.lostUp;
	}

	void heard(long millis) {
		this.lastHeard = millis;
	}

	long lastHeard() {
		return this.lastHeard;
	}

	int server() {
		return this.server.id();
	}

	/**
	 * The client's end.
	 */
	public interface End {

		/**
		 * The server has taken the call.
		 */
		void opened();

		/**
		 * The server has sent something.
		 */
		void received(ByteBuffer message);

		/**
		 * The connection is refused or closed.
		 */
		void closed();

	}

}
