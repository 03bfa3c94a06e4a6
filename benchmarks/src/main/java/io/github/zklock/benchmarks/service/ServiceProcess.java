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

package io.github.zklock.benchmarks.service;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A server that can be stopped, killed and started again with its data.
 */
final class ServiceProcess implements AutoCloseable {

	private static final long START_NANOS = TimeUnit.SECONDS.toNanos(60);

	private final Path directory;

	private final int port;

	private final List<String> command;

	private Process process;

	ServiceProcess(Service service) throws Exception {
		this.directory = Files.createTempDirectory("service");
		this.port = freePort();
		this.command = service.command(this.directory, this.port);
		this.process = start();
		// An interrupted run leaves no server behind.
		Runtime.getRuntime().addShutdownHook(new Thread(() -> this.process.destroyForcibly()));
	}

	static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	static void signal(Process process, String signal) throws IOException, InterruptedException {
		Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).inheritIO().start();
		if (!kill.waitFor(60, TimeUnit.SECONDS) || kill.exitValue() != 0) {
			throw new IOException("No signal " + signal + " to process " + process.pid());
		}
	}

	String address() {
		return "127.0.0.1:" + this.port;
	}

	long cpuNanos() {
		return this.process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
	}

	void stop() throws Exception {
		signal(this.process, "STOP");
	}

	void resume() throws Exception {
		signal(this.process, "CONT");
	}

	/**
	 * Kill the server, and start it again with what is on its disk.
	 * @throws Exception if it does not start
	 */
	void killAndRestart() throws Exception {
		this.process.destroyForcibly().waitFor();
		this.process = start();
	}

	@Override
	public void close() throws IOException {
		this.process.destroyForcibly().onExit().join();
		try (Stream<Path> files = Files.walk(this.directory)) {
			files.map(Path::toFile).sorted((left, right) -> right.compareTo(left)).forEach((file) -> file.delete());
		}
	}

	private Process start() throws Exception {
		Path log = this.directory.resolve("server.log");
		Process started = new ProcessBuilder(this.command).redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
			.start();
		long begin = System.nanoTime();
		while (System.nanoTime() - begin < START_NANOS && started.isAlive()) {
			try (Socket socket = new Socket()) {
				socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), this.port), 1000);
				// It listens a little before it serves.
				TimeUnit.MILLISECONDS.sleep(500);
				return started;
			}
			catch (IOException ex) {
				TimeUnit.MILLISECONDS.sleep(50);
			}
		}
		throw new IOException(this.command.get(0) + " does not start: " + Files.readString(log));
	}

}
