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
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.server.ContainerManager;
import org.apache.zookeeper.server.DataNode;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A real ZooKeeper server inside the test's JVM, on a free port of the loopback address.
 * Register it as a static extension, or start and close it by hand. As an extension it
 * fails the test class that leaves a client open, and so its session and locks, or a lock
 * provider. A class that comes later in the same JVM does not suffer from it.
 */
public final class ZooKeeperServerFixture implements BeforeAllCallback, AfterAllCallback, AutoCloseable {

	/** The tick of the server. */
	public static final Duration TICK = Duration.ofMillis(200);

	static {
		// Nothing here has to survive a crash of the machine.
		System.setProperty("zookeeper.forceSync", "no");
	}

	private Path directory;

	private final int port = FreePorts.next();

	private FixtureServer server;

	private NIOServerCnxnFactory connections;

	private Set<Thread> before = Set.of();

	// Nested test classes share the server of the class around them.
	private int users;

	@Override
	public void beforeAll(ExtensionContext context) {
		if (this.users++ == 0) {
			start();
			this.before = Set.copyOf(Thread.getAllStackTraces().keySet());
		}
	}

	@Override
	public void afterAll(ExtensionContext context) {
		if (--this.users == 0) {
			try {
				Awaitility.await().untilAsserted(this::assertNothingIsLeft);
			}
			finally {
				close();
			}
		}
	}

	private void assertNothingIsLeft() {
		assertThat(this.connections.getConnections()).as(() -> "clients that were not closed, and hold " + ephemerals())
			.isEmpty();
		assertThat(Thread.getAllStackTraces().keySet())
			.filteredOn((thread) -> !this.before.contains(thread) && thread.getName().matches("zk-lock-.*timer-\\d+"))
			.as("threads of providers that were not closed")
			.isEmpty();
	}

	private List<String> ephemerals() {
		return this.server.getSessionTracker()
			.globalSessions()
			.stream()
			.flatMap((session) -> tree().getEphemerals(session).stream())
			.sorted()
			.toList();
	}

	/**
	 * Start the server, on the port and the data it had before if it was stopped.
	 * @return this fixture
	 */
	public ZooKeeperServerFixture start() {
		try {
			if (this.directory == null) {
				this.directory = Files.createTempDirectory("zookeeper");
			}
			this.server = new FixtureServer(this.directory.toFile());
			this.server.setMinSessionTimeout(2 * (int) TICK.toMillis());
			this.server.setMaxSessionTimeout((int) Duration.ofMinutes(2).toMillis());
			this.connections = new NIOServerCnxnFactory();
			this.connections.configure(new InetSocketAddress("127.0.0.1", this.port), 0);
			this.connections.startup(this.server);
			return this;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while the server started", ex);
		}
	}

	/**
	 * Stop the server; the data stays. Sessions live on, and get their whole timeout
	 * afresh, when it is started again.
	 */
	public void stop() {
		this.connections.shutdown();
		this.server.shutdown();
	}

	/**
	 * Stop the server and start it again on the same port and the same data.
	 */
	public void restart() {
		stop();
		start();
	}

	/**
	 * Stop the server and delete its data.
	 */
	@Override
	public void close() {
		stop();
		Directories.delete(this.directory);
	}

	/**
	 * Return where clients connect to.
	 * @return the connect string
	 */
	public String connectString() {
		return "127.0.0.1:" + this.port;
	}

	/**
	 * Return the port of the server.
	 * @return the port, the same one after a restart
	 */
	public int port() {
		return this.port;
	}

	/**
	 * End a session as the server does when it has not heard of the client for too long.
	 * Returns when its ephemeral nodes are gone; the client learns of it later.
	 * @param sessionId the session
	 */
	public void killSession(long sessionId) {
		this.server.closeSession(sessionId);
		Awaitility.await("end of session 0x" + Long.toHexString(sessionId))
			.pollInterval(Duration.ofMillis(5))
			.until(() -> !isAlive(sessionId) && tree().getEphemerals(sessionId).isEmpty());
	}

	/**
	 * Return whether the server still keeps a session.
	 * @param sessionId the session
	 * @return {@code true} until it was closed or has timed out
	 */
	public boolean isAlive(long sessionId) {
		return this.server.getSessionTracker().isTrackingSession(sessionId);
	}

	/**
	 * Return the children of a node as the server knows them, without any client.
	 * @param path the path
	 * @return the names, in order; none if the node does not exist
	 */
	public List<String> children(String path) {
		try {
			List<String> children = new ArrayList<>(tree().getChildren(path, null, null));
			children.sort(null);
			return children;
		}
		catch (KeeperException.NoNodeException ex) {
			return List.of();
		}
	}

	/**
	 * Return the session that an ephemeral node lives in, without any client.
	 * @param path the path
	 * @return the id of the session, {@code 0} if there is no such node
	 */
	public long owner(String path) {
		DataNode node = tree().getNode(path);
		return (node != null) ? node.stat.getEphemeralOwner() : 0;
	}

	/**
	 * Return the paths that clients watch below a node.
	 * @param parent the path of the node
	 * @return the paths, in order
	 */
	public List<String> watched(String parent) {
		return tree().getWatchesByPath()
			.toMap()
			.keySet()
			.stream()
			.filter((path) -> path.startsWith(parent + "/") && path.indexOf('/', parent.length() + 1) > 0)
			.sorted()
			.toList();
	}

	/**
	 * Return the paths that a client watches, at the server.
	 * @param sessionId its session
	 * @return the paths
	 */
	public Set<String> watchedBy(long sessionId) {
		return Objects.requireNonNullElse(tree().getWatches().getPaths(sessionId), Set.of());
	}

	/**
	 * Reap the empty containers now, as the server does once a minute.
	 */
	public void reapContainers() {
		try {
			new ContainerManager(this.server.getZKDatabase(), this.server.first(), 0, Integer.MAX_VALUE)
				.checkContainers();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while containers were reaped", ex);
		}
	}

	/**
	 * Let a node have had so many children in its life, as its next one will be numbered.
	 * @param path the path of the node
	 * @param sequence the number
	 */
	public void setSequence(String path, int sequence) {
		tree().getNode(path).stat.setCversion(sequence);
	}

	/**
	 * Pretend that the last transaction had this id.
	 * @param id the id
	 */
	public void setTransaction(long id) {
		this.server.setZxid(id);
	}

	/**
	 * Grant clients that connect from now on no longer session timeout.
	 * @param longest the longest session timeout
	 */
	public void limitSessionTimeout(Duration longest) {
		this.server.setMaxSessionTimeout((int) longest.toMillis());
	}

	/**
	 * Let each machine have only so many connections.
	 * @param connections the number, 0 for any
	 */
	public void limitConnections(int connections) {
		this.connections.setMaxClientCnxnsPerHost(connections);
	}

	private DataTree tree() {
		return this.server.getZKDatabase().getDataTree();
	}

}
