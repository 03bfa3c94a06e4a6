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
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A TCP connection to a server that can be cut as a network does it: nothing gets through
 * any more, and neither side is told.
 */
final class CuttableConnection implements AutoCloseable {

	private final ServerSocket listener;

	private final String host;

	private final int port;

	private final List<Socket> sockets = new CopyOnWriteArrayList<>();

	private volatile boolean cut;

	CuttableConnection(String host, int port) throws IOException {
		this.host = host;
		this.port = port;
		this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		run(this::accept);
	}

	String connectString() {
		return "127.0.0.1:" + this.listener.getLocalPort();
	}

	void cut() {
		this.cut = true;
	}

	@Override
	public void close() throws IOException {
		this.cut = true;
		this.listener.close();
		for (Socket socket : this.sockets) {
			socket.close();
		}
	}

	private void accept() throws IOException {
		while (!this.listener.isClosed()) {
			Socket client = this.listener.accept();
			this.sockets.add(client);
			if (!this.cut) {
				Socket server = new Socket(this.host, this.port);
				this.sockets.add(server);
				run(() -> copy(client.getInputStream(), server.getOutputStream()));
				run(() -> copy(server.getInputStream(), client.getOutputStream()));
			}
		}
	}

	private void copy(InputStream in, OutputStream out) throws IOException {
		byte[] buffer = new byte[8192];
		for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
			if (!this.cut) {
				out.write(buffer, 0, read);
				out.flush();
			}
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
		}, "cuttable-connection");
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
