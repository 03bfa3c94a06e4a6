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

package io.github.zklock.fencing;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection with auto-commit whose waits have a bound, since a lock is held meanwhile.
 */
final class FenceConnection implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(FenceConnection.class);

	// Its thread only interrupts, so no application holds it up.
	private static final ScheduledThreadPoolExecutor bounds = bounds();

	private final Connection connection;

	private final NetworkTimeout networkTimeout;

	private final boolean autoCommit;

	private FenceConnection(Connection connection, Duration timeout) throws SQLException {
		this.connection = connection;
		this.networkTimeout = NetworkTimeout.set(connection, timeout);
		this.autoCommit = connection.getAutoCommit();
		if (!this.autoCommit) {
			connection.setAutoCommit(true);
		}
	}

	private static ScheduledThreadPoolExecutor bounds() {
		ScheduledThreadPoolExecutor bounds = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(null, task, "zk-lock-fence-bound", 0, false);
			thread.setContextClassLoader(FenceConnection.class.getClassLoader());
			thread.setDaemon(true);
			return thread;
		});
		bounds.setRemoveOnCancelPolicy(true);
		bounds.setKeepAliveTime(10, TimeUnit.SECONDS);
		bounds.allowCoreThreadTimeOut(true);
		return bounds;
	}

	static FenceConnection open(DataSource dataSource, Duration timeout) throws SQLException {
		Connection connection = connect(dataSource, timeout);
		try {
			return new FenceConnection(connection, timeout);
		}
		catch (SQLException | RuntimeException ex) {
			closeAfter(connection, ex);
			throw ex;
		}
	}

	private static void closeAfter(Connection connection, Exception failure) {
		try {
			connection.close();
		}
		catch (SQLException ex) {
			failure.addSuppressed(ex);
		}
	}

	// Not on another thread, since a data source may route by what this one has.
	private static Connection connect(DataSource dataSource, Duration timeout) throws SQLException {
		Thread caller = Thread.currentThread();
		CompletableFuture<Void> bound = new CompletableFuture<>();
		CompletableFuture<Void> interrupt = bound.thenRun(caller::interrupt);
		Future<?> timer = bounds.schedule(() -> bound.complete(null), timeout.toMillis(), TimeUnit.MILLISECONDS);
		try {
			return dataSource.getConnection();
		}
		finally {
			timer.cancel(false);
			if (!bound.cancel(false)) {
				interrupt.join();
				Thread.interrupted();
			}
		}
	}

	Connection connection() {
		return this.connection;
	}

	// What is thrown here would hide why the fence was not raised.
	@Override
	public void close() {
		try (this.connection) {
			if (!this.autoCommit) {
				this.connection.setAutoCommit(false);
			}
			this.networkTimeout.close();
		}
		catch (SQLException ex) {
			logger.debug("A connection cannot be restored after a fence", ex);
		}
	}

	/**
	 * Ends each wait for an answer of a database. It is later than the other bounds, so
	 * that these have their chance to keep the connection.
	 */
	static final class NetworkTimeout implements AutoCloseable {

		private static final int MARGIN_MS = 1000;

		private static final int UNCHANGED = -1;

		private final Connection connection;

		private final int before;

		private NetworkTimeout(Connection connection, int before) {
			this.connection = connection;
			this.before = before;
		}

		static NetworkTimeout set(Connection connection, Duration timeout) {
			int millis = Math.toIntExact(timeout.toMillis()) + MARGIN_MS;
			try {
				int before = connection.getNetworkTimeout();
				if (before == 0 || before > millis) {
					connection.setNetworkTimeout(Runnable::run, millis);
					return new NetworkTimeout(connection, before);
				}
			}
			catch (SQLException ex) {
				logger.debug("The driver has no network timeout", ex);
			}
			return new NetworkTimeout(connection, UNCHANGED);
		}

		@Override
		public void close() {
			try {
				if (this.before != UNCHANGED && !this.connection.isClosed()) {
					this.connection.setNetworkTimeout(Runnable::run, this.before);
				}
			}
			catch (SQLException ex) {
				logger.debug("The network timeout of a connection cannot be restored", ex);
			}
		}

	}

}
