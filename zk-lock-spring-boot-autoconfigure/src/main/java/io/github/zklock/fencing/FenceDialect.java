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

import java.util.Locale;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What differs between databases: how the check of a commit locks a row, and how the
 * table is made. The check takes the weakest lock that an update of the row has to wait
 * for. A plain read would let late commits pass.
 */
record FenceDialect(String platform, String check) {

	private static final String UNKNOWN = "check-sql";

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
			case "postgresql" -> new FenceDialect("postgresql", SELECT + " for share");
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
		return this.platform.equals("postgresql")
				&& "on".equals(jdbc.queryForObject("show transaction_read_only", String.class));
	}

	/**
	 * Return where the script is that makes the table.
	 */
	String script() {
		String platform = this.platform.equals(UNKNOWN) ? "postgresql" : this.platform;
		return "io/github/zklock/fencing/schema-" + platform + ".sql";
	}

}
