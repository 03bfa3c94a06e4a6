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

package io.github.zklock.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Transactions of {@code @Fenced} methods.
 *
 * @since 0.1.0
 */
public class ZkLockFencingProperties {

	/**
	 * Name of the DataSource bean whose transactions are fenced unless @Fenced names
	 * another. By default the only or primary one.
	 */
	private @Nullable String dataSource;

	/**
	 * Time that the database may take to raise the fence of a lock. It waits for the
	 * commit of an earlier holder that is past its check. At least a second.
	 */
	private Duration timeout = Duration.ofSeconds(5);

	/**
	 * When to create the table zk_lock_fence: in an embedded database, always or never.
	 * Only in an application that has a @Fenced method, or uses FencedTransactions.
	 */
	private InitializeSchema initializeSchema = InitializeSchema.EMBEDDED;

	/**
	 * Statement that checks a fence before a commit and locks its row until the end of
	 * the transaction, for a database that is not known. Its parameters are the key, the
	 * lowest and the highest token.
	 */
	private @Nullable String checkSql;

	public @Nullable String getDataSource() {
		return this.dataSource;
	}

	public void setDataSource(@Nullable String dataSource) {
		this.dataSource = dataSource;
	}

	public Duration getTimeout() {
		return this.timeout;
	}

	public void setTimeout(Duration timeout) {
		this.timeout = timeout;
	}

	public InitializeSchema getInitializeSchema() {
		return this.initializeSchema;
	}

	public void setInitializeSchema(InitializeSchema initializeSchema) {
		this.initializeSchema = initializeSchema;
	}

	public @Nullable String getCheckSql() {
		return this.checkSql;
	}

	public void setCheckSql(@Nullable String checkSql) {
		this.checkSql = checkSql;
	}

	/**
	 * When to create the table.
	 */
	public enum InitializeSchema {

		/** In an embedded database. */
		EMBEDDED,

		/** In any database. */
		ALWAYS,

		/** Not at all. */
		NEVER

	}

}
