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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Real ZooKeeper servers in JVMs of their own, with a {@link TcpLink} on each way from
 * one server to the quorum port of another. Servers can be cut off from each other while
 * clients still reach them, killed, started again, paused and resumed. Register it as a
 * static extension, or start and close it by hand. Servers have the numbers 0, 1, ...
 */
public final class ZooKeeperEnsemble implements BeforeAllCallback, AfterAllCallback, AutoCloseable {

	private static final Duration TICK = Duration.ofMillis(500);

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final int size;

	private final Duration tick;

	private final Duration patience;

	private Path directory;

	private List<EnsembleServer> servers = List.of();

	/**
	 * Three servers with a short tick, that serve their clients without the others for as
	 * long as with ZooKeeper's defaults.
	 */
	public ZooKeeperEnsemble() {
		this(3, TICK, PATIENCE);
	}

	/**
	 * Some servers.
	 * @param size how many
	 * @param tick their tick, of which a session lives for at least two
	 * @param patience how long a server does without the others before it stops serving
	 * its clients
	 */
	public ZooKeeperEnsemble(int size, Duration tick, Duration patience) {
		this.size = size;
		this.tick = tick;
		this.patience = patience;
	}

	@Override
	public void beforeAll(ExtensionContext context) {
		start();
	}

	@Override
	public void afterAll(ExtensionContext context) {
		close();
	}

	/**
	 * Start the servers and wait until they serve clients.
	 * @return this ensemble
	 */
	public ZooKeeperEnsemble start() {
		return start(null, null);
	}

	/**
	 * Start the servers, which also have a port that takes TLS, and wait until they serve
	 * clients.
	 * @param keys the store of their key, {@code null} for no TLS
	 * @param trusted the store of whom they trust
	 * @return this ensemble
	 */
	public ZooKeeperEnsemble start(Path keys, Path trusted) {
		try {
			this.directory = Files.createTempDirectory("ensemble");
			this.servers = IntStream.range(0, this.size).mapToObj(EnsembleServer::new).toList();
			for (EnsembleServer server : this.servers) {
				server.configure(this.directory, this.servers, this.tick, this.patience);
				if (keys != null) {
					server.configureTls(keys, trusted);
				}
				server.start();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		awaitReady();
		return this;
	}

	@Override
	public void close() {
		this.servers.forEach(EnsembleServer::close);
		Directories.delete(this.directory);
	}

	/**
	 * Return the tick of the servers.
	 * @return the tick
	 */
	public Duration tick() {
		return this.tick;
	}

	/**
	 * Return how long a server does without the others before it stops serving clients.
	 * @return the time
	 */
	public Duration patience() {
		return this.patience;
	}

	/**
	 * Wait until all servers that live serve clients: one leads, the others follow.
	 */
	public void awaitReady() {
		try {
			Awaitility.await("ensemble")
				.atMost(Duration.ofSeconds(90))
				.pollInterval(Duration.ofMillis(100))
				.until(this::isReady);
		}
		catch (RuntimeException ex) {
			throw new AssertionError("The servers do not find each other: " + this.servers.stream()
				.map((server) -> server + " " + server.status() + "\n" + String.join("\n", server.output()))
				.collect(Collectors.joining("\n")), ex);
		}
	}

	private boolean isReady() {
		List<EnsembleStatus> states = this.servers.stream()
			.filter(EnsembleServer::isAlive)
			.map(EnsembleServer::status)
			.toList();
		return states.stream().filter(EnsembleStatus::leads).count() == 1
				&& states.stream().filter(EnsembleStatus::follows).count() == states.size() - 1;
	}

	/**
	 * Return the leader; the last one, while another does not know yet that it is none.
	 * @return the number of the server
	 */
	public int leader() {
		List<EnsembleStatus> states = this.servers.stream().map(EnsembleServer::status).toList();
		return IntStream.range(0, this.size)
			.boxed()
			.filter((i) -> states.get(i).leads())
			.max(Comparator.comparing((i) -> states.get(i).zxid()))
			.orElseThrow(() -> new AssertionError("There is no leader"));
	}

	/**
	 * Return the servers that follow a leader.
	 * @return their numbers
	 */
	public List<Integer> followers() {
		return this.servers.stream().filter((server) -> server.status().follows()).map(EnsembleServer::number).toList();
	}

	/**
	 * Return a server other than the one given.
	 * @param server the number of a server
	 * @return the number of another one
	 */
	public int another(int server) {
		return (server + 1) % this.size;
	}

	/**
	 * Return where clients connect to.
	 * @param numbers the servers; all of them if there are none
	 * @return the connect string
	 */
	public String connectString(int... numbers) {
		int[] chosen = (numbers.length > 0) ? numbers : IntStream.range(0, this.size).toArray();
		return IntStream.of(chosen)
			.mapToObj((i) -> "127.0.0.1:" + this.servers.get(i).clientPort())
			.collect(Collectors.joining(","));
	}

	/**
	 * Return where clients connect to by TLS.
	 * @return the connect string of all servers
	 */
	public String tlsConnectString() {
		return this.servers.stream().map((server) -> "localhost:" + server.tlsPort()).collect(Collectors.joining(","));
	}

	/**
	 * Return the server that has a port for TLS.
	 * @param address the host and the port
	 * @return the server
	 */
	public EnsembleServer tlsServer(String address) {
		return this.servers.stream()
			.filter((server) -> address.endsWith(":" + server.tlsPort()))
			.findFirst()
			.orElseThrow();
	}

	/**
	 * Return a server, to kill it, to start it again, to pause or to resume it.
	 * @param number its number
	 * @return the server
	 */
	public EnsembleServer server(int number) {
		return this.servers.get(number);
	}

	/**
	 * Cut a follower off from the leader. Neither gets a sign of it.
	 * @param follower the number of the server
	 */
	public void cutOffFollower(int follower) {
		this.servers.get(follower).links().forEach(TcpLink::blackhole);
	}

	/**
	 * Cut the leader off from its followers, which see it and elect another one; they may
	 * need until it has given up. The leader gets no sign of it.
	 * @param leader the number of the server
	 */
	public void cutOffLeader(int leader) {
		for (EnsembleServer server : this.servers) {
			if (server.number() != leader) {
				server.links().get(leader).cutBehindCaller();
			}
		}
	}

	/**
	 * Let the servers agree on nothing new, though all of them see each other.
	 * @param stalls {@code false} to let them agree on what has piled up
	 */
	public void stallCommits(boolean stalls) {
		this.servers.forEach((server) -> server.links().forEach((link) -> link.holdAcks(stalls)));
	}

	/**
	 * Be a good network again, and wait until the servers have found each other.
	 */
	public void heal() {
		this.servers.forEach((server) -> server.links().forEach(TcpLink::heal));
		awaitReady();
	}

}
