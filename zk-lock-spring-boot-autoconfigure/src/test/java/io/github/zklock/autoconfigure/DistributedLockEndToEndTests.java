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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.FencingToken;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.Refusal;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.apache.curator.framework.CuratorFramework;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("server")
class DistributedLockEndToEndTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final ConfigurableApplicationContext one = node("one");

	@AutoClose
	private final ConfigurableApplicationContext two = node("two");

	@Test
	void guardedMethodHoldsItsLockOnZooKeeper() {
		this.one.getBean(Orders.class).ship(42, (handle) -> {
			assertThat(handle.key()).isEqualTo("orders:42");
			assertThat(handle.mode()).isEqualTo(LockMode.WRITE);
			assertThat(handle.fencingToken()).isPositive();
			assertThat(contenders("orders:42")).isEqualTo(1);
		});
		Awaitility.await().untilAsserted(() -> assertThat(contenders("orders:42")).isZero());
	}

	@Test
	void otherNodeIsKeptOutAndToldWhoHoldsTheLock() throws Exception {
		CountDownLatch shipping = new CountDownLatch(1);
		CountDownLatch shipped = new CountDownLatch(1);
		CompletableFuture<Void> first = CompletableFuture
			.runAsync(() -> this.one.getBean(Orders.class).ship(7, (handle) -> {
				shipping.countDown();
				Awaitility.await().until(() -> shipped.getCount() == 0);
			}));
		assertThat(shipping.await(30, TimeUnit.SECONDS)).isTrue();
		Orders other = this.two.getBean(Orders.class);
		assertThat(Refusal.of(() -> other.shipSoon(7))).hasMessageContaining("Lock 'orders:7' (WRITE)")
			.hasMessageContaining("held by node-one");
		other.ship(8, (handle) -> assertThat(handle.isHeld()).isTrue());
		shipped.countDown();
		assertThat(first).succeedsWithin(Duration.ofSeconds(30));
		other.ship(7, (handle) -> assertThat(handle.isHeld()).isTrue());
	}

	@Test
	void severalKeysAreHeldTogether() {
		Orders orders = this.one.getBean(Orders.class);
		orders.shipAll(List.of(2, 1), null, (handle) -> {
			assertThat(handle.handles()).extracting(LockHandle::key).containsExactly("orders:1", "orders:2", "stock");
			assertThat(contenders("orders:1") + contenders("orders:2") + contenders("stock")).isEqualTo(3);
			assertThat(Refusal.of(() -> this.two.getBean(Orders.class).shipSoon(2))).hasMessageContaining("orders:2");
		});
		assertThat(contenders("orders:1") + contenders("orders:2") + contenders("stock")).isZero();
	}

	@Test
	void tokenIsHandedToTheMethod() {
		Orders orders = this.one.getBean(Orders.class);
		long first = orders.token(0);
		assertThat(first).isPositive();
		assertThat(this.two.getBean(Orders.class).token(0)).isGreaterThan(first);
	}

	@Test
	void scheduledMethodIsSkippedWhileAnotherNodeHoldsItsLock() {
		Awaitility.await().until(() -> this.one.getBean(Report.class).runs() > 0);
		LockHandle handle = this.two.getBean(LockProvider.class)
			.acquire(LockRequest.of("report").withWait(Duration.ofSeconds(30)));
		int runs = this.one.getBean(Report.class).runs() + this.two.getBean(Report.class).runs();
		Awaitility.await()
			.during(Duration.ofMillis(300))
			.until(() -> this.one.getBean(Report.class).runs() + this.two.getBean(Report.class).runs() == runs);
		handle.release();
		Awaitility.await()
			.until(() -> this.one.getBean(Report.class).runs() + this.two.getBean(Report.class).runs() > runs);
	}

	private int contenders(String key) {
		String path = this.two.getBean(ZooKeeperLockProvider.class).pathOf(key);
		try {
			return this.two.getBean(CuratorFramework.class).getChildren().forPath(path).size();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static ConfigurableApplicationContext node(String name) {
		return new SpringApplicationBuilder(NodeConfiguration.class).web(WebApplicationType.NONE)
			.initializers((context) -> ((GenericApplicationContext) context).registerBean(
					ZooKeeperLockProviderBuilderCustomizer.class, () -> (builder) -> builder.instance("node-" + name)))
			.properties("spring.application.name=shop", "zk-lock.connect-string=" + server.connectString(),
					"spring.main.banner-mode=off")
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableScheduling
	@Import({ Orders.class, Report.class })
	static class NodeConfiguration {

	}

	static class Orders {

		@DistributedLock(key = "orders:#{#id}", mode = LockMode.WRITE, waitMs = 30_000)
		void ship(int id, Consumer<LockHandle> body) {
			body.accept(LockHandle.current());
		}

		@DistributedLock(key = "orders:#{#id}", mode = LockMode.WRITE, waitMs = 300)
		void shipSoon(int id) {
		}

		@DistributedLock("#ids.!['orders:' + #this]")
		@DistributedLock("stock")
		void shipAll(List<Integer> ids, @Nullable LockHandle handle, Consumer<LockHandle> body) {
			body.accept(handle);
		}

		@DistributedLock("token")
		long token(@FencingToken long token) {
			return token;
		}

	}

	static class Report {

		private final AtomicInteger runs = new AtomicInteger();

		@Scheduled(fixedDelay = 20)
		@DistributedLock("report")
		void run() {
			this.runs.incrementAndGet();
		}

		int runs() {
			return this.runs.get();
		}

	}

}
