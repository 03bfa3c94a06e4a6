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

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The network on the way from one server of an ensemble to another, which can be cut.
 */
public final class TcpLink implements AutoCloseable {

	private static final long PATIENCE = TimeUnit.SECONDS.toNanos(2);

	private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

	private final int target;

	private final ServerSocket acceptor;

	private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

	private final QuorumAcks acks = new QuorumAcks();

	private volatile State state = State.WHOLE;

	/**
	 * Start a link on a free port of the loopback address.
	 * @param target the port that it leads to
	 */
	public TcpLink(int target) {
		this.target = target;
		try {
			this.acceptor = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		start("accept", this::accept);
	}

	/**
	 * Return where the link begins.
	 * @return the port
	 */
	public int port() {
		return this.acceptor.getLocalPort();
	}

	/**
	 * From now on swallow what either side sends, without any sign.
	 */
	public void blackhole() {
		this.state = State.SWALLOWS;
	}

	/**
	 * From now on refuse to connect. The side that had connected sees the end of its
	 * connections, the other side does not.
	 */
	public void cutBehindCaller() {
		this.state = State.REFUSES;
		this.connections.forEach((connection) -> FaultProxy.close(connection.caller));
	}

	/**
	 * Keep back what a follower confirms to its leader, and nothing else. With enough of
	 * them nothing commits, though all servers hear of each other.
	 * @param holds {@code false} to hand over what was kept back
	 */
	public void holdAcks(boolean holds) {
		this.acks.hold(holds);
	}

	/**
	 * Be whole again. Connections that may have lost something are closed.
	 */
	public void heal() {
		if (this.state != State.WHOLE) {
			this.state = State.WHOLE;
			this.connections.forEach(Connection::close);
		}
	}

	@Override
	public void close() {
		FaultProxy.close(this.acceptor);
		this.connections.forEach(Connection::close);
	}

	private void accept() {
		while (!this.acceptor.isClosed()) {
			Socket caller = null;
			try {
				caller = this.acceptor.accept();
				if (this.state == State.REFUSES) {
					caller.close();
					continue;
				}
				Connection connection = new Connection(caller, connect());
				this.connections.add(connection);
				start("there", connection::pumpPackets);
				start("back", () -> connection.pump(connection.called, connection.caller));
			}
			catch (IOException ex) {
				FaultProxy.close(caller);
			}
		}
	}

	// A server that has been elected needs a moment until it listens. A follower tries
	// again to connect, but not after it was connected to the link. There would be no
	// leader for as long as it waits.
	private Socket connect() throws IOException {
		long deadline = System.nanoTime() + PATIENCE;
		while (true) {
			try {
				return new Socket(InetAddress.getLoopbackAddress(), this.target);
			}
			catch (IOException ex) {
				if (System.nanoTime() - deadline > 0) {
					throw ex;
				}
				LockSupport.parkNanos(PAUSE);
			}
		}
	}

	private static void start(String name, Runnable action) {
		Thread thread = new Thread(action, "tcp-link-" + name);
		thread.setDaemon(true);
		thread.start();
	}

	private enum State {

		WHOLE, SWALLOWS, REFUSES

	}

	private final class Connection {

		private final Socket caller;

		private final Socket called;

		Connection(Socket caller, Socket called) {
			this.caller = caller;
			this.called = called;
		}

		private void pumpPackets() {
			try {
				OutputStream out = this.called.getOutputStream();
				TcpLink.this.acks.pump(this.caller.getInputStream(), (packet) -> {
					if (TcpLink.this.state == State.WHOLE) {
						out.write(packet);
					}
				});
			}
			catch (IOException ex) {
				// One side is gone.
			}
			end();
		}

		private void pump(Socket from, Socket to) {
			byte[] buffer = new byte[8192];
			try {
				InputStream in = from.getInputStream();
				OutputStream out = to.getOutputStream();
				for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
					if (TcpLink.this.state == State.WHOLE) {
						out.write(buffer, 0, count);
					}
				}
			}
			catch (IOException ex) {
				// One side is gone.
			}
			end();
		}

		private void end() {
			if (TcpLink.this.state == State.WHOLE) {
				close();
			}
		}

		private void close() {
			TcpLink.this.connections.remove(this);
			FaultProxy.close(this.caller);
			FaultProxy.close(this.called);
		}

	}

}
