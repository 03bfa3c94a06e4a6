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

package io.github.zklock.zookeeper.client;

import java.net.InetSocketAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

import io.github.zklock.core.internal.LockKeys;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.zookeeper.client.ConnectStringParser;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out in the background whether TLS, or host names without an address, are the
 * reason why our client has no connection. It writes one line to the log for each reason,
 * and keeps a text for requests that fail meanwhile. In an outage each server is asked
 * until it has answered, less and less often, as it has enough to do when it comes back.
 *
 * @since 0.1.0
 */
public final class ConnectionDiagnosis implements ConnectionStateListener, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(ConnectionDiagnosis.class);

	// A connection that is opened, or works again, by then needs none.
	private static final long PATIENCE_MS = 300;

	private static final long PERIOD_MS = 2000;

	private static final long FIRST_PAUSE = TimeUnit.SECONDS.toNanos(1);

	private static final long LONGEST_PAUSE = TimeUnit.MINUTES.toNanos(1);

	private final CuratorFramework client;

	private final ServerProbe probe;

	private final ScheduledThreadPoolExecutor thread;

	private final AtomicBoolean looking = new AtomicBoolean();

	private volatile @Nullable String problem;

	// One entry for each server, since the connection was lost.
	private volatile Map<InetSocketAddress, Optional<String>> answers = new ConcurrentHashMap<>();

	// Looked for as often as servers are asked.
	private volatile @Nullable String unknownHosts;

	// When servers were asked last, and how long those without an answer are left alone.
	private volatile long askedAt;

	private volatile long pause;

	// Used by that thread only.
	private @Nullable String logged;

	/**
	 * Create the diagnosis.
	 * @param client the client
	 * @param probe finds out what is wrong with a server
	 */
	public ConnectionDiagnosis(CuratorFramework client, ServerProbe probe) {
		this.client = client;
		this.probe = probe;
		this.thread = new ScheduledThreadPoolExecutor(1, (task) -> DaemonThreads.create("zk-lock-diagnosis", task));
		this.thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
	}

	/**
	 * Begin to watch the connection.
	 */
	public void start() {
		this.client.getConnectionStateListenable().addListener(this, Runnable::run);
		lookSoon();
	}

	/**
	 * Return why there is no connection, as the end of a sentence, if that is known.
	 * @return the reason, or {@code null} if there is none
	 */
	public @Nullable String problem() {
		return this.problem;
	}

	@Override
	public void stateChanged(CuratorFramework curator, ConnectionState state) {
		if (state.isConnected()) {
			this.problem = null;
			this.answers = new ConcurrentHashMap<>();
			this.unknownHosts = null;
			this.pause = 0;
		}
		else {
			lookSoon();
		}
	}

	private void lookSoon() {
		if (this.looking.compareAndSet(false, true)) {
			lookIn(PATIENCE_MS);
		}
	}

	private void lookIn(long millis) {
		try {
			this.thread.schedule(this::look, millis, TimeUnit.MILLISECONDS);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The client was closed meanwhile");
		}
	}

	private void look() {
		if (isConnected()) {
			this.logged = null;
			this.looking.set(false);
			// The connection may have been lost since.
			if (!isConnected()) {
				lookSoon();
			}
			return;
		}
		try {
			tell(find());
		}
		catch (RuntimeException | LinkageError ex) {
			logger.debug("The reason for the missing connection could not be found", ex);
		}
		lookIn(PERIOD_MS);
	}

	private boolean isConnected() {
		boolean connected = this.client.getZookeeperClient().isConnected();
		if (connected) {
			this.problem = null;
		}
		return connected;
	}

	private @Nullable String find() {
		boolean due = this.pause == 0 || System.nanoTime() - this.askedAt >= this.pause;
		List<InetSocketAddress> servers = new ConnectStringParser(
				this.client.getZookeeperClient().getCurrentConnectionString())
			.getServerAddresses();
		if (due) {
			this.unknownHosts = unknownHosts(servers);
		}
		String problems = (this.unknownHosts != null) ? this.unknownHosts : servers.stream()
			.map((server) -> answer(InetSocketAddress.createUnresolved(server.getHostString(), server.getPort()), due))
			.filter(Objects::nonNull)
			.distinct()
			.collect(Collectors.joining("; "));
		if (due) {
			this.askedAt = System.nanoTime();
			this.pause = Math.min(Math.max(2 * this.pause, FIRST_PAUSE), LONGEST_PAUSE);
		}
		return problems.isEmpty() ? null : problems;
	}

	// One host with an address may be the one that is down.
	private static @Nullable String unknownHosts(List<InetSocketAddress> servers) {
		Set<String> unknown = new LinkedHashSet<>();
		for (InetSocketAddress server : servers) {
			if (!new InetSocketAddress(server.getHostString(), server.getPort()).isUnresolved()) {
				return null;
			}
			unknown.add("'" + LockKeys.printable(server.getHostString()) + "'");
		}
		return "no address is known for the host " + String.join(" or ", unknown)
				+ "; check the connect string and the name service (DNS)";
	}

	private @Nullable String answer(InetSocketAddress server, boolean due) {
		// An answer that comes after the connection belongs to the outage before.
		Map<InetSocketAddress, Optional<String>> answers = this.answers;
		Optional<String> known = answers.get(server);
		if (known == null && due) {
			try {
				known = Optional
					.ofNullable(this.probe.problem(new InetSocketAddress(server.getHostString(), server.getPort())));
				answers.put(server, known);
			}
			catch (ServerProbe.NoAnswerException ex) {
				return null;
			}
		}
		return (known != null) ? known.orElse(null) : null;
	}

	private void tell(@Nullable String found) {
		this.problem = found;
		// The connection may work again, or be closed, meanwhile.
		if (!isConnected() && found != null && !found.equals(this.logged) && !this.thread.isShutdown()) {
			this.logged = found;
			logger.warn("There is no connection to ZooKeeper: {}. Until that is mended, locks are unavailable; the "
					+ "client keeps trying", found);
		}
	}

	@Override
	public void close() {
		this.thread.shutdownNow();
		this.client.getConnectionStateListenable().removeListener(this);
	}

}
