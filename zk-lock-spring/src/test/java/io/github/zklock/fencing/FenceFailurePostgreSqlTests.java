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
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.transaction.FencedTransactions;
import io.github.zklock.transaction.LockCommitListener;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.core.io.ClassPathResource;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * A PostgreSQL that stands still, and a transaction that it has aborted.
 */
@Tag("server")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FenceFailurePostgreSqlTests {

	private static DatabaseProcess server;

	private SingleConnectionDataSource database;

	private JdbcTemplate jdbc;

	private DatabaseFences fences;

	private TransactionTemplate transactions;

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

	@BeforeEach
	void connect() throws SQLException {
		this.database = new SingleConnectionDataSource(
				DriverManager.getConnection(server.database().url(), server.database().user(), ""), true);
		this.jdbc = new JdbcTemplate(this.database);
		new ResourceDatabasePopulator(new ClassPathResource("io/github/zklock/fencing/schema-postgresql.sql"))
			.execute(this.database);
		this.jdbc.execute("delete from zk_lock_fence");
		this.jdbc.execute("drop table if exists written");
		this.jdbc.execute("create table written (id int primary key)");
		FencedTransactions.Listener noLoss = new FencedTransactions.Listener() {

			@Override
			public void commitRefused(LockHandle handle) {
				throw new AssertionError("counted as a loss");
			}

		};
		this.fences = new DatabaseFences((name) -> this.database,
				FenceSettings.of((handle) -> "/locks").withTimeout(Duration.ofSeconds(1)), () -> List.of(noLoss));
		this.fences.prepare("");
		JdbcTransactionManager manager = new JdbcTransactionManager(this.database);
		manager.addListener(new LockCommitListener(() -> List.of(this.fences)));
		this.transactions = new TransactionTemplate(manager);
	}

	@AfterEach
	void close() {
		server.goOn();
		this.database.destroy();
	}

	@Test
	void databaseThatStandsStillEndsTheRaise() {
		server.standStill();
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> FenceFailureTests.under(FenceFailureTests.lock(LockMode.EXCLUSIVE), this.fences::raise))
			.withMessageContaining("The database does not answer");
	}

	@Test
	void databaseThatStandsStillEndsTheCheck() {
		FenceFailureTests.under(FenceFailureTests.lock(LockMode.EXCLUSIVE), (handle) -> {
			this.fences.raise(handle);
			assertThat(catchThrowable(() -> this.transactions.executeWithoutResult((status) -> {
				this.jdbc.update("insert into written values (1)");
				server.standStill();
			}))).isInstanceOfAny(DataAccessException.class, TransactionException.class);
		});
	}

	@Test
	void rowOfAnEarlierHolderEndsTheRaise() throws SQLException {
		FenceFailureTests.under(FenceFailureTests.lock(LockMode.EXCLUSIVE), this.fences::raise);
		try (Connection earlier = DriverManager.getConnection(server.database().url(), server.database().user(), "")) {
			earlier.setAutoCommit(false);
			earlier.createStatement().executeQuery("select token from zk_lock_fence for share");
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(
					() -> FenceFailureTests.under(FenceFailureTests.lock(LockMode.EXCLUSIVE, 6), this.fences::raise))
				.withMessageContaining("An earlier holder that is about to commit");
		}
		assertThat(this.jdbc.queryForObject("show lock_timeout", String.class)).isEqualTo("0");
		FenceFailureTests.under(FenceFailureTests.lock(LockMode.EXCLUSIVE, 6), this.fences::raise);
	}

	@Test
	void transactionThatAStatementHasAbortedIsNoLoss() {
		FenceFailureTests.under(FenceFailureTests.lock(LockMode.EXCLUSIVE), (handle) -> {
			this.fences.raise(handle);
			assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(() -> this.transactions.executeWithoutResult((status) -> {
					this.jdbc.update("insert into written values (1)");
					assertThatExceptionOfType(DuplicateKeyException.class)
						.isThrownBy(() -> this.jdbc.update("insert into written values (1)"));
				}))
				.withMessageContaining("current transaction is aborted");
		});
	}

	@Test
	void transactionInAnotherSchemaThanTheRaiseDoesNotCommit() {
		this.jdbc.execute("drop schema if exists other cascade");
		this.jdbc.execute("create schema other");
		this.jdbc.execute("create table other.zk_lock_fence (like zk_lock_fence)");
		this.jdbc.update("insert into other.zk_lock_fence values ('/locks/account', 3)");
		FenceFailureTests.under(FenceFailureTests.lock(LockMode.READ), (handle) -> {
			this.fences.raise(handle);
			assertThatExceptionOfType(IllegalStateException.class)
				.isThrownBy(() -> this.transactions
					.executeWithoutResult((status) -> this.jdbc.execute("set local search_path to other")))
				.withMessageContaining("other than the one of the transaction");
		});
	}

	// As with one schema for each tenant, and the fences of all in another.
	@Test
	void schemasThatSeeOneTableHaveItsFences() {
		this.jdbc.execute("create schema if not exists tenant");
		FenceFailureTests.under(FenceFailureTests.lock(LockMode.READ), (handle) -> {
			this.fences.raise(handle);
			this.transactions.executeWithoutResult((status) -> {
				this.jdbc.execute("set local search_path to tenant, public");
				this.jdbc.update("insert into written values (1)");
			});
		});
		assertThat(this.jdbc.queryForObject("select count(*) from written", Long.class)).isOne();
	}

}
