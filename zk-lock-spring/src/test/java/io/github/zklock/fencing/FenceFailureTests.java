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
import java.util.UUID;
import java.util.function.Consumer;

import com.zaxxer.hikari.HikariDataSource;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.internal.LockScope;
import io.github.zklock.support.PlainLockHandle;
import io.github.zklock.transaction.FencedTransactions;
import io.github.zklock.transaction.LockCommitListener;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A fence that fails while no later holder exists says so, and counts no loss.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FenceFailureTests {

	private final HikariDataSource pool = new HikariDataSource();

	private final JdbcTemplate jdbc = new JdbcTemplate(this.pool);

	private final FencedTransactions.Listener noLoss = new FencedTransactions.Listener() {

		@Override
		public void commitRefused(LockHandle handle) {
			throw new AssertionError("counted as a loss");
		}

	};

	private final DatabaseFences fences = new DatabaseFences((name) -> this.pool,
			FenceSettings.of((handle) -> "/locks").withTimeout(Duration.ofSeconds(1)), () -> List.of(this.noLoss));

	FenceFailureTests() {
		this.pool.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID());
		this.pool.setMaximumPoolSize(1);
		// Without an end.
		this.pool.setConnectionTimeout(0);
		new ResourceDatabasePopulator(new ClassPathResource("io/github/zklock/fencing/schema-h2.sql"))
			.execute(this.pool);
		this.jdbc.execute("create table written (id int)");
	}

	@AfterEach
	void close() {
		this.pool.close();
	}

	@Test
	void poolInUseEndsTheRaise() throws SQLException {
		this.fences.prepare("");
		try (Connection inUse = this.pool.getConnection()) {
			assertThat(inUse.isClosed()).isFalse();
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> under(lock(LockMode.EXCLUSIVE), this.fences::raise))
				.withMessageContaining("its pool is in use");
		}
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		under(lock(LockMode.EXCLUSIVE), this.fences::raise);
	}

	@Test
	void poolInUseEndsTheFirstRaise() throws SQLException {
		try (Connection inUse = this.pool.getConnection()) {
			assertThat(inUse.isClosed()).isFalse();
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> under(lock(LockMode.EXCLUSIVE), this.fences::raise));
		}
	}

	@ParameterizedTest
	@EnumSource
	void transactionInAnotherSchemaThanTheRaiseDoesNotCommit(LockMode mode) {
		this.jdbc.execute("create schema other");
		this.jdbc.execute("create table other.zk_lock_fence as select * from zk_lock_fence");
		this.jdbc.execute("create table other.written (id int)");
		this.jdbc.update("insert into other.zk_lock_fence values ('/locks/account', 3), ('/locks/account#r', 3)");
		under(lock(mode), (handle) -> {
			this.fences.raise(handle);
			assertRefused("other than the one of the transaction", () -> {
				this.jdbc.execute("set schema other");
				this.jdbc.update("insert into written values (1)");
			});
		});
		assertThat(this.jdbc.queryForObject("select count(*) from other.written", Long.class)).isZero();
	}

	@Test
	void rootBelowAnotherHasRowsOfItsOwn() {
		assertThat(FenceRows.of("/locks", "x/k")).isNotEqualTo(FenceRows.of("/locks/x", "k"));
		assertThat(FenceRows.of("/locks", "x%2Fk")).isNotEqualTo(FenceRows.of("/locks", "x/k"));
	}

	@Test
	void rowThatWasDeletedIsNoLaterHolder() {
		under(lock(LockMode.WRITE), (handle) -> {
			this.fences.raise(handle);
			assertRefused("is missing", () -> this.jdbc.update("delete from zk_lock_fence"));
		});
	}

	@Test
	void rowThatWasResetIsNoLaterHolder() {
		under(lock(LockMode.WRITE), (handle) -> {
			this.fences.raise(handle);
			assertRefused("has the lower token 0", () -> this.jdbc.update("update zk_lock_fence set token = 0"));
		});
	}

	// A client of the database that may write the rows can stop the holders, and no more.
	@Test
	void rowThatAStrangerHasRaisedRefusesItsHoldersUntilItIsDeleted() {
		under(lock(LockMode.WRITE), this.fences::raise);
		this.jdbc.update("update zk_lock_fence set token = ?", Long.MAX_VALUE);
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> under(lock(LockMode.WRITE), this.fences::raise))
			.withMessageContaining(Long.toString(Long.MAX_VALUE));
		this.jdbc.update("delete from zk_lock_fence");
		under(lock(LockMode.WRITE), this.fences::raise);
	}

	private void assertRefused(String reason, Runnable body) {
		assertRefused(reason, this.fences, body);
	}

	// As when the timeout of the transaction has passed. Spring would not roll back.
	@Test
	void checkThatFailsAsATransactionRollsBack() {
		under(lock(LockMode.WRITE), (handle) -> assertRefused("timed out", (transaction, locks) -> {
			throw new TransactionTimedOutException("timed out");
		}, () -> this.jdbc.update("insert into written values (1)")));
		assertThat(this.jdbc.queryForObject("select count(*) from written", Long.class)).isZero();
	}

	private void assertRefused(String reason, LockCommitListener.Check check, Runnable body) {
		JdbcTransactionManager manager = new JdbcTransactionManager(this.pool);
		manager.addListener(new LockCommitListener(() -> List.of(check)));
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> new TransactionTemplate(manager).executeWithoutResult((status) -> body.run()))
			.withMessageContaining(reason);
	}

	static PlainLockHandle lock(LockMode mode) {
		return lock(mode, 5);
	}

	static PlainLockHandle lock(LockMode mode, long token) {
		return new PlainLockHandle("account", mode, token);
	}

	static void under(LockHandle lock, Consumer<LockHandle> body) {
		LockScope.<@Nullable Object, RuntimeException>call(lock, (handle) -> {
			body.accept(handle);
			return null;
		});
	}

}
