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
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

import javax.sql.DataSource;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Raises the token of a lock, on a connection of its own and in auto-commit. In one
 * transaction the statements would lock each other out. A connection of a pool without
 * auto-commit would undo them.
 */
final class FenceRaise {

	private static final Logger logger = LoggerFactory.getLogger(FenceRaise.class);

	private static final String NO_ANSWER = "The database does not answer";

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

	Result raise(LockHandle handle, FenceRows rows, Function<Connection, FenceDialect> prepare) {
		try (FenceConnection open = open(handle)) {
			Connection connection = open.connection();
			FenceDialect dialect = prepare.apply(connection);
			String table = dialect.table(connection);
			return new Result(table, raiseWithTimeout(connection, dialect, handle, rows));
		}
		catch (SQLException ex) {
			throw unavailable(handle, NO_ANSWER, ex);
		}
		catch (QueryTimeoutException | ConcurrencyFailureException ex) {
			throw unavailable(handle, "An earlier holder that is about to commit keeps its row locked", ex);
		}
		catch (TransientDataAccessException | DataAccessResourceFailureException ex) {
			throw unavailable(handle, NO_ANSWER, ex);
		}
	}

	private FenceConnection open(LockHandle handle) {
		try {
			return FenceConnection.open(this.dataSource, this.timeout);
		}
		catch (SQLException ex) {
			throw unavailable(handle,
					"The data source gave no connection: its pool is in use, or the database does not answer", ex);
		}
	}

	private @Nullable LaterHolder raiseWithTimeout(Connection connection, FenceDialect dialect, LockHandle handle,
			FenceRows rows) throws SQLException {
		AutoCloseable limit = dialect.limitWaits(connection, this.timeout);
		try {
			return raise(new Statements(jdbc(connection, dialect), dialect), handle, rows);
		}
		finally {
			undo(limit);
		}
	}

	// What is thrown here would hide why the fence was not raised.
	private static void undo(AutoCloseable limit) {
		try {
			limit.close();
		}
		catch (Exception ex) {
			logger.debug("A connection cannot be restored after a fence", ex);
		}
	}

	private JdbcTemplate jdbc(Connection connection, FenceDialect dialect) {
		JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
		jdbc.setQueryTimeout(dialect.queryTimeout(this.timeout));
		return jdbc;
	}

	private LockUnavailableException unavailable(LockHandle handle, String reason, Exception cause) {
		return new LockUnavailableException(LockRequest.of(handle.key()).withMode(handle.mode()),
				Duration.ofNanos(System.nanoTime() - this.start),
				"its fence in " + this.place + " " + bound() + ". " + reason, cause);
	}

	private String bound() {
		return (Thread.currentThread().isInterrupted() && !isLate())
				? "was not raised before its thread was interrupted"
				: "was not raised within " + this.timeout.toMillis() + " ms";
	}

	// Both rows have to exist, since a commit cannot lock a row that is missing.
	private @Nullable LaterHolder raise(Statements statements, LockHandle handle, FenceRows rows) {
		long token = handle.fencingToken();
		boolean reads = handle.mode() == LockMode.READ;
		if (reads) {
			raise(statements, rows.readers(), token);
		}
		long writers = raise(statements, rows.writers(), reads ? 0 : token);
		if (writers > token) {
			return new LaterHolder(rows.writers(), writers);
		}
		long readers = reads ? 0 : raise(statements, rows.readers(), 0);
		return (readers > token) ? new LaterHolder(rows.readers(), readers) : null;
	}

	/**
	 * Return the token of a row, which is at least the given one from now on. A database
	 * may refuse each statement until the commit of another transaction is written.
	 */
	private long raise(Statements statements, String row, long token) {
		for (long pause = FIRST_PAUSE;; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
			DataAccessException failure = null;
			try {
				Long raised = raiseOnce(statements.jdbc(), row, token);
				if (raised != null) {
					return raised;
				}
			}
			catch (DataAccessException ex) {
				if (!(ex instanceof DuplicateKeyException) && !statements.dialect().isConflict(ex)) {
					throw ex;
				}
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
	 * What changes the rows.
	 */
	private record Statements(JdbcTemplate jdbc, FenceDialect dialect) {

	}

	/**
	 * What came of it: in which table, and the row that has a later token, if any.
	 */
	record Result(String table, @Nullable LaterHolder later) {

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
