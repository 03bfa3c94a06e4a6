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

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.zklock.core.internal.DurationText;
import io.github.zklock.zookeeper.client.ZooKeeperAccessCheck.Denial;
import io.github.zklock.zookeeper.client.ZooKeeperAccessCheck.Reason;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports at startup whether ZooKeeper is reachable and lets the client lock. It writes
 * one line to the log in the background, or throws an exception if the application must
 * not start without ZooKeeper. {@link ZooKeeperAccessCheck} asks the application for
 * ACLs, on a thread of its own, so a listener of the connection never waits for them.
 *
 * @since 0.1.0
 */
public final class ZooKeeperConnectionWatch {

	private static final Logger logger = LoggerFactory.getLogger(ZooKeeperConnectionWatch.class);

	private static final String MAXIMUM = "maxSessionTimeout, by default 20 times tickTime";

	private static final String MINIMUM = "minSessionTimeout, by default twice tickTime";

	private final CompletableFuture<Void> connected = new CompletableFuture<>();

	// As far as the permissions of the client are known.
	private final CompletableFuture<Void> available = new CompletableFuture<>();

	private final CuratorFramework client;

	private final ZooKeeperAccessCheck check;

	private final Consumer<String> whenAvailable;

	private final Supplier<@Nullable String> problem;

	/**
	 * Create the watch.
	 * @param client the client
	 * @param check finds out whether the client may lock
	 * @param whenAvailable called with the servers when locks are available
	 * @param problem returns the reason why there is no connection, for the log
	 */
	public ZooKeeperConnectionWatch(CuratorFramework client, ZooKeeperAccessCheck check, Consumer<String> whenAvailable,
			Supplier<@Nullable String> problem) {
		this.client = client;
		this.check = check;
		this.whenAvailable = whenAvailable;
		this.problem = problem;
	}

	/**
	 * Wait until the client is connected and may lock.
	 * @param timeout the longest wait
	 * @throws ZooKeeperStartupException if it is not, or may not
	 * @throws IllegalStateException if the client is not started
	 * @throws InterruptedException if the thread is interrupted
	 */
	public void requireConnection(Duration timeout) throws InterruptedException {
		if (this.client.getState() != CuratorFrameworkState.STARTED) {
			throw new IllegalStateException(notStarted());
		}
		long start = System.nanoTime();
		if (!this.client.blockUntilConnected(Math.toIntExact(timeout.toMillis()), TimeUnit.MILLISECONDS)) {
			throw ZooKeeperStartupException.unreachable(connectString(), timeout, this.problem.get());
		}
		requireAccess(Math.max(timeout.toNanos() - (System.nanoTime() - start), 0));
		this.available.complete(null);
	}

	private void requireAccess(long nanos) throws InterruptedException {
		Optional<Denial> denial;
		try {
			denial = this.check.findDenial()
				.thenCompose((found) -> found.isPresent() ? CompletableFuture.completedFuture(found)
						: this.check.findExposure())
				.get(nanos, TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException | ExecutionException ex) {
			logger.debug("It is not known whether the client may lock", ex);
			return;
		}
		if (denial.isPresent()) {
			throw ZooKeeperStartupException.denied(denial.get());
		}
	}

	/**
	 * Warn in the background if the client is not connected or may not lock.
	 * @param timeout the time to connect
	 */
	public void warnWithoutConnection(Duration timeout) {
		ConnectionStateListener listener = this::stateChanged;
		this.client.getConnectionStateListenable().addListener(listener);
		this.connected.thenCompose((result) -> this.check.findDenial().exceptionally((ex) -> Optional.empty()))
			.thenAccept((denial) -> denial.ifPresentOrElse(this::warn, () -> this.available.complete(null)));
		this.connected
			.whenComplete((result, failure) -> this.client.getConnectionStateListenable().removeListener(listener));
		if (this.client.getZookeeperClient().isConnected()) {
			this.connected.complete(null);
			return;
		}
		DaemonThreads.start("zk-lock-connection-watch", () -> warnAfter(timeout));
	}

	// Not with the timer of the JVM, which other code may block.
	private void warnAfter(Duration timeout) {
		try {
			this.connected.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException ex) {
			warn(timeout);
		}
		catch (ExecutionException | CancellationException ex) {
			logger.debug("No thread waits for the connection any more", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Log that locks are available, as soon as they are.
	 * @param root the node under which they live
	 * @param remark what else to report, after a comma
	 * @param requested the session timeout that was requested with the property, or
	 * {@code null}
	 */
	public void tellWhenAvailable(String root, String remark, @Nullable Duration requested) {
		this.available.thenRun(() -> {
			Duration granted = sessionTimeout();
			logger.info(
					"ZooKeeper at '{}' is reached: locks are available (chroot '{}', {}root '{}', session timeout {}{})",
					servers(), chroot(),
					this.client.getNamespace().isEmpty() ? "" : "namespace '" + this.client.getNamespace() + "', ",
					root, (granted != null) ? DurationText.of(granted) : "unknown", remark);
			if (requested != null && granted != null && !requested.equals(granted)) {
				warn(requested, granted);
			}
			this.whenAvailable.accept(servers());
		});
	}

	private String servers() {
		return connectString().replaceFirst("/.*", "");
	}

	private String chroot() {
		int slash = connectString().indexOf('/');
		return (slash >= 0) ? connectString().substring(slash) : "/";
	}

	private static void warn(Duration requested, Duration granted) {
		boolean longer = requested.compareTo(granted) > 0;
		logger.warn(
				"The session timeout is {}, and not {}: the servers allow no {} one ({}). It decides how long locks "
						+ "survive a pause, and how long the locks of a crashed node stay taken. Set "
						+ "zk-lock.session-timeout to what the servers allow{}, or change {} of the servers",
				DurationText.of(granted), DurationText.of(requested), longer ? "longer" : "shorter",
				longer ? MAXIMUM : MINIMUM, longer ? "" : " (a number without a unit is in milliseconds)",
				longer ? MAXIMUM : MINIMUM);
	}

	// What the server has granted, which may be less than requested.
	private @Nullable Duration sessionTimeout() {
		try {
			return Duration.ofMillis(this.client.getZookeeperClient().getZooKeeper().getSessionTimeout());
		}
		catch (Exception ex) {
			return null;
		}
	}

	/**
	 * End the wait for the connection.
	 */
	public void stop() {
		this.connected.cancel(false);
	}

	private void stateChanged(CuratorFramework client, ConnectionState state) {
		if (state.isConnected()) {
			this.connected.complete(null);
		}
	}

	private void warn(Denial denial) {
		if (denial.reason() == Reason.REFUSED_AUTHENTICATION) {
			// The locks report that themselves.
			return;
		}
		logger.warn("{}.{} {}", denial.text(),
				(denial.reason() == Reason.NOT_AUTHENTICATED) ? "" : " Until that is changed, locks are refused.",
				ZooKeeperStartupException.remedy(denial));
	}

	private void warn(Duration timeout) {
		if (this.client.getState() != CuratorFrameworkState.STARTED) {
			logger.warn(notStarted());
			return;
		}
		if (this.problem.get() != null) {
			return;
		}
		logger.warn(
				"ZooKeeper at '{}' was not reached within {}ms: locks are unavailable until it is, and the client "
						+ "keeps trying. Check that ZooKeeper runs there and that zk-lock.connect-string is right",
				connectString(), timeout.toMillis());
	}

	private String notStarted() {
		return "The CuratorFramework bean of the application is not started, so locks are unavailable: declare it with "
				+ "@Bean(initMethod = \"start\", destroyMethod = \"close\")";
	}

	private String connectString() {
		return this.client.getZookeeperClient().getCurrentConnectionString();
	}

}
