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

package org.apache.zookeeper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;

import io.github.zklock.simulation.Cable;
import io.github.zklock.simulation.Lane;
import io.github.zklock.simulation.Wire;
import org.apache.jute.Record;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.ZooKeeper.States;
import org.apache.zookeeper.ZooKeeper.WatchRegistration;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.proto.ReplyHeader;
import org.apache.zookeeper.proto.RequestHeader;
import org.jspecify.annotations.Nullable;

/**
 * ZooKeeper's own connection of a client, whose sending thread is a lane: the loop of
 * that thread is written again here, what it calls is not.
 */
class SimulatedClient extends ClientCnxn implements Wire.End {

	private static final int LONGEST_PING_PAUSE_MILLIS = 10_000;

	private final Cable cable;

	private final Lane lane;

	private final ServerChoice choice;

	private final SendRounds rounds;

	private final SimulatedSocket socket;

	private final EventDelivery delivery;

	private final LinkedBlockingDeque<Packet> outgoing;

	private final Queue<Packet> pending;

	private final int sessionTimeout;

	private @Nullable Wire wire;

	private boolean dialing;

	private boolean closing;

	private boolean ended;

	SimulatedClient(Cable cable, HostProvider hosts, int sessionTimeout, ZKClientConfig config, Watcher watcher,
			SimulatedSocket socket, boolean readOnly, @Nullable String chroot) throws IOException {
		super(chroot, hosts, sessionTimeout, config, watcher, socket, readOnly);
		this.cable = cable;
		this.lane = cable.sendLane();
		this.choice = new ServerChoice(cable);
		this.rounds = new SendRounds(cable.schedule(), this.lane, this::turn);
		this.socket = socket;
		this.sessionTimeout = sessionTimeout;
		this.delivery = new EventDelivery(this.eventThread, cable.eventLane());
		this.outgoing = EventDelivery.outgoing(this);
		this.pending = EventDelivery.pending(this);
		socket.owner(this);
	}

	@Override
	public void start() {
		this.socket.updateNow();
		this.socket.updateLastSendAndHeard();
		wake();
	}

	long millis() {
		return this.rounds.millis();
	}

	LinkedBlockingDeque<Packet> outgoing() {
		return EventDelivery.outgoing(this);
	}

	Cable cable() {
		return this.cable;
	}

	EventDelivery delivery() {
		return this.delivery;
	}

	/**
	 * Let the sending thread look what there is to do.
	 */
	void wake() {
		if (this.rounds != null && !this.ended) {
			this.rounds.wake();
		}
	}

	// One round of the loop of the client's sending thread.
	private void turn() {
		if (this.ended) {
			return;
		}
		this.socket.updateNow();
		try {
			if (!this.state.isAlive()) {
				end();
				return;
			}
			if (!this.socket.isConnected()) {
				connect();
			}
			else {
				flush();
				watchTime();
			}
		}
		catch (IOException ex) {
			failed();
		}
		this.delivery.pump();
	}

	private void connect() throws IOException {
		if (this.dialing) {
			return;
		}
		if (this.closing) {
			end();
			return;
		}
		this.dialing = true;
		this.lane.after(TimeUnit.MILLISECONDS.toNanos(this.choice.next()), "dial", this::dial);
	}

	private void dial() {
		this.dialing = false;
		this.socket.updateNow();
		if (this.ended || !this.state.isAlive()) {
			wake();
			return;
		}
		try {
			this.sendThread.changeZkState(States.CONNECTING);
		}
		catch (IOException ex) {
			wake();
			return;
		}
		this.socket.opening(address(this.choice.server()));
		this.socket.updateLastSend();
		this.wire = this.cable.dial(this.choice.server(), this);
		wake();
	}

	private static InetSocketAddress address(int server) {
		try {
			byte[] address = { 127, 0, 0, (byte) (server + 1) };
			return new InetSocketAddress(InetAddress.getByAddress("server-" + (server + 1), address), 2181);
		}
		catch (UnknownHostException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void opened() {
		this.socket.updateNow();
		this.socket.updateLastSendAndHeard();
		this.choice.opened();
		try {
			this.sendThread.primeConnection();
		}
		catch (IOException ex) {
			failed();
		}
		turn();
	}

	@Override
	public void received(ByteBuffer message) {
		this.socket.updateNow();
		try {
			if (this.socket.isInitialized()) {
				this.sendThread.readResponse(message);
				this.socket.updateLastHeard();
			}
			else {
				this.socket.readSession(message);
				this.choice.connected(millis());
			}
		}
		catch (IOException ex) {
			failed();
		}
		turn();
	}

	@Override
	public void closed() {
		this.socket.updateNow();
		failed();
		turn();
	}

	private void flush() {
		while (!this.outgoing.isEmpty() && this.wire != null) {
			Packet packet = this.outgoing.getFirst();
			if (!this.socket.isInitialized() && packet.requestHeader != null) {
				return;
			}
			this.outgoing.removeFirst();
			this.socket.updateLastSend();
			if (packet.requestHeader == null) {
				this.wire.send(null, packet.request);
				return;
			}
			int type = packet.requestHeader.getType();
			if (type != OpCode.ping && type != OpCode.auth) {
				packet.requestHeader.setXid(getXid());
				this.pending.add(packet);
			}
			this.wire.send(packet.requestHeader, packet.request);
		}
	}

	private void watchTime() throws IOException {
		boolean connected = this.state.isConnected();
		int agreed = (getSessionTimeout() > 0) ? getSessionTimeout() : this.sessionTimeout;
		int readTimeout = agreed * 2 / 3;
		long left = connected ? readTimeout - this.socket.getIdleRecv()
				: agreed / this.cable.size() - this.socket.getIdleSend();
		if (getSessionId() != 0 && agreed * 4 / 3 - this.socket.getIdleRecv() <= 0) {
			this.sendThread.changeZkState(States.CLOSED);
			throw new IOException("session timed out");
		}
		if (left <= 0) {
			throw new IOException("connection timed out");
		}
		if (connected) {
			int idle = this.socket.getIdleSend();
			long untilPing = readTimeout / 2 - idle - ((idle > 1000) ? 1000 : 0);
			if (untilPing <= 0 || idle > LONGEST_PING_PAUSE_MILLIS) {
				queuePacket(new RequestHeader(PING_XID, OpCode.ping), null, null, null, null, null, null, null, null);
				this.socket.updateLastSend();
			}
			else {
				left = Math.min(left, untilPing);
			}
		}
		if (this.state == States.CONNECTEDREADONLY) {
			long look = this.choice.lookForWriter(millis());
			if (look == 0) {
				throw new IOException("a server that writes is found");
			}
			left = Math.min(left, look);
		}
		this.rounds.wakeAfter(left);
	}

	private void failed() {
		if (this.closing) {
			end();
			return;
		}
		cleanUp();
		if (this.state.isAlive()) {
			this.eventThread.queueEvent(new WatchedEvent(EventType.None, KeeperState.Disconnected, null));
		}
		this.socket.updateNow();
		this.delivery.pump();
		wake();
	}

	private void cleanUp() {
		this.socket.cleanup();
		for (Packet packet : this.pending) {
			lose(packet);
		}
		this.pending.clear();
		while (!this.outgoing.isEmpty()) {
			lose(this.outgoing.removeFirst());
		}
	}

	private void lose(Packet packet) {
		if (packet.replyHeader == null) {
			return;
		}
		KeeperException.Code code = switch (this.state) {
			case AUTH_FAILED -> KeeperException.Code.AUTHFAILED;
			case CLOSED -> KeeperException.Code.SESSIONEXPIRED;
			default -> KeeperException.Code.CONNECTIONLOSS;
		};
		packet.replyHeader.setErr(code.intValue());
		finishPacket(packet);
	}

	private void end() {
		if (this.ended) {
			return;
		}
		this.ended = true;
		cleanUp();
		if (this.state.isAlive()) {
			this.eventThread.queueEvent(new WatchedEvent(EventType.None, KeeperState.Disconnected, null));
		}
		if (this.closing) {
			this.eventThread.queueEvent(new WatchedEvent(EventType.None, KeeperState.Closed, null));
		}
		else if (this.state == States.CLOSED) {
			this.eventThread.queueEvent(new WatchedEvent(EventType.None, KeeperState.Expired, null));
		}
		this.state = States.CLOSED;
		this.eventThread.queueEventOfDeath();
		this.delivery.pump();
		this.cable.end();
	}

	void hangUp() {
		if (this.wire != null) {
			this.wire.hangUp();
			this.wire = null;
		}
	}

	void cut() {
		this.cable.cut();
	}

	@Override
	public void close() {
		queuePacket(new RequestHeader(0, OpCode.closeSession), new ReplyHeader(), null, null, null, null, null, null,
				null);
	}

	@Override
	protected void finishPacket(Packet packet) {
		super.finishPacket(packet);
		if (packet.requestHeader.getType() == OpCode.closeSession && this.state.isAlive()) {
			this.sendThread.close();
		}
	}

	@Override
	public Packet queuePacket(RequestHeader header, @Nullable ReplyHeader reply, @Nullable Record request,
			@Nullable Record response, @Nullable AsyncCallback callback, @Nullable String clientPath,
			@Nullable String serverPath, @Nullable Object context, @Nullable WatchRegistration registration,
			@Nullable WatchDeregistration deregistration) {
		this.delivery.number(registration);
		Packet packet = super.queuePacket(header, reply, request, response, callback, clientPath, serverPath, context,
				registration, deregistration);
		this.closing |= header.getType() == OpCode.closeSession;
		this.delivery.pump();
		return packet;
	}

	@Override
	void queueCallback(AsyncCallback callback, int code, @Nullable String path, @Nullable Object context) {
		super.queueCallback(callback, code, path, context);
		this.delivery.pump();
	}

	@Override
	public ReplyHeader submitRequest(RequestHeader header, Record request, Record response,
			WatchRegistration registration, WatchDeregistration deregistration) {
		throw new UnsupportedOperationException("A simulated client has no blocking methods");
	}

	@Override
	public void disconnect() {
		throw new UnsupportedOperationException("A simulated client is closed or crashes");
	}

}
