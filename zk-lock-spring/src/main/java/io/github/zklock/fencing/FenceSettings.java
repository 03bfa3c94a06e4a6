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

import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Function;

import javax.sql.DataSource;

import io.github.zklock.core.LockHandle;
import org.jspecify.annotations.Nullable;

/**
 * What holds for the fences of an application.
 *
 * @since 0.1.0
 */
public final class FenceSettings {

	private final Function<LockHandle, String> lockSpace;

	private final Duration timeout;

	private final @Nullable String checkSql;

	private final BiConsumer<DataSource, String> initializer;

	private final Function<LockHandle, String> keys;

	private FenceSettings(Function<LockHandle, String> lockSpace, Duration timeout, @Nullable String checkSql,
			BiConsumer<DataSource, String> initializer, Function<LockHandle, String> keys) {
		this.keys = keys;
		this.lockSpace = lockSpace;
		this.timeout = timeout;
		this.checkSql = checkSql;
		this.initializer = initializer;
	}

	/**
	 * Create the settings.
	 * @param lockSpace returns a name of the place in which a lock is held. Locks of one
	 * key have comparable tokens only in one place
	 * @return the settings, with a timeout of 5 seconds and a table that exists
	 */
	public static FenceSettings of(Function<LockHandle, String> lockSpace) {
		return new FenceSettings(lockSpace, Duration.ofSeconds(5), null, (dataSource, script) -> {
		}, LockHandle::key);
	}

	/**
	 * Set how long a fence may take to be raised. It has to wait while an earlier holder
	 * is between its check and the end of its commit.
	 * @param timeout the timeout, at least a second
	 * @return the settings
	 */
	public FenceSettings withTimeout(Duration timeout) {
		return new FenceSettings(this.lockSpace, timeout, this.checkSql, this.initializer, this.keys);
	}

	/**
	 * Set the statement that checks a row and locks it, so that an update of the row
	 * waits for the end of the transaction. It is used for databases that are not known.
	 * @param checkSql the statement; its parameters are the key, the lowest and the
	 * highest token
	 * @return the settings
	 * @throws IllegalArgumentException if the statement has other parameters
	 */
	public FenceSettings withCheckSql(@Nullable String checkSql) {
		if (checkSql == null || checkSql.isBlank()) {
			return new FenceSettings(this.lockSpace, this.timeout, null, this.initializer, this.keys);
		}
		if (checkSql.chars().filter((c) -> c == '?').count() != 3) {
			throw new IllegalArgumentException("The statement that checks a fence needs three parameters, which are "
					+ "the key, the lowest and the highest token, like: select token from " + FenceTable.NAME
					+ " where lock_key = ? and token between ? and ? for update. It is: " + checkSql);
		}
		return new FenceSettings(this.lockSpace, this.timeout, checkSql, this.initializer, this.keys);
	}

	/**
	 * Set what makes the table. It runs before a database is used for the first time.
	 * @param initializer accepts the database, and a script on the class path
	 * @return the settings
	 */
	public FenceSettings withInitializer(BiConsumer<DataSource, String> initializer) {
		return new FenceSettings(this.lockSpace, this.timeout, this.checkSql, initializer, this.keys);
	}

	/**
	 * Set what stands for the key of a lock in the table. By default it is the key.
	 * @param keys returns the name of a key, such as its digest
	 * @return the settings
	 */
	public FenceSettings withKeys(Function<LockHandle, String> keys) {
		return new FenceSettings(this.lockSpace, this.timeout, this.checkSql, this.initializer, keys);
	}

	Duration timeout() {
		return this.timeout;
	}

	@Nullable String checkSql() {
		return this.checkSql;
	}

	FenceRows rows(LockHandle handle) {
		return FenceRows.of(this.lockSpace.apply(handle), this.keys.apply(handle));
	}

	void initialize(DataSource dataSource, String script) {
		this.initializer.accept(dataSource, script);
	}

}
