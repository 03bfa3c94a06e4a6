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

package io.github.zklock.benchmarks.fence;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

import com.zaxxer.hikari.HikariDataSource;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.fencing.DatabaseFences;
import io.github.zklock.fencing.FenceSettings;
import io.github.zklock.test.memory.InMemoryLockProvider;
import io.github.zklock.transaction.LockCommitListener;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * How long a transaction of one update takes under a lock, with and without a fence. The
 * lock is in memory, so that it costs nothing. Both kinds of calls take turns, so that
 * other work on the machine disturbs both alike.
 */
final class FenceCost implements AutoCloseable {

	private static final int WARM_UP = 1000;

	private static final int CALLS = 4000;

	private static final int KEYS = 16;

	private final HikariDataSource dataSource = new HikariDataSource();

	private final JdbcTemplate jdbc = new JdbcTemplate(this.dataSource);

	private final LockTemplate locks = new LockTemplate(new InMemoryLockProvider());

	private final DatabaseFences fences = new DatabaseFences((name) -> this.dataSource,
			FenceSettings.of((handle) -> "/cost"), List::of);

	private final TransactionTemplate transactions;

	FenceCost(String url, String user) {
		this.dataSource.setJdbcUrl(url);
		this.dataSource.setUsername(user);
		this.dataSource.setMaximumPoolSize(1);
		String platform = url.startsWith("jdbc:postgresql:") ? "postgresql" : "h2";
		new ResourceDatabasePopulator(new ClassPathResource("io/github/zklock/fencing/schema-" + platform + ".sql"))
			.execute(this.dataSource);
		this.jdbc.update("delete from zk_lock_fence where lock_key like '/cost/%'");
		this.jdbc.execute("drop table if exists cost_account");
		this.jdbc.execute("create table cost_account (id int not null primary key, balance bigint not null)");
		for (int key = 0; key < KEYS; key++) {
			this.jdbc.update("insert into cost_account (id, balance) values (?, 0)", key);
		}
		JdbcTransactionManager manager = new JdbcTransactionManager(this.dataSource);
		manager.addListener(new LockCommitListener(() -> List.of(this.fences)));
		this.transactions = new TransactionTemplate(manager);
	}

	/**
	 * Measure.
	 * @return the medians
	 */
	Medians run() {
		long[] plain = new long[CALLS];
		long[] fenced = new long[CALLS];
		long[] raises = new long[CALLS];
		for (int call = -WARM_UP; call < CALLS; call++) {
			int key = Math.floorMod(call, KEYS);
			// Each of them comes first as often as the other.
			boolean first = (call & 1) == 0;
			long one = first ? plain(key) : fenced(key, raises, call);
			long other = first ? fenced(key, raises, call) : plain(key);
			if (call >= 0) {
				plain[call] = first ? one : other;
				fenced[call] = first ? other : one;
			}
		}
		return new Medians(median(plain), median(fenced), median(raises));
	}

	private long plain(int key) {
		return call(key, (handle) -> {
		});
	}

	private long fenced(int key, long[] raises, int call) {
		return call(key, (handle) -> {
			long start = System.nanoTime();
			this.fences.raise(handle);
			raises[Math.max(0, call)] = System.nanoTime() - start;
		});
	}

	private long call(int key, Consumer<LockHandle> raise) {
		long start = System.nanoTime();
		this.locks.<Boolean, RuntimeException>execute(LockRequest.of("account-" + key), (handle) -> {
			raise.accept(handle);
			this.transactions.executeWithoutResult(
					(status) -> this.jdbc.update("update cost_account set balance = balance + 1 where id = ?", key));
			return true;
		});
		return System.nanoTime() - start;
	}

	private static double median(long[] nanos) {
		Arrays.sort(nanos);
		return nanos[nanos.length / 2] / 1000.0;
	}

	@Override
	public void close() {
		this.dataSource.close();
	}

	/**
	 * What was measured, in microseconds.
	 *
	 * @param plain a call without a fence
	 * @param fenced a call with a fence
	 * @param raise the raise alone
	 */
	record Medians(double plain, double fenced, double raise) {

	}

}
