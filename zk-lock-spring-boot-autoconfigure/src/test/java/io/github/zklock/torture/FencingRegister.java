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

package io.github.zklock.torture;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.zklock.core.LockMode;

/**
 * The resource that the locks protect, outside of all workers: every enter, write and
 * exit is a line that it answers, so that a body goes on only when the register knows of
 * it. It accepts a write if its token is not smaller than any it has seen for the key.
 * <pre>
 * enter GRANT KEY MODE TOKEN | write GRANT VALID | exit GRANT | lost GRANT | wait KEY BOUND TOOK OUTCOME
 * </pre>
 */
final class FencingRegister implements AutoCloseable {

	private final ServerSocket acceptor;

	private final Map<Socket, String> connections = new ConcurrentHashMap<>();

	private final Map<String, Grant> grants = new ConcurrentHashMap<>();

	private final TortureLog log;

	FencingRegister(TortureLog log) {
		this.log = log;
		try {
			this.acceptor = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		start(this::accept);
	}

	int port() {
		return this.acceptor.getLocalPort();
	}

	private void accept() {
		while (!this.acceptor.isClosed()) {
			try {
				Socket socket = this.acceptor.accept();
				socket.setTcpNoDelay(true);
				start(() -> serve(socket));
			}
			catch (IOException ex) {
				return;
			}
		}
	}

	private void serve(Socket socket) {
		Map<String, Grant> own = new HashMap<>();
		try (socket;
				BufferedReader lines = new BufferedReader(
						new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
			this.connections.put(socket, "");
			String worker = lines.readLine();
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				String answer = obey(worker, own, line.split(" "));
				socket.getOutputStream().write((answer + "\n").getBytes(StandardCharsets.UTF_8));
			}
		}
		catch (IOException ex) {
			// The worker was killed, which the nemesis knows.
		}
		finally {
			this.connections.remove(socket);
			own.values().stream().filter(Grant::isOpen).forEach(this.log::exited);
		}
	}

	private String obey(String worker, Map<String, Grant> own, String[] words) {
		switch (words[0]) {
			case "enter" -> {
				Grant grant = new Grant(worker, words[2], LockMode.valueOf(words[3]), Long.parseLong(words[4]),
						System.nanoTime());
				own.put(words[1], grant);
				this.grants.put(worker + words[1], grant);
				this.log.entered(grant);
				return "ok";
			}
			case "write" -> {
				return this.log.wrote(own.get(words[1]), Boolean.parseBoolean(words[2])) ? "accepted" : "rejected";
			}
			case "exit" -> {
				this.log.exited(own.remove(words[1]));
				this.grants.remove(worker + words[1]);
				return "ok";
			}
			case "lost" -> {
				Grant grant = this.grants.get(worker + words[1]);
				if (grant != null) {
					this.log.lost(grant);
				}
				return "ok";
			}
			case "wait" -> {
				this.log.attempted(new Attempt(worker, words[1], Long.parseLong(words[2]), Long.parseLong(words[3]),
						words[4], System.nanoTime()));
				return "ok";
			}
			default -> throw new IllegalArgumentException(String.join(" ", words));
		}
	}

	private static void start(Runnable task) {
		Thread thread = new Thread(task, "register");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() {
		try {
			this.acceptor.close();
			for (Socket socket : this.connections.keySet()) {
				socket.close();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
