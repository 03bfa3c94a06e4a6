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
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Raises the token of a lock, on a connection of its own and in auto-commit. In one
 * transaction the statements would lock each other out. A connection of a pool without
 * auto-commit would undo them.
 */
final class FenceRaise {

	private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(1);

	private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);

	private final DataSource dataSource;

	private final Duration timeout;

	private final String place;

	private final long start = System.nanoTime();

	FenceRaise(DataSource dataSource, Duration timeout, String place) {
		this.dataSource = dataSource;
		this.timeout = timeout;
		this.place = place;
	}

	Result raise(LockHandle handle, FenceRows rows) {
		try (Connection connection = this.dataSource.getConnection()) {
			boolean autoCommit = connection.getAutoCommit();
			if (!autoCommit) {
				connection.setAutoCommit(true);
			}
			try {
				return new Result(database(connection), raiseWithTimeout(connection, handle, rows));
			}
			finally {
				if (!autoCommit) {
					connection.setAutoCommit(false);
				}
			}
		}
		catch (SQLException | TransientDataAccessException | DataAccessResourceFailureException ex) {
			throw unavailable(handle, ex);
		}
	}

	/**
	 * Return what distinguishes the database of a connection from others, without a
	 * statement.
	 */
	static String database(Connection connection) throws SQLException {
		return String.valueOf(connection.getMetaData().getURL());
	}

	// Some drivers keep the timeout of a statement for the whole session.
	private @Nullable LaterHolder raiseWithTimeout(Connection connection, LockHandle handle, FenceRows rows)
			throws SQLException {
		try (Statement session = connection.createStatement()) {
			int before = session.getQueryTimeout();
			try {
				return raise(jdbc(connection), handle, rows);
			}
			finally {
				session.setQueryTimeout(before);
			}
		}
	}

	private JdbcTemplate jdbc(Connection connection) {
		JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
		jdbc.setQueryTimeout(Math.toIntExact(Math.max(1, this.timeout.toSeconds())));
		return jdbc;
	}

	LockUnavailableException unavailable(LockHandle handle, Exception cause) {
		return new LockUnavailableException(LockRequest.of(handle.key()).withMode(handle.mode()),
				Duration.ofNanos(System.nanoTime() - this.start),
				"its fence in " + this.place + " was not raised within " + this.timeout.toMillis()
						+ " ms. An earlier holder may be about to commit, or the database does not answer",
				cause);
	}

	// Both rows have to exist, since a commit cannot lock a row that is missing.
	private @Nullable LaterHolder raise(JdbcTemplate jdbc, LockHandle handle, FenceRows rows) {
		long token = handle.fencingToken();
		boolean reads = handle.mode() == LockMode.READ;
		if (reads) {
			raise(jdbc, rows.readers(), token);
		}
		long writers = raise(jdbc, rows.writers(), reads ? 0 : token);
		if (writers > token) {
			return new LaterHolder(rows.writers(), writers);
		}
		long readers = reads ? 0 : raise(jdbc, rows.readers(), 0);
		return (readers > token) ? new LaterHolder(rows.readers(), readers) : null;
	}

	/**
	 * Return the token of a row, which is at least the given one from now on. A database
	 * may refuse each statement until the commit of another transaction is written.
	 */
	private long raise(JdbcTemplate jdbc, String row, long token) {
		for (long pause = FIRST_PAUSE;; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
			DataAccessException failure = null;
			try {
				Long raised = raiseOnce(jdbc, row, token);
				if (raised != null) {
					return raised;
				}
			}
			catch (DuplicateKeyException | PessimisticLockingFailureException ex) {
				failure = ex;
			}
			if (isLate() || Thread.currentThread().isInterrupted()) {
				throw new CannotAcquireLockException("The row '" + row + "' cannot be changed", failure);
			}
			LockSupport.parkNanos(pause);
		}
	}

	// Null if another client has changed the row meanwhile.
	private static @Nullable Long raiseOnce(JdbcTemplate jdbc, String row, long token) {
		if (token > 0 && jdbc.update("update " + FenceTable.NAME + " set token = ? where lock_key = ? and token < ?",
				token, row, token) == 1) {
			return token;
		}
		List<Long> found = jdbc.queryForList("select token from " + FenceTable.NAME + " where lock_key = ?", Long.class,
				row);
		if (found.isEmpty()) {
			jdbc.update("insert into " + FenceTable.NAME + " (lock_key, token) values (?, ?)", row, token);
			return token;
		}
		return (found.get(0) >= token) ? found.get(0) : null;
	}

	private boolean isLate() {
		return System.nanoTime() - this.start > this.timeout.toNanos();
	}

	/**
	 * What came of it: in which database, and the row that has a later token, if any.
	 */
	record Result(String database, @Nullable LaterHolder later) {

	}

	/**
	 * A row that has a later token than the lock.
	 */
	record LaterHolder(String row, long token) {

		String reason(LockHandle handle) {
			return "counts as lost: its fencing token is " + handle.fencingToken() + ", but the row '" + this.row
					+ "' of " + FenceTable.NAME + " has the later token " + this.token;
		}

		String hint() {
			return "If no later holder exists, because ZooKeeper was set up anew or locks were held in memory, stop "
					+ "all holders and reset the row: update " + FenceTable.NAME + " set token = 0 where lock_key = '"
					+ this.row.replace("'", "''") + "'";
		}

	}

}
