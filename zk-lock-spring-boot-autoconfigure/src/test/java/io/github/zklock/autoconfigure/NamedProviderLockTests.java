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

package io.github.zklock.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.NotAcquiredPolicy;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.fencing.FenceLockSpaces;
import io.github.zklock.scheduling.ScheduledRun;
import io.github.zklock.support.Refusal;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.apache.curator.framework.CuratorFramework;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What an annotation promises beside the lock holds on the provider that it names: two
 * nodes of an application with locks on two real servers.
 */
@Tag("server")
class NamedProviderLockTests {

	@RegisterExtension
	static final ZooKeeperServerFixture stock = new ZooKeeperServerFixture();

	@RegisterExtension
	static final ZooKeeperServerFixture orders = new ZooKeeperServerFixture();

	private static ConfigurableApplicationContext one;

	private static ConfigurableApplicationContext other;

	@BeforeAll
	static void start() {
		one = node();
		other = node();
		for (ConfigurableApplicationContext node : List.of(one, other)) {
			// Connected from now on, so that single tries are answered.
			node.getBean(LockOperations.class)
				.execute(LockRequest.of("first").withWait(LockRequest.FOREVER), LockHandle::key);
			orderLocks(node).execute(LockRequest.of("first").withWait(LockRequest.FOREVER), LockHandle::key);
		}
	}

	@AfterAll
	static void stop() {
		one.close();
		other.close();
	}

	@Test
	void plannedRunIsRecordedThereAndSkippedByTheOtherNode() {
		Instant planned = Instant.parse("2026-10-05T10:00:00Z");
		for (ConfigurableApplicationContext node : List.of(one, other)) {
			ScheduledRun.callAt(planned, node.getBean(Desk.class)::report);
		}
		assertThat(runs(one)).isOne();
		assertThat(runs(other)).isZero();
		ScheduledRun.callAt(planned.plusSeconds(1), other.getBean(Desk.class)::report);
		assertThat(runs(other)).isOne();
		assertThat(orders.children("/order-locks")).filteredOn((name) -> name.startsWith("~job~"))
			.singleElement()
			.asString()
			.contains("Desk.report~");
		assertThat(stock.children("/locks")).noneMatch((name) -> name.contains("report"));
	}

	@Test
	void keyIsKeptThereAfterTheRelease() {
		one.getBean(Desk.class).keep();
		LockOperations locks = other.getBean(LockOperations.class);
		LockRequest request = LockRequest.of("kept").withWait(Duration.ZERO);
		Refusal.of(() -> orderLocks(other).execute(request, LockHandle::key));
		assertThat(locks.<String, RuntimeException>execute(request, LockHandle::key)).isEqualTo("kept");
		assertThat(orders.children("/order-locks/kept")).anyMatch((node) -> node.contains("-least-"));
	}

	@Test
	void rowIsNotCommittedAfterALossThere() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> one.getBean(Desk.class).insert(() -> {
			LockHandle handle = LockHandle.current();
			orders.killSession(sessionOfOrders());
			Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> handle.state() == LockState.LOST);
		}));
		assertThat(one.getBean(JdbcTemplate.class).queryForObject("select count(*) from orders", Integer.class))
			.isZero();
	}

	@Test
	void lockSpaceIsThatOfTheProvider() {
		ZooKeeperLockProvider provider = one.getBean("ordersLocks", ZooKeeperLockProvider.class);
		FenceLockSpaces spaces = new FenceLockSpaces(
				() -> Map.of("stock", one.getBean("zkLockProvider", ZooKeeperLockProvider.class), "orders", provider),
				"/elsewhere");
		String ofOrders = orderLocks(one).execute(LockRequest.of("space").withWait(LockRequest.FOREVER), spaces::apply);
		assertThat(ofOrders).isEqualTo("/order-locks");
		String ofStock = one.getBean(LockOperations.class)
			.execute(LockRequest.of("space").withWait(LockRequest.FOREVER), spaces::apply);
		assertThat(ofStock).isEqualTo("/locks");
	}

	@Test
	void keyOfAFenceIsTheNameOfItsNode() {
		try (ZooKeeperLockProvider digests = ZooKeeperLockProvider
			.builder(one.getBean("ordersZooKeeper", CuratorFramework.class))
			.root("/digests")
			.keyDigestSecret("a secret of a test")
			.build()) {
			FenceLockSpaces spaces = new FenceLockSpaces(() -> Map.of("digests", digests), "/elsewhere");
			String key = new LockTemplate(digests).execute(LockRequest.of("personal").withWait(LockRequest.FOREVER),
					spaces::key);
			assertThat(key).startsWith("hmac-").doesNotContain("personal");
		}
	}

	private static LockOperations orderLocks(ConfigurableApplicationContext node) {
		return new LockTemplate(node.getBean("ordersLocks", LockProvider.class));
	}

	private static long sessionOfOrders() {
		try {
			return one.getBean("ordersZooKeeper", CuratorFramework.class)
				.getZookeeperClient()
				.getZooKeeper()
				.getSessionId();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static int runs(ConfigurableApplicationContext node) {
		return node.getBean(Desk.class).runs();
	}

	private static ConfigurableApplicationContext node() {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("zk-lock.connect-string=" + stock.connectString(), "orders.zookeeper=" + orders.connectString(),
					"spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
					"zk-lock.try-timeout=30s", "spring.main.banner-mode=off")
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Desk.class, OrderLocksConfiguration.class })
	static class Application {

	}

	static class Desk {

		private final AtomicInteger runs = new AtomicInteger();

		private final JdbcTemplate jdbc;

		Desk(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
			jdbc.execute("create table if not exists orders (id int)");
		}

		int runs() {
			return this.runs.get();
		}

		@DistributedLock(key = "report", provider = "ordersLocks", onNotAcquired = NotAcquiredPolicy.SKIP)
		void report() {
			this.runs.incrementAndGet();
		}

		@DistributedLock(key = "kept", provider = "ordersLocks", lockAtLeastFor = "1h")
		void keep() {
			// Is over at once.
		}

		@Transactional
		@DistributedLock(key = "row", provider = "ordersLocks")
		void insert(Runnable body) {
			this.jdbc.update("insert into orders values (1)");
			body.run();
		}

	}

}
