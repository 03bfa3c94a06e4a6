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

package io.github.zklock.benchmarks.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A network with a delay in each direction and any number of packets under way, since the
 * loopback interface hides what a round trip costs. It counts how often a client sends
 * something only after an answer: its blocking round trips, if one thread uses it.
 */
final class DelayProxy implements AutoCloseable {

	private static final int BUFFER_SIZE = 65536;

	private static final int COMMAND_LENGTH = 4;

	private final int target;

	private final long delayNanos;

	private final ServerSocket acceptor;

	private final ServerSocket monitor;

	private final AtomicLong roundTrips = new AtomicLong();

	DelayProxy(String server, long delayNanos) throws IOException {
		this.target = Integer.parseInt(server.substring(server.indexOf(':') + 1));
		this.delayNanos = delayNanos;
		this.acceptor = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		this.monitor = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		start(this::accept);
		start(this::tell);
	}

	String connectString() {
		return "127.0.0.1:" + this.acceptor.getLocalPort();
	}

	/**
	 * Return where the server says what it counts, and the network what it counts.
	 * @return host and port
	 */
	String monitorString() {
		return "127.0.0.1:" + this.monitor.getLocalPort();
	}

	@Override
	public void close() throws IOException {
		this.acceptor.close();
		this.monitor.close();
	}

	private void tell() throws IOException {
		while (!this.monitor.isClosed()) {
			try (Socket asking = this.monitor.accept();
					Socket server = new Socket(InetAddress.getLoopbackAddress(), this.target)) {
				server.getOutputStream().write(asking.getInputStream().readNBytes(COMMAND_LENGTH));
				server.getInputStream().transferTo(asking.getOutputStream());
				asking.getOutputStream()
					.write((ServerCounts.ROUND_TRIPS + "\t" + this.roundTrips + "\n")
						.getBytes(StandardCharsets.US_ASCII));
			}
			catch (IOException ex) {
				// Who asked has gone, and may ask again.
			}
		}
	}

	private void accept() throws IOException {
		while (!this.acceptor.isClosed()) {
			Socket client = this.acceptor.accept();
			Socket server = new Socket(InetAddress.getLoopbackAddress(), this.target);
			client.setTcpNoDelay(true);
			server.setTcpNoDelay(true);
			AtomicBoolean answered = new AtomicBoolean();
			pump(client, server, () -> {
				if (answered.getAndSet(false)) {
					this.roundTrips.incrementAndGet();
				}
			}, () -> {
			});
			pump(server, client, () -> {
			}, () -> answered.set(true));
		}
	}

	private void pump(Socket from, Socket to, Runnable beforeDelay, Runnable afterDelay) {
		BlockingQueue<Packet> underWay = new LinkedBlockingQueue<>();
		start(() -> {
			try (from; InputStream in = from.getInputStream()) {
				byte[] buffer = new byte[BUFFER_SIZE];
				for (int length = in.read(buffer); length > 0; length = in.read(buffer)) {
					beforeDelay.run();
					underWay.add(new Packet(System.nanoTime() + this.delayNanos, Arrays.copyOf(buffer, length)));
				}
			}
			finally {
				underWay.add(new Packet(System.nanoTime(), new byte[0]));
			}
		});
		start(() -> {
			try (to; OutputStream out = to.getOutputStream()) {
				for (Packet packet = underWay.take(); packet.bytes().length > 0; packet = underWay.take()) {
					for (long left = packet.due() - System.nanoTime(); left > 0; left = packet.due()
							- System.nanoTime()) {
						LockSupport.parkNanos(left);
					}
					afterDelay.run();
					out.write(packet.bytes());
				}
			}
		});
	}

	private static void start(Connection connection) {
		Thread thread = new Thread(() -> {
			try {
				connection.run();
			}
			catch (IOException ex) {
				// Closed by one of its sides.
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}, "delay-proxy");
		thread.setDaemon(true);
		thread.start();
	}

	private interface Connection {

		void run() throws IOException, InterruptedException;

	}

	private record Packet(long due, byte[] bytes) {
	}

}
