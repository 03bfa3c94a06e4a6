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
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.internal.LockScope;
import io.github.zklock.transaction.FencedTransactions;
import io.github.zklock.transaction.LockCommitListener;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A database whose transactions are fenced or not, and a body that can be held up at each
 * of its points.
 */
final class Bank implements AutoCloseable {

	final HikariDataSource dataSource = new HikariDataSource();

	final JdbcTemplate jdbc;

	final DatabaseFences fences;

	private final TransactionTemplate transactions;

	private final boolean fenced;

	// The latest holder whose body has begun.
	private final AtomicLong begun = new AtomicLong();

	private final ThreadLocal<@Nullable Call> call = new ThreadLocal<>();

	Bank(TestDatabase database, String isolation, boolean fenced, FencedTransactions.Listener... listeners) {
		this(database, isolation, fenced, (pool) -> pool, listeners);
	}

	Bank(TestDatabase database, String isolation, boolean fenced, UnaryOperator<DataSource> around,
			FencedTransactions.Listener... listeners) {
		this.fenced = fenced;
		DataSource used = around.apply(this.dataSource);
		this.jdbc = new JdbcTemplate(used);
		this.dataSource.setJdbcUrl(database.url());
		this.dataSource.setUsername(database.user());
		this.dataSource.setPassword("");
		this.dataSource.setConnectionInitSql(database.isolation(isolation));
		this.dataSource.setMaximumPoolSize(10);
		this.dataSource.setMinimumIdle(0);
		new ResourceDatabasePopulator(
				new ClassPathResource("io/github/zklock/fencing/schema-" + database.platform() + ".sql"))
			.execute(this.dataSource);
		for (String table : List.of("zk_lock_fence", "account", "entry", "seen")) {
			this.jdbc.execute((table.equals("zk_lock_fence") ? "delete from " : "drop table if exists ") + table);
		}
		this.jdbc.execute("create table account (id int not null primary key, balance bigint not null)");
		this.jdbc.execute("create table entry (place bigint not null, token bigint not null primary key)");
		this.jdbc.execute("create table seen (place int not null, token bigint not null primary key, "
				+ "balance bigint not null, wrote int not null)");
		open(1);
		this.fences = new DatabaseFences((name) -> used,
				FenceSettings.of((handle) -> "/locks").withTimeout(Duration.ofSeconds(60)), () -> List.of(listeners));
		JdbcTransactionManager manager = new JdbcTransactionManager(used);
		manager.setTransactionExecutionListeners(List.of(at(Point.BEFORE_CHECK),
				new LockCommitListener(() -> List.of(this.fences)), at(Point.BEFORE_COMMIT)));
		this.transactions = new TransactionTemplate(manager);
	}

	private TransactionExecutionListener at(Point point) {
		return new TransactionExecutionListener() {

			@Override
			public void beforeCommit(TransactionExecution transaction) {
				Call current = Bank.this.call.get();
				if (current != null) {
					current.pause().at(point);
					current.late(Bank.this.begun.get());
				}
			}

		};
	}

	/**
	 * Run a body under a lock.
	 * @return whether its transaction was committed after the body of a later holder had
	 * begun
	 */
	boolean run(LockHandle lock, Body body, Pause pause) {
		Call current = new Call(lock.fencingToken(), pause, new AtomicLong());
		this.call.set(current);
		try {
			LockScope.<@Nullable Object, RuntimeException>call(lock, (handle) -> {
				pause.at(Point.BEFORE_RAISE);
				if (this.fenced) {
					this.fences.raise(handle);
				}
				this.begun.accumulateAndGet(handle.fencingToken(), Math::max);
				pause.at(Point.AFTER_RAISE);
				this.transactions.executeWithoutResult((status) -> body.run(this.jdbc, handle.fencingToken(), pause));
				return null;
			});
		}
		finally {
			this.call.remove();
		}
		return current.latest().get() > lock.fencingToken();
	}

	/**
	 * Open an account, unless it is open.
	 */
	void open(int id) {
		this.jdbc.update("delete from account where id = ?", id);
		this.jdbc.update("insert into account (id, balance) values (?, 0)", id);
	}

	/**
	 * Say what is seen under several locks, whose keys are accounts, and write under
	 * locks to write.
	 */
	void run(List<LockHandle> locks, Pause pause) {
		this.call.set(new Call(0, pause, new AtomicLong()));
		try {
			under(locks, 0, pause);
		}
		finally {
			this.call.remove();
		}
	}

	private void under(List<LockHandle> locks, int next, Pause pause) {
		if (next < locks.size()) {
			LockScope.<@Nullable Object, RuntimeException>call(locks.get(next), (handle) -> {
				under(locks, next + 1, pause);
				return null;
			});
			return;
		}
		pause.at(Point.BEFORE_RAISE);
		if (this.fenced) {
			locks.forEach(this.fences::raise);
		}
		pause.at(Point.AFTER_RAISE);
		this.transactions.executeWithoutResult((status) -> locks.forEach((lock) -> see(lock, pause)));
	}

	private void see(LockHandle lock, Pause pause) {
		int id = Integer.parseInt(lock.key());
		long balance = this.jdbc.queryForObject("select balance from account where id = ?", Long.class, id);
		pause.at(Point.AFTER_READ);
		boolean writes = lock.mode() != LockMode.READ;
		this.jdbc.update("insert into seen (place, token, balance, wrote) values (?, ?, ?, ?)", id, lock.fencingToken(),
				balance, writes ? 1 : 0);
		if (writes) {
			this.jdbc.update("update account set balance = ? where id = ?", balance + 1, id);
		}
		pause.at(Point.AFTER_WRITE);
	}

	/**
	 * Return what was seen, in the order of the tokens.
	 */
	List<FenceHistory.Seen> seen() {
		return this.jdbc.query("select place, token, balance, wrote from seen order by token", (row,
				number) -> new FenceHistory.Seen(row.getInt(1), row.getLong(2), row.getLong(3), row.getInt(4) == 1));
	}

	long balance() {
		return this.jdbc.queryForObject("select balance from account where id = 1", Long.class);
	}

	/**
	 * Return the tokens of the entries, in the order of their places.
	 */
	List<Long> tokens() {
		return this.jdbc.queryForList("select token from entry order by place, token", Long.class);
	}

	/**
	 * Return how many places have an entry.
	 */
	long places() {
		return this.jdbc.queryForObject("select count(distinct place) from entry", Long.class);
	}

	@Override
	public void close() {
		this.dataSource.close();
	}

	private record Call(long token, Pause pause, AtomicLong latest) {

		void late(long begun) {
			this.latest.accumulateAndGet(begun, Math::max);
		}

	}

	/**
	 * Holds a body up.
	 */
	interface Pause {

		void at(Point point);

	}

	/**
	 * Where a body can be held up.
	 */
	enum Point {

		BEFORE_RAISE, AFTER_RAISE, AFTER_READ, AFTER_WRITE, BEFORE_CHECK, BEFORE_COMMIT

	}

	/**
	 * What is done under the lock, without a version of its own.
	 */
	enum Body {

		READ_MODIFY_WRITE {

			@Override
			void run(JdbcTemplate jdbc, long token, Pause pause) {
				long balance = jdbc.queryForObject("select balance from account where id = 1", Long.class);
				pause.at(Point.AFTER_READ);
				jdbc.update("update account set balance = ? where id = 1", balance + 1);
				pause.at(Point.AFTER_WRITE);
			}

		},

		// Two of them change no row of each other, which no database notices.
		INSERT {

			@Override
			void run(JdbcTemplate jdbc, long token, Pause pause) {
				long last = jdbc.queryForObject("select coalesce(max(place), 0) from entry", Long.class);
				pause.at(Point.AFTER_READ);
				jdbc.update("insert into entry (place, token) values (?, ?)", last + 1, token);
				pause.at(Point.AFTER_WRITE);
			}

		};

		abstract void run(JdbcTemplate jdbc, long token, Pause pause);

	}

}
