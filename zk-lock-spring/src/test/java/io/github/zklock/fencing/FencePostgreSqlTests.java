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

import java.util.List;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.internal.LockScope;
import io.github.zklock.support.PlainLockHandle;
import io.github.zklock.transaction.LockCommitListener;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Fences in PostgreSQL.
 */
@Tag("server")
class FencePostgreSqlTests extends AbstractFenceTests {

	private static DatabaseProcess server;

	@BeforeAll
	static void start() {
		server = DatabaseProcess.postgreSql();
	}

	@AfterAll
	static void stop() {
		if (server != null) {
			server.close();
		}
	}

	// A row cannot be locked in it.
	@Test
	void transactionThatCannotWriteIsNotChecked() {
		try (Bank bank = new Bank(database(), "READ_COMMITTED", true)) {
			JdbcTransactionManager manager = new JdbcTransactionManager(bank.dataSource);
			manager.addListener(new LockCommitListener(() -> List.of(bank.fences)));
			TransactionTemplate reading = new TransactionTemplate(manager);
			reading.setReadOnly(true);
			LockHandle lock = new PlainLockHandle("account", LockMode.EXCLUSIVE, 1);
			long balance = LockScope.<Long, RuntimeException>call(lock, (handle) -> {
				bank.fences.raise(handle);
				return reading.execute((status) -> bank.balance());
			});
			assertThat(balance).isZero();
		}
	}

	@Override
	TestDatabase database() {
		return server.database();
	}

	@Override
	List<String> isolations() {
		return List.of("READ_COMMITTED", "REPEATABLE_READ", "SERIALIZABLE");
	}

}
