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
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;

import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.support.LockClient;
import io.github.zklock.transaction.LockCommitListener;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A process that adds an entry under a lock. When the state of its lock was checked, it
 * waits for the entry of the next holder before it commits. Prints {@code READY} then,
 * and {@code COMMITTED} or {@code REFUSED} in the end.
 */
public final class FencedHolderProcess {

	private FencedHolderProcess() {
	}

	/**
	 * Add the entry.
	 * @param arguments connect string, session timeout, tick of the server, database,
	 * whether its transactions are fenced
	 */
	public static void main(String[] arguments) {
		Duration timeout = Duration.ofMillis(Long.parseLong(arguments[1]));
		Duration tick = Duration.ofMillis(Long.parseLong(arguments[2]));
		LockClient<ZooKeeperLockProvider> client = LockClient.connect(arguments[0], timeout,
				(curator) -> ZooKeeperLockProvider.builder(curator).serverTick(tick).build());
		DriverManagerDataSource dataSource = new DriverManagerDataSource(arguments[3], "sa", "");
		DatabaseFences fences = new DatabaseFences((name) -> dataSource, FenceSettings.of((handle) -> "/locks"),
				List::of);
		JdbcTemplate others = new JdbcTemplate(new DriverManagerDataSource(arguments[3], "sa", ""));
		LockCommitListener.Check pause = (transaction, locks) -> awaitNextHolder(others);
		JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
		manager.addListener(new LockCommitListener(() -> List.of(pause, fences)));
		TransactionTemplate transactions = new TransactionTemplate(manager);
		JdbcTemplate jdbc = new JdbcTemplate(dataSource);
		try {
			new LockTemplate(client.locks()).<@Nullable Object, RuntimeException>execute(
					LockRequest.of("account").withWait(LockRequest.FOREVER), (handle) -> {
						if (Boolean.parseBoolean(arguments[4])) {
							fences.raise(handle);
						}
						transactions.executeWithoutResult((status) -> FencedProcessTests.add(jdbc, "earlier"));
						System.out.println("COMMITTED");
						return null;
					});
		}
		catch (LockLostException ex) {
			System.out.println("REFUSED " + ex.getMessage());
		}
	}

	// All queries of a transaction share a connection. It is made before the process is
	// stopped, since H2 connects within two seconds or not at all.
	private static void awaitNextHolder(JdbcTemplate jdbc) {
		long entries = entries(jdbc);
		System.out.println("READY");
		while (entries == 0) {
			LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
			entries = entries(jdbc);
		}
	}

	private static long entries(JdbcTemplate jdbc) {
		return Objects.requireNonNull(jdbc.queryForObject("select count(*) from entry", Long.class));
	}

}
