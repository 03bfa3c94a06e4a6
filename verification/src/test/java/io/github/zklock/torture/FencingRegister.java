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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.zklock.core.LockMode;
import org.awaitility.Awaitility;

/**
 * The resource that the locks protect, outside of all workers: every enter, write and
 * exit is a line that it answers, so that a body goes on only when the register knows of
 * it. A worker opens a connection for each of its threads, says its name and its clock,
 * and then: <pre>
 * enter GRANT KEY MODE TOKEN ACQUIRED | write GRANT VALID | exit GRANT UNAWARE | lost GRANT NANOS
 * wait KEY BOUND TOOK OUTCOME | next KEY | note NAME TEXT | orders
 * </pre> After {@code orders} the register talks and the worker obeys.
 */
final class FencingRegister implements AutoCloseable {

	private final ServerSocket acceptor;

	private final Map<Socket, String> connections = new ConcurrentHashMap<>();

	private final Map<String, Socket> orders = new ConcurrentHashMap<>();

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

	/**
	 * Give an order to a worker, as soon as it listens.
	 */
	void order(String worker, String order) {
		Awaitility.await().until(() -> this.orders.containsKey(worker));
		try {
			say(this.orders.get(worker), order);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
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
		this.connections.put(socket, "");
		Map<String, Grant> own = new ConcurrentHashMap<>();
		try (socket;
				BufferedReader lines = new BufferedReader(
						new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
			String[] hello = lines.readLine().split(" ");
			compareClocks(hello[0], Long.parseLong(hello[1]));
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				if (line.equals("orders")) {
					this.orders.put(hello[0], socket);
				}
				else {
					say(socket, obey(hello[0], own, line.split(" ", 6)));
				}
			}
		}
		catch (IOException ex) {
			// The worker was killed, which the nemesis knows.
		}
		finally {
			this.connections.remove(socket);
			own.values().forEach((grant) -> this.log.exited(grant, 0));
		}
	}

	private void compareClocks(String worker, long nanos) {
		long age = (System.nanoTime() - nanos) / 1_000_000;
		if (age < 0 || age > 10_000) {
			this.log.note("clock", worker + " has another clock: " + age + " ms apart");
		}
	}

	private String obey(String worker, Map<String, Grant> own, String[] words) {
		String id = words[1];
		switch (words[0]) {
			case "enter" -> {
				Grant grant = new Grant(worker, words[2].intern(), LockMode.valueOf(words[3]), Long.parseLong(words[4]),
						Long.parseLong(words[5]), System.nanoTime());
				own.put(id, grant);
				this.grants.put(id, grant);
				this.log.entered(grant);
			}
			case "write" -> {
				this.log.wrote(own.get(id), Boolean.parseBoolean(words[2]));
				return this.log.instructions().stays(worker) ? "stay" : "ok";
			}
			case "exit" -> {
				this.log.exited(own.remove(id), Long.parseLong(words[2]));
				this.grants.remove(id);
			}
			case "lost" -> {
				Grant grant = this.grants.get(id);
				if (grant != null) {
					this.log.lost(grant, Long.parseLong(words[2]));
				}
			}
			case "wait" -> this.log.attempted(new Attempt(worker, words[1], Long.parseLong(words[2]),
					Long.parseLong(words[3]), words[4], System.nanoTime()));
			case "next" -> {
				return this.log.instructions().rests(worker) ? "rest" : "ok";
			}
			case "note" -> this.log.note(worker + " " + words[1], words[2]);
			default -> throw new IllegalArgumentException(String.join(" ", words));
		}
		return "ok";
	}

	private static void say(Socket socket, String line) throws IOException {
		socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
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
