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

/**
 * A database of a test.
 */
record TestDatabase(String platform, String url, String user) {

	/**
	 * Return a new database in memory.
	 */
	static TestDatabase h2(String name) {
		return new TestDatabase("h2", "jdbc:h2:mem:" + name + ";LOCK_TIMEOUT=60000", "sa");
	}

	TestDatabase atPort(int port) {
		return new TestDatabase(this.platform, String.format(Locale.ROOT, this.url, port), this.user);
	}

	/**
	 * Return the statement that sets the isolation of a session.
	 */
	String isolation(String isolation) {
		String level = isolation.replace('_', ' ').toLowerCase(Locale.ROOT);
		if (this.platform.equals("mariadb")) {
			return level.endsWith(" conflicts")
					? "set session tx_isolation = 'REPEATABLE-READ', session innodb_snapshot_isolation = on"
					: "set session transaction isolation level " + level;
		}
		return "set session characteristics as transaction isolation level " + level;
	}

}
