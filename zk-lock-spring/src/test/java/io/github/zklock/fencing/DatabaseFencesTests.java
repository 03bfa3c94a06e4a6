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

import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.internal.LockScope;
import io.github.zklock.core.internal.NoOpLockProvider;
import io.github.zklock.support.PlainLockHandle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.datasource.init.UncategorizedScriptException;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What the table of fences holds, and when a lock is refused.
 */
class DatabaseFencesTests {

	private final HikariDataSource dataSource = new HikariDataSource();

	private final JdbcTemplate jdbc = new JdbcTemplate(this.dataSource);

	private final FenceSettings settings = FenceSettings.of((handle) -> "/locks").withTimeout(Duration.ofSeconds(60));

	DatabaseFencesTests() {
		this.dataSource.setJdbcUrl("jdbc:h2:mem:fences;LOCK_TIMEOUT=60000");
		this.dataSource.setMaximumPoolSize(2);
		new ResourceDatabasePopulator(new ClassPathResource("io/github/zklock/fencing/schema-h2.sql"))
			.execute(this.dataSource);
	}

	@AfterEach
	void close() {
		this.jdbc.execute("drop all objects");
		this.dataSource.close();
	}

	@Test
	void firstHolderMakesBothRows() {
		raise(fences(), lock("a", 7));
		assertThat(rows()).containsExactly("/locks/a=7", "/locks/a#r=0");
	}

	@Test
	void readerMakesBothRows() {
		raise(fences(), reader("a", 7));
		assertThat(rows()).containsExactly("/locks/a=0", "/locks/a#r=7");
	}

	@Test
	void laterHolderRaisesTheRow() {
		raise(fences(), lock("a", 7));
		raise(fences(), lock("a", 9));
		raise(fences(), reader("a", 11));
		assertThat(rows()).containsExactly("/locks/a=9", "/locks/a#r=11");
	}

	@Test
	void sameHolderMayRaiseAgain() {
		DatabaseFences fences = fences();
		raise(fences, lock("a", 7));
		raise(fences, lock("a", 7));
		assertThat(rows()).containsExactly("/locks/a=7", "/locks/a#r=0");
	}

	@Test
	void earlierReaderMayRaiseBesideALaterOne() {
		raise(fences(), reader("a", 7));
		raise(fences(), reader("a", 6));
		assertThat(rows()).containsExactly("/locks/a=0", "/locks/a#r=7");
	}

	@ParameterizedTest
	@EnumSource
	void earlierHolderIsRefused(LockMode mode) {
		raise(fences(), new PlainLockHandle("a", (mode == LockMode.READ) ? LockMode.WRITE : LockMode.READ, 7));
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> raise(fences(), new PlainLockHandle("a", mode, 6)))
			.withMessageContaining("Lock 'a' (" + mode + ") counts as lost: its fencing token is 6")
			.withMessageContaining("has the later token 7");
	}

	// As with an ensemble that was set up anew.
	@Test
	void messageOfATokenThatHasRestartedSaysHowToResetTheRow() {
		raise(fences(), lock("it's", 700));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> raise(fences(), lock("it's", 6)))
			.satisfies((ex) -> {
				String statement = ex.getMessage().substring(ex.getMessage().indexOf("update "));
				assertThat(this.jdbc.update(statement)).isOne();
			});
		raise(fences(), lock("it's", 6));
		assertThat(rows()).contains("/locks/it's=6");
	}

	@Test
	void keysThatLookLikeRowsOfReadersHaveRowsOfTheirOwn() {
		raise(fences(), reader("a", 7));
		raise(fences(), lock("a#r", 5));
		assertThat(rows()).contains("/locks/a#r=7", "/locks/a##r=5");
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 245, 246, 247, 248, 900 })
	void longKeysHaveRowsOfTheirOwn(int length) {
		raise(fences(), lock("k".repeat(length), 7));
		raise(fences(), lock("k".repeat(length) + "x", 5));
		assertThat(this.jdbc.queryForList("select token from zk_lock_fence order by token", Long.class))
			.containsExactly(0L, 0L, 5L, 7L);
	}

	// Two keys that differ in a blank at the end are one row for some databases.
	@Test
	void keyThatEndsInABlankIsHashed() {
		raise(fences(), lock("a ", 7));
		assertThat(rows()).first().asString().matches("sha256:[0-9a-f]{64}=7");
	}

	@Test
	void poolWithoutAutoCommitKeepsTheToken() {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl("jdbc:h2:mem:fences");
			pool.setAutoCommit(false);
			raise(new DatabaseFences((name) -> pool, this.settings, List::of), lock("a", 7));
		}
		assertThat(rows()).contains("/locks/a=7");
	}

	@Test
	void lockThatIsTurnedOffIsNotRaised() {
		raise(fences(), new NoOpLockProvider().acquire(LockRequest.of("a")));
		assertThat(rows()).isEmpty();
	}

	@Test
	void fenceIsNotRaisedInsideATransaction() {
		TransactionTemplate transactions = new TransactionTemplate(new DataSourceTransactionManager(this.dataSource));
		assertThatExceptionOfType(IllegalTransactionStateException.class)
			.isThrownBy(() -> transactions.executeWithoutResult((status) -> raise(fences(), lock("a", 7))))
			.withMessageContaining("outside the transaction");
		assertThat(rows()).isEmpty();
	}

	// Such a manager binds its connection only.
	@Test
	void fenceIsNotRaisedInsideATransactionWithoutSynchronization() {
		DataSourceTransactionManager manager = new DataSourceTransactionManager(this.dataSource);
		manager.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
		assertThatExceptionOfType(IllegalTransactionStateException.class).isThrownBy(
				() -> new TransactionTemplate(manager).executeWithoutResult((status) -> raise(fences(), lock("a", 7))));
		assertThat(rows()).isEmpty();
	}

	@Test
	void nestedLockIsRaisedInsideATransactionIfTheOuterOneWasBefore() {
		TransactionTemplate transactions = new TransactionTemplate(new DataSourceTransactionManager(this.dataSource));
		DatabaseFences fences = fences();
		LockHandle ended = lock("a", 7);
		raise(fences, ended);
		assertThatExceptionOfType(IllegalTransactionStateException.class)
			.isThrownBy(() -> transactions.executeWithoutResult((status) -> raise(fences, lock("a", 7))));
		LockHandle outer = lock("a", 7);
		LockScope.<@Nullable Object, RuntimeException>call(outer, (handle) -> {
			fences.raise(handle);
			nestIn(transactions, fences);
			return null;
		});
		assertThat(ended.isHeld()).isTrue();
	}

	private static void nestIn(TransactionTemplate transactions, DatabaseFences fences) {
		assertThatCode(() -> transactions.executeWithoutResult((status) -> raise(fences, lock("a", 7))))
			.doesNotThrowAnyException();
		assertThatExceptionOfType(IllegalTransactionStateException.class)
			.isThrownBy(() -> transactions.executeWithoutResult((status) -> raise(fences, lock("b", 8))));
	}

	@Test
	void raiseThatTakesTooLongIsUnavailable() throws Exception {
		raise(fences(), lock("a", 7));
		this.jdbc.execute("set default_lock_timeout 1000");
		TransactionTemplate transactions = new TransactionTemplate(new DataSourceTransactionManager(this.dataSource));
		CountDownLatch locked = new CountDownLatch(1);
		CountDownLatch refused = new CountDownLatch(1);
		Thread earlier = new Thread(() -> transactions.executeWithoutResult((status) -> {
			this.jdbc.queryForList("select token from zk_lock_fence for update", Long.class);
			locked.countDown();
			await(refused);
		}), "earlier holder");
		earlier.start();
		await(locked);
		try (HikariDataSource impatient = new HikariDataSource()) {
			impatient.setJdbcUrl("jdbc:h2:mem:fences;LOCK_TIMEOUT=100");
			DatabaseFences fences = new DatabaseFences((name) -> impatient,
					FenceSettings.of((handle) -> "/locks").withTimeout(Duration.ofSeconds(1)), List::of);
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> raise(fences, lock("a", 9)))
				.withMessageContaining("its fence in the data source 'default' was not raised within 1000 ms");
		}
		finally {
			refused.countDown();
			earlier.join();
		}
	}

	@Test
	void databaseThatDoesNotAnswerIsUnavailable() {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl("jdbc:h2:mem:fences");
		DatabaseFences fences = new DatabaseFences((name) -> pool, this.settings, List::of);
		raise(fences, lock("a", 7));
		pool.close();
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> raise(fences, lock("a", 9)));
	}

	@Test
	void databaseThatHasNeverAnsweredIsUnavailable() {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl("jdbc:h2:mem:fences");
		pool.close();
		DatabaseFences fences = new DatabaseFences((name) -> pool, this.settings, List::of);
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> raise(fences, lock("a", 9)));
	}

	// H2 keeps it for the session.
	@Test
	void timeoutOfARaiseIsNotThatOfLaterStatements() {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl("jdbc:h2:mem:fences");
			pool.setMaximumPoolSize(1);
			raise(new DatabaseFences((name) -> pool, this.settings, List::of), lock("a", 7));
			assertThat(new JdbcTemplate(pool).execute(Statement::getQueryTimeout)).isZero();
		}
	}

	@Test
	void tableThatCannotBeCreatedIsReported() {
		this.jdbc.execute("drop table zk_lock_fence");
		FenceSettings failing = this.settings.withInitializer((dataSource, script) -> {
			throw new UncategorizedScriptException("no permission");
		});
		DatabaseFences fences = new DatabaseFences((name) -> this.dataSource, failing, List::of);
		assertThatExceptionOfType(InvalidLockUsageException.class).isThrownBy(() -> fences.prepare(""))
			.withMessageContaining("it cannot be created");
	}

	@Test
	void tableThatExistsIsNotCreated() {
		FenceSettings failing = this.settings.withInitializer((dataSource, script) -> {
			throw new UncategorizedScriptException("no permission");
		});
		raise(new DatabaseFences((name) -> this.dataSource, failing, List::of), lock("a", 7));
		assertThat(rows()).contains("/locks/a=7");
	}

	@Test
	void missingTableIsReportedWithItsStatement() {
		this.jdbc.execute("drop table zk_lock_fence");
		assertThatExceptionOfType(InvalidLockUsageException.class).isThrownBy(() -> fences().prepare(""))
			.withMessageContaining("There is no table zk_lock_fence in the database of the data source 'default'")
			.withMessageContaining("zk-lock.fencing.initialize-schema=always")
			.satisfies((ex) -> this.jdbc.execute(ex.getAction().substring(ex.getAction().indexOf("create table"))));
		raise(fences(), lock("a", 7));
	}

	@Test
	void tableIsMadeBeforeItIsUsed() {
		this.jdbc.execute("drop table zk_lock_fence");
		raise(new DatabaseFences((name) -> this.dataSource,
				this.settings.withInitializer((dataSource,
						script) -> new ResourceDatabasePopulator(new ClassPathResource(script)).execute(dataSource)),
				List::of), lock("a", 7));
		assertThat(rows()).contains("/locks/a=7");
	}

	@Test
	void dataSourceThatKnowsTheTransactionIsTheOneBehindIt() {
		TransactionTemplate transactions = new TransactionTemplate(new DataSourceTransactionManager(this.dataSource));
		FenceTable table = new FenceTable("default", new TransactionAwareDataSourceProxy(this.dataSource),
				this.settings);
		assertThat(table.isInTransaction()).isFalse();
		transactions.executeWithoutResult((status) -> assertThat(table.isInTransaction()).isTrue());
	}

	@Test
	void statementOfACheckNeedsItsParameters() {
		assertThat(this.settings.withCheckSql(" ").checkSql()).isNull();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.settings.withCheckSql("select token from zk_lock_fence where lock_key = ?"))
			.withMessageContaining("three parameters");
	}

	@Test
	void databaseIsKnownOrHasAStatement() {
		assertThat(FenceDialect.of("Oracle", null)).isNull();
		assertThat(FenceDialect.of("Oracle", "select 1").check()).isEqualTo("select 1");
		assertThat(FenceDialect.of("H2", "select 1").check()).endsWith(" for update");
		assertThat(FenceDialect.of("PostgreSQL", null).check()).endsWith(" for share");
		assertThat(FenceDialect.of("MySQL", null).check()).endsWith(" lock in share mode");
	}

	private static void raise(DatabaseFences fences, LockHandle lock) {
		LockScope.<@Nullable Object, RuntimeException>call(lock, (handle) -> {
			fences.raise(handle);
			return null;
		});
	}

	private DatabaseFences fences() {
		return new DatabaseFences((name) -> this.dataSource, this.settings, List::of);
	}

	private List<String> rows() {
		return this.jdbc.query("select lock_key, token from zk_lock_fence order by length(lock_key), lock_key",
				(row, number) -> row.getString(1) + "=" + row.getLong(2));
	}

	private static PlainLockHandle lock(String key, long token) {
		return new PlainLockHandle(key, LockMode.EXCLUSIVE, token);
	}

	private static PlainLockHandle reader(String key, long token) {
		return new PlainLockHandle(key, LockMode.READ, token);
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
