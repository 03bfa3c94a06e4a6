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

package io.github.zklock.sample;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.zklock.sample.console.ConsoleNode.Fault;
import org.apache.zookeeper.client.ConnectStringParser;

/**
 * The connection of one node to ZooKeeper, which can be cut or fall silent: a TCP proxy
 * on the loopback interface. What is sent while it is silent is kept, as it is in the
 * buffers of a machine that stands still.
 */
final class NodeConnection implements AutoCloseable {

	private static final int CONNECT_TIMEOUT = 2000;

	private final ServerSocket listener;

	private final ConnectStringParser servers;

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private final Object monitor = new Object();

	private Fault fault = Fault.NONE;

	NodeConnection(String connectString) throws IOException {
		this.servers = new ConnectStringParser(connectString);
		this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		run(this::accept);
	}

	String connectString() {
		String chroot = this.servers.getChrootPath();
		return "127.0.0.1:" + this.listener.getLocalPort() + ((chroot != null) ? chroot : "");
	}

	Fault fault() {
		synchronized (this.monitor) {
			return this.fault;
		}
	}

	void become(Fault fault) {
		synchronized (this.monitor) {
			this.fault = fault;
			this.monitor.notifyAll();
		}
		if (fault == Fault.CUT) {
			this.sockets.forEach(NodeConnection::reset);
		}
	}

	@Override
	public void close() throws IOException {
		become(Fault.CUT);
		this.listener.close();
	}

	private void accept() throws IOException {
		while (!this.listener.isClosed()) {
			Socket client = this.listener.accept();
			this.sockets.add(client);
			run(() -> {
				try {
					join(client);
				}
				finally {
					end(client);
				}
			});
		}
	}

	private void join(Socket client) throws IOException {
		// Who stands still opens no connection, so there is none when it goes on.
		if (fault() == Fault.NONE) {
			try (Socket server = connect()) {
				this.sockets.add(server);
				run(() -> {
					try {
						copy(server.getInputStream(), client.getOutputStream());
					}
					finally {
						end(client);
						end(server);
					}
				});
				copy(client.getInputStream(), server.getOutputStream());
			}
		}
		else {
			awaitSound();
			reset(client);
		}
	}

	private Socket connect() throws IOException {
		List<InetSocketAddress> addresses = new ArrayList<>(this.servers.getServerAddresses());
		Collections.shuffle(addresses);
		IOException failure = new IOException("There is no server");
		for (InetSocketAddress address : addresses) {
			Socket server = new Socket();
			try {
				server.connect(new InetSocketAddress(address.getHostString(), address.getPort()), CONNECT_TIMEOUT);
				server.setTcpNoDelay(true);
				return server;
			}
			catch (IOException ex) {
				failure = ex;
				server.close();
			}
		}
		throw failure;
	}

	private void copy(InputStream in, OutputStream out) throws IOException {
		byte[] buffer = new byte[8192];
		for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
			awaitSound();
			out.write(buffer, 0, read);
			out.flush();
		}
		awaitSound();
	}

	private void awaitSound() throws IOException {
		synchronized (this.monitor) {
			while (this.fault == Fault.PAUSED) {
				try {
					this.monitor.wait();
				}
				catch (InterruptedException ex) {
					throw new IOException(ex);
				}
			}
			if (this.fault == Fault.CUT) {
				throw new IOException("The connection is cut");
			}
		}
	}

	private void end(Socket socket) {
		this.sockets.remove(socket);
		reset(socket);
	}

	private static void reset(Socket socket) {
		try (socket) {
			socket.setSoLinger(true, 0);
		}
		catch (IOException ex) {
			// It has ended already.
		}
	}

	private static void run(Task task) {
		Thread thread = new Thread(() -> {
			try {
				task.run();
			}
			catch (IOException ex) {
				// The end of the connection.
			}
		}, "node-connection");
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * A task that ends with its connection.
	 */
	@FunctionalInterface
	private interface Task {

		void run() throws IOException;

	}

}
