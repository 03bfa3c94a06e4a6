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

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.zklock.benchmarks.fence.FencePeer.Connections;
import io.github.zklock.benchmarks.fence.FencePeer.Guard;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryForever;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Adds the next entry to a page, under the lock of the page. As a process it stands still
 * before each commit until another participant has added an entry.
 *
 * @since 0.1.0
 */
public final class FenceParticipant implements AutoCloseable {

	private static final int RETRY_MILLIS = 50;

	private static final int CONNECTION_MILLIS = 15_000;

	private final CuratorFramework client;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transactions;

	private final Guard guard;

	private Runnable pause = () -> {
	};

	FenceParticipant(FencePeer peer, String connectString, String database) throws InterruptedException {
		this.client = CuratorFrameworkFactory.builder()
			.connectString(connectString)
			.sessionTimeoutMs(FencePeer.LEASE_MILLIS)
			.connectionTimeoutMs(CONNECTION_MILLIS)
			.retryPolicy(new RetryForever(RETRY_MILLIS))
			.build();
		this.client.start();
		if (!this.client.blockUntilConnected(60, TimeUnit.SECONDS)) {
			throw new IllegalStateException("No connection to " + connectString);
		}
		DriverManagerDataSource dataSource = new DriverManagerDataSource(database, "sa", "");
		this.guard = peer.guard(new Connections(this.client, dataSource));
		this.jdbc = new JdbcTemplate(dataSource);
		JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
		manager.addListener(this.guard.listener().apply(() -> this.pause.run()));
		this.transactions = new TransactionTemplate(manager);
	}

	/**
	 * Add entries, one to each page, and stand still before each commit.
	 * @param arguments peer, connect string, database, number of pages
	 * @throws Exception if that fails
	 */
	public static void main(String[] arguments) throws Exception {
		FencePeer peer = FencePeer.valueOf(arguments[0]);
		try (FenceParticipant participant = new FenceParticipant(peer, arguments[1], arguments[2])) {
			JdbcTemplate others = new JdbcTemplate(new DriverManagerDataSource(arguments[2], "sa", ""));
			for (int round = 0; round < Integer.parseInt(arguments[3]); round++) {
				String page = page(peer, round);
				AtomicBoolean stood = new AtomicBoolean();
				participant.pause = () -> {
					stood.set(true);
					standStill(others, page);
				};
				String end = participant.add(page, "earlier");
				// On a busy machine its lock may be lost before.
				while (!stood.get()) {
					end = participant.add(page, "earlier");
				}
				System.out.println("END " + end);
			}
		}
	}

	static String page(FencePeer peer, int round) {
		return peer.name().toLowerCase(Locale.ROOT) + "-" + round;
	}

	private static void standStill(JdbcTemplate jdbc, String page) {
		System.out.println("READY");
		try {
			while (entries(jdbc, page) == 0) {
				TimeUnit.MILLISECONDS.sleep(1);
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static int entries(JdbcTemplate jdbc, String page) {
		Integer found = jdbc.queryForObject("select count(*) from entry where page = ?", Integer.class, page);
		return (found != null) ? found : 0;
	}

	/**
	 * Add an entry.
	 * @return the exception that the caller got, if any
	 */
	String add(String page, String holder) {
		try {
			this.guard.locks().run(page, () -> this.transactions.executeWithoutResult((status) -> {
				Integer last = this.jdbc.queryForObject("select max(place) from entry where page = ?", Integer.class,
						page);
				this.jdbc.update("insert into entry (page, place, holder) values (?, ?, ?)", page,
						((last != null) ? last : 0) + 1, holder);
			}));
			return "no exception";
		}
		catch (Exception ex) {
			return ex.getClass().getSimpleName();
		}
	}

	@Override
	public void close() {
		this.client.close();
	}

}
