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

package io.github.zklock.support;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import org.apache.jute.BinaryInputArchive;
import org.apache.zookeeper.MultiOperationRecord;
import org.apache.zookeeper.Op;

/**
 * One connection of a client through a {@link FaultProxy}: two threads that read frame by
 * frame. The first frame in each direction opens the session and has no header.
 */
final class ProxyConnection {

	private static final int EXISTS = 3;

	// After the version of the protocol, the last transaction and the session timeout.
	private static final int SESSION_OFFSET = 16;

	private static final byte[] NOTHING = new byte[0];

	private static final int LONGEST = 16 * 1024 * 1024;

	private final FaultProxy proxy;

	private final Socket client;

	private final Socket server;

	private final Map<Integer, Fault> awaitingReply = new ConcurrentHashMap<>();

	private final Queue<Fault> held = new ConcurrentLinkedQueue<>();

	private volatile boolean killed;

	ProxyConnection(FaultProxy proxy, Socket client, Socket server) throws IOException {
		this.proxy = proxy;
		this.client = client;
		this.server = server;
		client.setTcpNoDelay(true);
		server.setTcpNoDelay(true);
	}

	void start() {
		run("requests", this.client, this.server, this::connect, this::request);
		run("replies", this.server, this.client, (frame) -> frame, this::reply);
	}

	void kill() {
		this.proxy.ended(this);
		reset(this.client);
		reset(this.server);
		this.killed = true;
		this.held.forEach(Fault::release);
	}

	// Not beyond the end of the connection: a test that leaves it held would make one
	// that runs a minute later fail.
	private void hold(Fault fault) {
		fault.fire();
		this.held.add(fault);
		if (this.killed) {
			fault.release();
		}
		fault.awaitRelease();
	}

	private void run(String name, Socket from, Socket to, FrameHandler opening, FrameHandler handler) {
		Thread thread = new Thread(() -> pump(from, to, opening, handler), "fault-proxy-" + name);
		thread.setDaemon(true);
		thread.start();
	}

	private void pump(Socket from, Socket to, FrameHandler opening, FrameHandler handler) {
		try {
			DataInputStream in = new DataInputStream(from.getInputStream());
			DataOutputStream out = new DataOutputStream(to.getOutputStream());
			for (boolean first = true;; first = false) {
				int length = in.readInt();
				if (length < 0 || length > LONGEST) {
					throw new IOException("Not a message of ZooKeeper: " + length + " bytes");
				}
				byte[] frame = new byte[length];
				in.readFully(frame);
				byte[] forwarded = (first ? opening : handler).handle(frame);
				if (!this.proxy.swallows() && forwarded.length > 0) {
					byte[] bytes = ByteBuffer.allocate(Integer.BYTES + forwarded.length)
						.putInt(forwarded.length)
						.put(forwarded)
						.array();
					out.write(bytes);
				}
			}
		}
		catch (IOException ex) {
			// One side is gone, so the other side ends too.
			kill();
		}
	}

	private byte[] request(byte[] frame) throws IOException {
		ByteBuffer buffer = ByteBuffer.wrap(frame);
		int xid = buffer.getInt();
		ZooKeeperOperation operation = ZooKeeperOperation.of(buffer.getInt());
		Fault fault = this.proxy.next(operation, path(operation, buffer));
		if (fault == null) {
			return frame;
		}
		switch (fault.action()) {
			case PASS -> fault.fire();
			case KILL_BEFORE -> {
				kill();
				fault.fire();
				throw new IOException("Killed before the request");
			}
			case HOLD_REQUEST -> hold(fault);
			default -> {
				this.awaitingReply.put(xid, fault);
				// Replies must keep their order, so the server answers something
				// harmless.
				return (fault.action() == Fault.Action.ANSWER) ? existsRoot(xid) : frame;
			}
		}
		return frame;
	}

	private byte[] connect(byte[] frame) {
		if (this.proxy.renewsSession()) {
			ByteBuffer.wrap(frame).putLong(SESSION_OFFSET, 0);
		}
		return frame;
	}

	private byte[] reply(byte[] frame) throws IOException {
		ByteBuffer buffer = ByteBuffer.wrap(frame);
		Fault fault = this.awaitingReply.remove(buffer.getInt());
		if (fault == null) {
			return frame;
		}
		switch (fault.action()) {
			case KILL_AFTER -> {
				kill();
				fault.fire();
				throw new IOException("Killed before the reply");
			}
			case HOLD_REPLY -> {
				hold(fault);
				return frame;
			}
			case LOSE_REPLY -> {
				fault.fire();
				return NOTHING;
			}
			default -> {
				fault.fire();
				int xid = buffer.getInt(0);
				long zxid = buffer.getLong();
				return ByteBuffer.allocate(16).putInt(xid).putLong(zxid).putInt(fault.code()).array();
			}
		}
	}

	private static String path(ZooKeeperOperation operation, ByteBuffer buffer) throws IOException {
		if (operation.hasPaths()) {
			return paths(buffer);
		}
		return operation.hasPath() ? path(buffer) : "";
	}

	private static String paths(ByteBuffer buffer) throws IOException {
		MultiOperationRecord parts = new MultiOperationRecord();
		parts.deserialize(BinaryInputArchive
			.getArchive(new ByteArrayInputStream(buffer.array(), buffer.position(), buffer.remaining())), "request");
		return StreamSupport.stream(parts.spliterator(), false).map(Op::getPath).collect(Collectors.joining(" "));
	}

	private static String path(ByteBuffer buffer) {
		byte[] path = new byte[buffer.getInt()];
		buffer.get(path);
		return new String(path, StandardCharsets.UTF_8);
	}

	private static byte[] existsRoot(int xid) {
		return ByteBuffer.allocate(14).putInt(xid).putInt(EXISTS).putInt(1).put((byte) '/').put((byte) 0).array();
	}

	private static void reset(Socket socket) {
		try {
			// No lingering: the other side sees a reset and not an orderly end.
			socket.setSoLinger(true, 0);
			socket.close();
		}
		catch (IOException ex) {
			// Closed already.
		}
	}

	@FunctionalInterface
	private interface FrameHandler {

		byte[] handle(byte[] frame) throws IOException;

	}

}
