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
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

import org.awaitility.Awaitility;

/**
 * A network between client and server that knows ZooKeeper's frames, so it can break at a
 * chosen request and not only at some time. Faults are planned for an operation, one
 * after the other; each hits one request, once. <pre>
 * Fault lost = proxy.on(ZooKeeperOperation.CREATE).killAfter();
 * </pre> Beside that the whole network can {@linkplain #blackhole() swallow everything},
 * {@linkplain #refuse() refuse connections} and {@linkplain #heal() heal}.
 */
public final class FaultProxy implements AutoCloseable {

	private final String host;

	private final int target;

	private final Map<ZooKeeperOperation, Queue<Fault>> plans = new EnumMap<>(ZooKeeperOperation.class);

	private final RequestLog requests = new RequestLog();

	private final AtomicBoolean renewing = new AtomicBoolean();

	private final Set<ProxyConnection> connections = ConcurrentHashMap.newKeySet();

	private final int port = FreePorts.next();

	private volatile ServerSocket acceptor;

	private volatile boolean swallowing;

	/**
	 * Start a proxy on a free port of the loopback address.
	 * @param server what is behind it
	 */
	public FaultProxy(ZooKeeperServerFixture server) {
		this(server.port());
	}

	/**
	 * Start a proxy on a free port of the loopback address.
	 * @param target the port of the server behind it
	 */
	public FaultProxy(int target) {
		this("127.0.0.1", target);
	}

	/**
	 * Start a proxy on a free port of the loopback address.
	 * @param host the host of the server behind it
	 * @param target the port of the server
	 */
	public FaultProxy(String host, int target) {
		this.host = host;
		this.target = target;
		for (ZooKeeperOperation operation : ZooKeeperOperation.values()) {
			this.plans.put(operation, new ConcurrentLinkedQueue<>());
		}
		this.acceptor = listen();
	}

	/**
	 * Return where clients connect to.
	 * @return the connect string
	 */
	public String connectString() {
		return "127.0.0.1:" + this.port;
	}

	/**
	 * Plan a fault for the next request of a kind that has no plan yet.
	 * @param operation the kind of request
	 * @return what may happen to it
	 */
	public FaultPlan on(ZooKeeperOperation operation) {
		return on(operation, "");
	}

	/**
	 * Plan a fault for the next request of a kind on some path.
	 * @param operation the kind of request
	 * @param path a part of the path
	 * @return what may happen to it
	 */
	public FaultPlan on(ZooKeeperOperation operation, String path) {
		return new FaultPlan(this.plans.get(operation), path);
	}

	/**
	 * Forget the faults that have not fired.
	 */
	public void clearPlans() {
		this.plans.values().forEach(Queue::clear);
	}

	/**
	 * Return the faults that have not fired.
	 * @return the faults
	 */
	public List<Fault> pending() {
		return this.plans.values().stream().flatMap(Queue::stream).toList();
	}

	/**
	 * Return the requests so far.
	 * @return the requests
	 */
	public RequestLog requests() {
		return this.requests;
	}

	/**
	 * Let the server open a new session for the next client that connects. Its session
	 * lives on until the timeout, and the client hears of no end. ClickHouse Keeper does
	 * so.
	 */
	public void renewSession() {
		this.renewing.set(true);
	}

	/**
	 * Reset every connection once.
	 */
	public void killConnections() {
		this.connections.forEach(ProxyConnection::kill);
	}

	/**
	 * From now on swallow what either side sends; connections are still accepted.
	 */
	public void blackhole() {
		this.swallowing = true;
	}

	/**
	 * From now on refuse connections; those that exist are reset.
	 */
	public void refuse() {
		close(this.acceptor);
		killConnections();
	}

	/**
	 * Be a good network again. Connections that have lost something are reset.
	 */
	public void heal() {
		if (this.swallowing) {
			this.swallowing = false;
			killConnections();
		}
		if (this.acceptor.isClosed()) {
			// Something else may look just now whether the port is free.
			this.acceptor = Awaitility.await()
				.ignoreException(UncheckedIOException.class)
				.until(this::listen, Objects::nonNull);
		}
	}

	@Override
	public void close() {
		refuse();
	}

	boolean swallows() {
		return this.swallowing;
	}

	boolean renewsSession() {
		return this.renewing.getAndSet(false);
	}

	Fault next(ZooKeeperOperation operation, String path) {
		this.requests.add(operation, path);
		for (Iterator<Fault> faults = this.plans.get(operation).iterator(); faults.hasNext();) {
			Fault fault = faults.next();
			if (fault.matches(path)) {
				faults.remove();
				return fault;
			}
		}
		return null;
	}

	void ended(ProxyConnection connection) {
		this.connections.remove(connection);
	}

	private ServerSocket listen() {
		try {
			ServerSocket socket = new ServerSocket();
			socket.setReuseAddress(true);
			socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), this.port));
			Thread thread = new Thread(() -> accept(socket), "fault-proxy-accept");
			thread.setDaemon(true);
			thread.start();
			return socket;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void accept(ServerSocket socket) {
		while (!socket.isClosed()) {
			Socket client = null;
			try {
				client = socket.accept();
				ProxyConnection connection = new ProxyConnection(this, client, new Socket(this.host, this.target));
				this.connections.add(connection);
				connection.start();
				if (socket.isClosed()) {
					connection.kill();
				}
			}
			catch (IOException ex) {
				// The proxy is closed, or the server is down: the client sees a reset.
				close(client);
			}
		}
	}

	static void close(AutoCloseable closeable) {
		try {
			if (closeable != null) {
				closeable.close();
			}
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
