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

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A ZooKeeper server in a JVM of its own.
 */
final class ServerProcess implements AutoCloseable {

	private static final long START_NANOS = TimeUnit.SECONDS.toNanos(60);

	private final Path directory;

	private final int port;

	private final Process process;

	/**
	 * Start a server.
	 * @param id its number in the ensemble
	 * @param port the port for clients
	 * @param forceSync whether a write is on disk before it is answered
	 * @param ensemble the lines of the configuration that name all members, if there are
	 * several
	 * @throws IOException if it cannot be started
	 */
	ServerProcess(int id, int port, boolean forceSync, List<String> ensemble) throws IOException {
		this.directory = Files.createTempDirectory("zookeeper");
		this.port = port;
		Files.writeString(this.directory.resolve("myid"), Integer.toString(id));
		Path configuration = this.directory.resolve("zoo.cfg");
		List<String> lines = List.of("tickTime=2000", "initLimit=10", "syncLimit=5", "dataDir=" + this.directory,
				"clientPortAddress=127.0.0.1", "clientPort=" + port, "admin.enableServer=false", "maxClientCnxns=0",
				"4lw.commands.whitelist=mntr");
		Files.write(configuration, Stream.concat(lines.stream(), ensemble.stream()).toList());
		String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		ProcessBuilder builder = new ProcessBuilder(java, "-Xms512m", "-Xmx1g", "-XX:+UseSerialGC",
				ServerCpu.mark(port), "-Dzookeeper.forceSync=" + (forceSync ? "yes" : "no"),
				"-Dznode.container.checkIntervalMs=3600000", "-cp", System.getProperty("java.class.path"),
				"org.apache.zookeeper.server.quorum.QuorumPeerMain", configuration.toString());
		File log = this.directory.resolve("server.log").toFile();
		this.process = builder.redirectErrorStream(true).redirectOutput(log).start();
		// Not to be left behind by a run that is interrupted.
		Runtime.getRuntime().addShutdownHook(new Thread(this.process::destroyForcibly));
	}

	static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	String connectString() {
		return "127.0.0.1:" + this.port;
	}

	/**
	 * Wait until it serves.
	 * @return {@code standalone}, {@code leader} or {@code follower}
	 * @throws IOException if it does not
	 * @throws InterruptedException if interrupted
	 */
	String awaitState() throws IOException, InterruptedException {
		long start = System.nanoTime();
		while (System.nanoTime() - start < START_NANOS && this.process.isAlive()) {
			String state = ServerCounts.state(connectString());
			if (!state.isEmpty()) {
				return state;
			}
			TimeUnit.MILLISECONDS.sleep(100);
		}
		throw new IOException("The server does not start: see " + this.directory.resolve("server.log"));
	}

	@Override
	public void close() throws IOException {
		this.process.destroyForcibly().onExit().join();
		try (Stream<Path> files = Files.walk(this.directory)) {
			files.map(Path::toFile).sorted((left, right) -> right.compareTo(left)).forEach(File::delete);
		}
	}

}
