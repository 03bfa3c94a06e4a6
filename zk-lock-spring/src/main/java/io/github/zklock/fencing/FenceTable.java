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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

import javax.sql.DataSource;

import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.fencing.FenceConnection.NetworkTimeout;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.io.ClassPathResource;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.IncorrectResultSizeDataAccessException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.init.ScriptException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The table in which a database remembers the latest token of each lock. Only a raise
 * changes a row, and always upwards.
 */
final class FenceTable {

	static final String NAME = "zk_lock_fence";

	private static final Logger logger = LoggerFactory.getLogger(FenceTable.class);

	private final String name;

	private final DataSource dataSource;

	private final FenceSettings settings;

	private final AtomicReference<@Nullable FenceDialect> dialect = new AtomicReference<>();

	FenceTable(String name, DataSource dataSource, FenceSettings settings) {
		this.name = name;
		// A transaction is bound to the data source behind such a proxy.
		DataSource target = (dataSource instanceof TransactionAwareDataSourceProxy proxy) ? proxy.getTargetDataSource()
				: dataSource;
		this.dataSource = (target != null) ? target : dataSource;
		this.settings = settings;
	}

	/**
	 * Find out what the database is, and that it has the table.
	 * @throws InvalidLockUsageException if it has not, or is of another product
	 */
	void prepare() {
		try (FenceConnection open = FenceConnection.open(this.dataSource, this.settings.timeout())) {
			prepare(open.connection());
		}
		catch (SQLException ex) {
			throw new FenceUnreachableException("The database of " + this + " does not answer", ex);
		}
	}

	// Without a lock: several threads may find out the same.
	private FenceDialect prepare(Connection connection) {
		FenceDialect known = this.dialect.get();
		if (known != null) {
			return known;
		}
		DataSource database = new SingleConnectionDataSource(connection, true);
		String product = product(connection);
		FenceDialect found = FenceDialect.of(product, this.settings.checkSql());
		if (found == null) {
			throw new InvalidLockUsageException(
					"It is not known how a commit checks its fence in " + product + ", the database of " + this + ".",
					"Set zk-lock.fencing.check-sql to a statement that reads a row and locks it until the end of the "
							+ "transaction, so that an update of the row has to wait.");
		}
		if (!isThere(database)) {
			create(database, found);
		}
		if (this.dialect.compareAndSet(null, found)) {
			logger.info("Transactions of {} are fenced: {}, checked as {}, in the table {}", this, product,
					found.platform(), NAME);
		}
		return found;
	}

	private static boolean isThere(DataSource database) {
		try {
			new JdbcTemplate(database).queryForList("select token from " + NAME + " where lock_key = ''");
			return true;
		}
		catch (BadSqlGrammarException ex) {
			return false;
		}
	}

	private void create(DataSource database, FenceDialect found) {
		ScriptException failure = null;
		try {
			this.settings.initialize(database, found.script());
		}
		catch (ScriptException ex) {
			failure = ex;
		}
		// Another node may have created it at the same time.
		if (!isThere(database)) {
			throw new InvalidLockUsageException(
					"There is no table " + NAME + " in the database of " + this
							+ ((failure != null) ? ", and it cannot be created." : "."),
					"Create it, or set zk-lock.fencing.initialize-schema=always: " + ddl(found), failure);
		}
	}

	private String product(Connection connection) {
		try {
			return connection.getMetaData().getDatabaseProductName();
		}
		catch (SQLException ex) {
			throw new FenceUnreachableException("The database of " + this + " does not answer", ex);
		}
	}

	private static String ddl(FenceDialect dialect) {
		try {
			return new ClassPathResource(dialect.script(), FenceTable.class.getClassLoader())
				.getContentAsString(StandardCharsets.UTF_8)
				.replaceAll("\\s+", " ")
				.strip();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Let no earlier holder of a lock commit any more. Runs in no transaction.
	 * @return in which database, and the row of a later holder that has done the same
	 * before, if any
	 */
	FenceRaise.Result raise(LockHandle handle) {
		return new FenceRaise(this.dataSource, this.settings.timeout(), toString()).raise(handle,
				this.settings.rows(handle), this::prepare);
	}

	/**
	 * Return whether the transaction of this thread is one of this database.
	 */
	boolean isInTransaction() {
		return ofTransaction() != null;
	}

	// The data source of the transaction may be around this one, or behind it.
	private @Nullable DataSource ofTransaction() {
		if (TransactionSynchronizationManager.getResource(this.dataSource) instanceof ConnectionHolder) {
			return this.dataSource;
		}
		for (Map.Entry<Object, Object> each : TransactionSynchronizationManager.getResourceMap().entrySet()) {
			if (each.getValue() instanceof ConnectionHolder && each.getKey() instanceof DataSource other
					&& target(other) == target(this.dataSource)) {
				return other;
			}
		}
		return null;
	}

	private static DataSource target(DataSource dataSource) {
		DataSource target = (dataSource instanceof DelegatingDataSource proxy) ? proxy.getTargetDataSource() : null;
		return (target != null) ? target(target) : dataSource;
	}

	/**
	 * Check that no later holder of a lock has begun, and let none begin until the end of
	 * the transaction of this thread.
	 * @param handles the locks, with the tables in which they were raised
	 * @param readOnly whether the transaction is said to be read-only, which not every
	 * database enforces
	 * @return why the transaction must not commit, or {@code null} if it may
	 */
	@Nullable Refusal check(Map<LockHandle, String> handles, boolean readOnly) {
		FenceDialect known = Objects.requireNonNull(this.dialect.get());
		JdbcTemplate jdbc = new JdbcTemplate(Objects.requireNonNull(ofTransaction()));
		return jdbc.execute((ConnectionCallback<Refusal>) (connection) -> {
			try (NetworkTimeout ignored = NetworkTimeout.set(connection, this.settings.timeout())) {
				return (readOnly && known.isReadOnly(jdbc)) ? null
						: check(jdbc, known.table(connection), known, handles, readOnly);
			}
		});
	}

	private @Nullable Refusal check(JdbcTemplate jdbc, String table, FenceDialect known,
			Map<LockHandle, String> handles, boolean readOnly) {
		for (Map.Entry<LockHandle, String> each : handles.entrySet()) {
			if (!each.getValue().equals(table)) {
				// It reads from a replica, or it would write where no holder is fenced.
				if (readOnly) {
					return null;
				}
				throw new IllegalStateException("The fence of lock '" + each.getKey().key()
						+ "' cannot be checked before the commit, since it was raised in a database or a schema other "
						+ "than the one of the transaction. Let " + this + " lead both to one table " + NAME);
			}
		}
		for (Map.Entry<String, Range> each : ranges(handles).entrySet()) {
			Refusal refusal = check(jdbc, known, each.getKey(), each.getValue());
			if (refusal != null) {
				return refusal;
			}
		}
		return null;
	}

	// All in one order, so that no two transactions wait for each other.
	private TreeMap<String, Range> ranges(Map<LockHandle, String> handles) {
		TreeMap<String, Range> ranges = new TreeMap<>();
		for (LockHandle handle : handles.keySet()) {
			FenceRows rows = this.settings.rows(handle);
			long token = handle.fencingToken();
			boolean reads = handle.mode() == LockMode.READ;
			ranges.merge(rows.writers(), new Range(handle, reads ? 0 : token, token), Range::narrow);
			// Readers do not exclude each other.
			if (!reads) {
				ranges.merge(rows.readers(), new Range(handle, 0, token), Range::narrow);
			}
		}
		return ranges;
	}

	// Only a conflict says that a later holder has begun.
	private static @Nullable Refusal check(JdbcTemplate jdbc, FenceDialect known, String row, Range range) {
		List<Long> found;
		try {
			found = jdbc.queryForList(known.check(), Long.class, row, range.lowest(), range.highest());
		}
		catch (DataAccessException ex) {
			if (!known.isConflict(ex)) {
				throw ex;
			}
			return new Refusal(range.handle(), "cannot be checked before the commit, since the row '" + row + "' of "
					+ NAME + " was changed or locked meanwhile", ex);
		}
		if (found.size() > 1) {
			throw new IncorrectResultSizeDataAccessException(1, found.size());
		}
		if (!found.isEmpty()) {
			return null;
		}
		requireRow(jdbc, row, range);
		return new Refusal(range.handle(), "was lost before the commit: a later holder has raised the row '" + row
				+ "' of " + NAME + " above the token " + range.highest(), null);
	}

	private static void requireRow(JdbcTemplate jdbc, String row, Range range) {
		List<Long> found = jdbc.queryForList("select token from " + NAME + " where lock_key = ?", Long.class, row);
		if (found.isEmpty() || found.get(0) < range.lowest()) {
			throw new IllegalStateException("The fence of lock '" + range.handle().key()
					+ "' cannot be checked before the commit, since the row '" + row + "' of " + NAME + " "
					+ (found.isEmpty() ? "is missing" : "has the lower token " + found.get(0))
					+ ": it was deleted or reset after the fence was raised. No rows may be reset while a holder lives");
		}
	}

	@Override
	public String toString() {
		return "the data source '" + this.name + "'";
	}

	/**
	 * Why a transaction must not commit.
	 */
	record Refusal(LockHandle handle, String reason, @Nullable Throwable cause) {

	}

	/**
	 * The tokens that let a holder commit.
	 */
	private record Range(LockHandle handle, long lowest, long highest) {

		// Locks that are nested in each other have one token.
		Range narrow(Range other) {
			return new Range(this.handle, Math.max(this.lowest, other.lowest), Math.min(this.highest, other.highest));
		}

	}

}
