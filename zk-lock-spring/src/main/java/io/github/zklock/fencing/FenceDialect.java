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
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What differs between databases: how the check of a commit locks a row, and how the
 * table is made. The check takes the weakest lock that an update of the row has to wait
 * for. A plain read would let late commits pass.
 */
record FenceDialect(String platform, String check) {

	private static final String UNKNOWN = "check-sql";

	private static final String POSTGRESQL = "postgresql";

	private static final String SELECT = "select token from " + FenceTable.NAME
			+ " where lock_key = ? and token between ? and ?";

	/**
	 * Return the dialect of a product.
	 * @param product the name of the product, as its driver says it
	 * @param checkSql the statement for a product that is not known, or {@code null}
	 * @return the dialect, or {@code null} if the product is not known and there is no
	 * statement
	 */
	static @Nullable FenceDialect of(String product, @Nullable String checkSql) {
		return switch (product.toLowerCase(Locale.ROOT)) {
			case POSTGRESQL -> new FenceDialect(POSTGRESQL, SELECT + " for share");
			case "mariadb" -> new FenceDialect("mariadb", SELECT + " lock in share mode");
			case "mysql" -> new FenceDialect("mysql", SELECT + " lock in share mode");
			case "h2" -> new FenceDialect("h2", SELECT + " for update");
			default -> (checkSql != null) ? new FenceDialect(UNKNOWN, checkSql) : null;
		};
	}

	/**
	 * Return whether the database refuses each write of the transaction of this thread.
	 * Others take a read-only transaction for a hint, and PostgreSQL does not lock a row
	 * in it.
	 */
	boolean isReadOnly(JdbcTemplate jdbc) {
		return this.platform.equals(POSTGRESQL)
				&& "on".equals(jdbc.queryForObject("show transaction_read_only", String.class));
	}

	/**
	 * Return what distinguishes the table that a connection sees from others. Schemas of
	 * one database have tables of their own.
	 */
	String table(Connection connection) throws SQLException {
		String url = connection.getMetaData().getURL();
		if (!this.platform.equals(POSTGRESQL)) {
			return url + " " + connection.getCatalog() + "." + connection.getSchema();
		}
		// Schemas with different search paths may see one table.
		try (Statement statement = connection.createStatement();
				ResultSet found = statement.executeQuery("select to_regclass('" + FenceTable.NAME + "')::oid")) {
			return url + " " + (found.next() ? found.getString(1) : "");
		}
	}

	/**
	 * Bound how long the statements of a connection wait for a row.
	 * @return what undoes it
	 */
	AutoCloseable limitWaits(Connection connection, Duration timeout) throws SQLException {
		if (this.platform.equals(POSTGRESQL)) {
			// The driver would cancel a statement on another connection, and wait for it.
			String before = lockTimeout(connection, timeout.toMillis() + "ms");
			return () -> lockTimeout(connection, before);
		}
		// Some drivers keep the timeout of a statement for the whole session.
		Statement session = connection.createStatement();
		int before = session.getQueryTimeout();
		return () -> {
			try (session) {
				session.setQueryTimeout(before);
			}
		};
	}

	private static String lockTimeout(Connection connection, String value) throws SQLException {
		try (PreparedStatement statement = connection
			.prepareStatement("select current_setting('lock_timeout'), set_config('lock_timeout', ?, false)")) {
			statement.setString(1, value);
			try (ResultSet before = statement.executeQuery()) {
				before.next();
				return before.getString(1);
			}
		}
	}

	/**
	 * Return the timeout of a statement in seconds, or -1 for none.
	 */
	int queryTimeout(Duration timeout) {
		return this.platform.equals(POSTGRESQL) ? -1 : Math.toIntExact(Math.max(1, timeout.toSeconds()));
	}

	/**
	 * Return whether a statement failed since another transaction has changed or locked
	 * its row. Spring does not know the codes of some databases.
	 */
	boolean isConflict(DataAccessException failure) {
		if (failure instanceof ConcurrencyFailureException) {
			return true;
		}
		if (!(failure.getRootCause() instanceof SQLException cause)) {
			return false;
		}
		return switch (this.platform) {
			case POSTGRESQL -> "55P03".equals(cause.getSQLState());
			case "mariadb", "mysql" -> cause.getErrorCode() == 1020 || cause.getErrorCode() == 1205;
			case "h2" -> cause.getErrorCode() == 50200 || cause.getErrorCode() == 90131;
			default -> false;
		};
	}

	/**
	 * Return where the script is that makes the table.
	 */
	String script() {
		String platform = this.platform.equals(UNKNOWN) ? POSTGRESQL : this.platform;
		return "io/github/zklock/fencing/schema-" + platform + ".sql";
	}

}
