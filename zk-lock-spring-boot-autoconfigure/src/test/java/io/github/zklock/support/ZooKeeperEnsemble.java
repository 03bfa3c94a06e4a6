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
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import org.springframework.util.FileSystemUtils;

/**
 * Three real ZooKeeper servers in JVMs of their own, with a {@link TcpLink} on each way
 * from a follower to its leader. Servers that are cut off from each other still serve
 * their clients for {@link #PATIENCE}, which is as long as with ZooKeeper's defaults.
 * Register it as a static extension.
 */
public final class ZooKeeperEnsemble implements BeforeAllCallback, AfterAllCallback {

	/** The tick of the servers. */
	public static final Duration TICK = Duration.ofMillis(500);

	/** How long a server does without the others before it stops serving clients. */
	public static final Duration PATIENCE = TICK.multipliedBy(20);

	private static final int SERVERS = 3;

	private final List<Server> servers = new ArrayList<>();

	private Path directory;

	@Override
	public void beforeAll(ExtensionContext context) throws IOException {
		this.directory = Files.createTempDirectory("ensemble");
		for (int id = 1; id <= SERVERS; id++) {
			this.servers.add(new Server(id));
		}
		for (Server server : this.servers) {
			server.start();
		}
		awaitReady();
	}

	@Override
	public void afterAll(ExtensionContext context) throws IOException {
		this.servers.forEach(Server::close);
		FileSystemUtils.deleteRecursively(this.directory);
	}

	/**
	 * Wait until all servers serve clients.
	 */
	public void awaitReady() {
		Awaitility.await("ensemble")
			.atMost(Duration.ofSeconds(90))
			.pollInterval(Duration.ofMillis(100))
			.until(() -> this.servers.stream().filter((server) -> server.mode().equals("follower")).count() == SERVERS
					- 1 && this.servers.stream().anyMatch((server) -> server.mode().equals("leader")));
	}

	/**
	 * Return the leader.
	 * @return the number of the server
	 */
	public int leader() {
		return IntStream.range(0, SERVERS)
			.filter((i) -> this.servers.get(i).mode().equals("leader"))
			.findFirst()
			.orElseThrow(() -> new AssertionError("There is no leader"));
	}

	/**
	 * Return a server other than the one given.
	 * @param server the number of a server
	 * @return the number of another one
	 */
	public int another(int server) {
		return (server + 1) % SERVERS;
	}

	/**
	 * Return where clients of one server connect to.
	 * @param server the number of the server
	 * @return the connect string
	 */
	public String connectString(int server) {
		return "127.0.0.1:" + this.servers.get(server).clientPort;
	}

	/**
	 * Cut a follower off from the leader. Neither is told.
	 * @param follower the number of the server
	 */
	public void cutOffFollower(int follower) {
		this.servers.get(follower).links.forEach(TcpLink::blackhole);
	}

	/**
	 * Cut the leader off from its followers, which are told and elect another one. The
	 * leader is not told.
	 * @param leader the number of the server
	 */
	public void cutOffLeader(int leader) {
		for (Server server : this.servers) {
			if (server.id != leader + 1) {
				server.links.get(leader).cutBehindCaller();
			}
		}
	}

	/**
	 * Be a good network again, and wait until the servers have found each other.
	 */
	public void heal() {
		this.servers.forEach((server) -> server.links.forEach(TcpLink::heal));
		awaitReady();
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	private final class Server {

		private final int id;

		private final int clientPort = freePort();

		private final int quorumPort = freePort();

		private final int electionPort = freePort();

		private final List<TcpLink> links = new ArrayList<>();

		private JavaProcess process;

		Server(int id) throws IOException {
			this.id = id;
		}

		void start() throws IOException {
			Path data = Files.createDirectories(ZooKeeperEnsemble.this.directory.resolve("server-" + this.id));
			Files.writeString(data.resolve("myid"), Integer.toString(this.id));
			List<String> lines = new ArrayList<>(List.of("tickTime=" + TICK.toMillis(), "initLimit=20",
					"syncLimit=" + PATIENCE.dividedBy(TICK), "dataDir=" + data, "clientPort=" + this.clientPort,
					"clientPortAddress=127.0.0.1", "admin.enableServer=false", "4lw.commands.whitelist=srvr"));
			for (Server other : ZooKeeperEnsemble.this.servers) {
				TcpLink link = new TcpLink(other.quorumPort);
				this.links.add(link);
				lines.add("server." + other.id + "=127.0.0.1:" + ((other == this) ? other.quorumPort : link.port())
						+ ":" + other.electionPort);
			}
			Path config = Files.write(data.resolve("zoo.cfg"), lines);
			this.process = JavaProcess.start("org.apache.zookeeper.server.quorum.QuorumPeerMain",
					List.of("zookeeper.forceSync=no", "zookeeper.jmx.log4j.disable=true"), config.toString());
		}

		String mode() {
			try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.clientPort)) {
				socket.setSoTimeout(1000);
				socket.getOutputStream().write("srvr".getBytes(StandardCharsets.UTF_8));
				String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
				return answer.replaceAll("(?s).*Mode: (\\w+).*", "$1");
			}
			catch (IOException ex) {
				return "down";
			}
		}

		void close() {
			if (this.process != null) {
				this.process.close();
			}
			this.links.forEach(TcpLink::close);
		}

	}

}
