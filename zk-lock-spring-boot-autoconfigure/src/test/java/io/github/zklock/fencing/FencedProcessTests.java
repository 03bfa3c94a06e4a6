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

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.internal.LockScope;
import io.github.zklock.support.JavaProcess;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.transaction.LockCommitListener;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.awaitility.Awaitility;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A process that is stopped (SIGSTOP) between its last look at its lock and its commit,
 * and goes on (SIGCONT) when the next holder has committed.
 */
@Tag("server")
class FencedProcessTests {

	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(12);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private static Server databases;

	private final DriverManagerDataSource dataSource = new DriverManagerDataSource(
			"jdbc:h2:mem:processes;DB_CLOSE_DELAY=-1", "sa", "");

	private final JdbcTemplate jdbc = new JdbcTemplate(this.dataSource);

	private final DatabaseFences fences = new DatabaseFences((name) -> this.dataSource,
			FenceSettings.of((handle) -> "/locks"), List::of);

	@BeforeAll
	static void start() throws SQLException {
		databases = Server.createTcpServer("-tcpPort", "0").start();
	}

	@AfterAll
	static void stop() {
		databases.stop();
	}

	@BeforeEach
	void makeTables() {
		this.jdbc.execute("drop all objects");
		this.jdbc.execute("create table entry (place bigint not null, holder varchar(20) not null)");
		new ResourceDatabasePopulator(new ClassPathResource("io/github/zklock/fencing/schema-h2.sql"))
			.execute(this.dataSource);
	}

	/** Add an entry at the next place. */
	static void add(JdbcTemplate jdbc, String holder) {
		Long last = jdbc.queryForObject("select coalesce(max(place), 0) from entry", Long.class);
		jdbc.update("insert into entry (place, holder) values (?, ?)", last + 1, holder);
	}

	@Test
	void commitOfAStoppedProcessIsRefused() {
		String end = stopBeforeTheCommit(true);
		assertThat(end).startsWith("REFUSED").contains("a later holder has raised the row '/locks/account'");
		assertThat(entries()).containsExactly("1 later");
	}

	// What the test before is worth.
	@Test
	void commitOfAStoppedProcessIsLateWithoutTheFence() {
		assertThat(stopBeforeTheCommit(false)).startsWith("COMMITTED");
		assertThat(entries()).as("two entries at one place").containsExactlyInAnyOrder("1 later", "1 earlier");
	}

	private String stopBeforeTheCommit(boolean fenced) {
		String url = "jdbc:h2:tcp://127.0.0.1:" + databases.getPort() + "/mem:processes";
		try (JavaProcess holder = JavaProcess.start(FencedHolderProcess.class.getName(), List.of(),
				server.connectString(), Long.toString(SESSION_TIMEOUT.toMillis()),
				Long.toString(ZooKeeperServerFixture.TICK.toMillis()), url, Boolean.toString(fenced));
				LockClient<ZooKeeperLockProvider> next = LockClient.connect(server.connectString(),
						Duration.ofSeconds(30), (curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			holder.awaitLine("READY");
			holder.pause();
			addAsNextHolder(next, fenced);
			holder.resume();
			Awaitility.await()
				.atMost(Duration.ofMinutes(5))
				.until(() -> holder.output().stream().anyMatch(FencedProcessTests::isEnd) || !holder.isAlive());
			return holder.output()
				.stream()
				.filter(FencedProcessTests::isEnd)
				.findFirst()
				.orElseGet(() -> "no end, but " + holder.output());
		}
	}

	private static boolean isEnd(String line) {
		return line.startsWith("COMMITTED") || line.startsWith("REFUSED");
	}

	private void addAsNextHolder(LockClient<ZooKeeperLockProvider> client, boolean fenced) {
		JdbcTransactionManager manager = new JdbcTransactionManager(this.dataSource);
		manager.addListener(new LockCommitListener(() -> List.of(this.fences)));
		LockHandle handle = client.locks().acquire(LockRequest.of("account").withWait(Duration.ofMinutes(5)));
		LockScope.<Boolean, RuntimeException>call(handle, (held) -> {
			if (fenced) {
				this.fences.raise(held);
			}
			new TransactionTemplate(manager).executeWithoutResult((status) -> add(this.jdbc, "later"));
			return true;
		});
		handle.release();
	}

	private List<String> entries() {
		return this.jdbc.query("select place, holder from entry",
				(row, number) -> row.getLong(1) + " " + row.getString(2));
	}

}
