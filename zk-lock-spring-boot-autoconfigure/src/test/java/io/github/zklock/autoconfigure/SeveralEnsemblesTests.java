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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.docs.MarkdownPage;
import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An application with locks on two ensembles, which are two real servers.
 */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class SeveralEnsemblesTests {

	@RegisterExtension
	static final ZooKeeperServerFixture stock = new ZooKeeperServerFixture();

	@RegisterExtension
	static final ZooKeeperServerFixture orders = new ZooKeeperServerFixture();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class, ZkLockAopAutoConfiguration.class))
		.withUserConfiguration(OrderLocksConfiguration.class)
		.withPropertyValues("zk-lock.connect-string=" + stock.connectString(), "zk-lock.try-timeout=30s",
				"orders.zookeeper=" + orders.connectString(), "app.provider=ordersLocks");

	@Test
	void recipeIsTheOneOfThePage() throws IOException {
		Path source = Path.of("src/test/java/io/github/zklock/autoconfigure/OrderLocksConfiguration.java");
		String code = Files.readString(source).replace("public class", "class");
		String recipe = code.substring(code.indexOf("@Configuration(")).replace("\t", "    ");
		assertThat(Files.readString(MarkdownPage.ROOT.resolve("docs/configuration.md"))).contains(recipe);
	}

	@Test
	void eachLockIsOnTheEnsembleOfItsProvider() {
		this.contextRunner.withBean(Desk.class).run((context) -> {
			Desk desk = context.getBean(Desk.class);
			assertThat(desk.stock(() -> held(context))).isEqualTo("stock 1 orders 0");
			assertThat(desk.order(() -> held(context))).isEqualTo("stock 0 orders 1");
			CuratorFramework client = context.getBean("ordersZooKeeper", CuratorFramework.class);
			assertThat(client.checkExists().forPath("/order-locks")).isNotNull();
			assertThat(context.getBean(CuratorFramework.class).checkExists().forPath("/order-locks")).isNull();
		});
	}

	@Test
	void sameKeyOfAnotherProviderIsAnotherLockAndEachIsReentered() {
		this.contextRunner.withBean(Desk.class).run((context) -> {
			Desk desk = context.getBean(Desk.class);
			assertThat(desk.stock(() -> desk.order(() -> held(context)))).isEqualTo("stock 1 orders 1");
			assertThat(desk.order(() -> desk.stock(() -> desk.order(() -> desk.stock(() -> held(context))))))
				.isEqualTo("stock 1 orders 1");
			assertThat(desk.orderLater(() -> desk.stockLater(() -> desk
				.orderLater(() -> desk.stockLater(() -> CompletableFuture.completedFuture(held(context)))))).join())
				.isEqualTo("stock 1 orders 1");
		});
	}

	@Test
	void beansByTypeAreThoseOfTheDefaultEnsemble() {
		this.contextRunner.run((context) -> {
			assertThat(context.getBean(LockProvider.class)).isSameAs(context.getBean("zkLockProvider"));
			assertThat(context.getBeanProvider(ZooKeeperLockProvider.class).getIfUnique())
				.isSameAs(context.getBean("zkLockProvider"));
			assertThat(context.getBean(CuratorFramework.class)).isSameAs(context.getBean("zkLockCuratorFramework"));
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					nobody        | has provider = nobody, but there is no bean of that name: the LockProvider beans are [ordersLocks, zkLockProvider]
					ordersZooKeeper | has provider = ordersZooKeeper, but the bean of that name is a org.apache.curator.framework.imps.CuratorFrameworkImpl: the LockProvider beans are [ordersLocks, zkLockProvider]
					""")
	void unknownProviderStopsTheStartWithThoseThatThereAre(String name, String message) {
		this.contextRunner.withBean(Desk.class)
			.withPropertyValues("app.provider=" + name)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOfSatisfying(InvalidLockUsageException.class, (failure) -> {
					assertThat(failure).hasMessageContaining("SeveralEnsemblesTests$Desk.order")
						.hasMessageContaining(message);
					assertThat(failure.getAction())
						.contains("declare a LockProvider bean with the name '" + name + "'");
				}));
	}

	@Test
	void methodWithLocksOfSeveralProvidersIsRefused() {
		this.contextRunner.withBean(Both.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockUsageException.class)
				.hasMessageContaining("has @DistributedLock annotations with the providers ['', 'ordersLocks']"));
	}

	@Test
	void methodRunsWithoutALockWhereLocksAreTurnedOff() {
		this.contextRunner.withBean(Desk.class)
			.withPropertyValues("zk-lock.enabled=false")
			.run((context) -> assertThat(context.getBean(Desk.class)
				.order(() -> String.valueOf(context.getBean("ordersLocks", ZooKeeperLockProvider.class).heldLocks())))
				.isEqualTo("0"));
	}

	@Test
	void outageOfOneEnsembleDoesNotTouchTheOther(CapturedOutput output) {
		try (FaultProxy link = new FaultProxy(orders)) {
			this.contextRunner.withPropertyValues("orders.zookeeper=" + link.connectString()).run((context) -> {
				LockOperations locks = context.getBean(LockOperations.class);
				LockOperations orderLocks = context.getBean(LockTemplate.class)
					.withProvider(context.getBean("ordersLocks", LockProvider.class));
				LockHandle ofStock = locks.acquire(List.of(LockRequest.of("a")));
				LockHandle ofOrders = orderLocks.acquire(List.of(LockRequest.of("a")));
				link.blackhole();
				Awaitility.await().until(() -> ofOrders.state() != LockState.HELD);
				assertThatExceptionOfType(LockUnavailableException.class)
					.isThrownBy(() -> orderLocks.acquire(List.of(LockRequest.of("b").withWait(Duration.ZERO))))
					.withMessageStartingWith("Lock 'b' (EXCLUSIVE) not available");
				// It may be uncertain for a moment on a machine that stands still, and
				// never lost.
				Awaitility.await().until(() -> ofStock.state() == LockState.HELD);
				String result = locks.execute(LockRequest.of("b").withWait(Duration.ZERO), (handle) -> "done");
				assertThat(result).isEqualTo("done");
				Awaitility.await()
					.untilAsserted(() -> assertThat(output).contains("The connection to ZooKeeper at '"
							+ link.connectString() + "' (provider 'orders') is interrupted"));
				assertThat(output).doesNotContain("ZooKeeper at '" + stock.connectString() + "' is interrupted");
				link.heal();
				ofOrders.release();
				ofStock.release();
			});
		}
	}

	@Test
	void threadsBearTheNameOfTheirProviderAndEndWithTheApplication() {
		this.contextRunner.run((context) -> {
			context.getBean(LockTemplate.class)
				.withProvider(context.getBean("ordersLocks", LockProvider.class))
				.execute(LockRequest.of("a"), LockHandle::key);
			assertThat(threads()).anyMatch((name) -> name.startsWith("zk-lock-orders-timer-"))
				.anyMatch((name) -> name.startsWith("zk-lock-timer-"));
		});
		Awaitility.await()
			.untilAsserted(() -> assertThat(threads()).noneMatch((name) -> name.startsWith("zk-lock-orders-")));
	}

	@Test
	void providerEndsAfterEverythingThatLocks() {
		CuratorFramework[] client = new CuratorFramework[1];
		LastOrder[] last = new LastOrder[1];
		this.contextRunner.withBean("executor", ThreadPoolTaskExecutor.class)
			.withBean(Desk.class)
			.withBean(LastOrder.class)
			.run((context) -> {
				client[0] = context.getBean("ordersZooKeeper", CuratorFramework.class);
				last[0] = context.getBean(LastOrder.class);
				assertThat(context.getBeanFactory().getDependenciesForBean("executor")).contains("ordersLocks",
						"zkLockProvider");
				assertThat(client[0].getState()).isEqualTo(CuratorFrameworkState.STARTED);
			});
		assertThat(last[0].held).isEqualTo("held");
		assertThat(client[0].getState()).isEqualTo(CuratorFrameworkState.STOPPED);
	}

	@Test
	void taskOfAnExecutorEndsUnderItsLockBeforeTheProviderCloses() {
		ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
		executor.setWaitForTasksToCompleteOnShutdown(true);
		executor.setAwaitTerminationSeconds(60);
		CompletableFuture<LockState> atTheEnd = new CompletableFuture<>();
		this.contextRunner.withBean("executor", ThreadPoolTaskExecutor.class, () -> executor)
			.withBean(Desk.class)
			.run((context) -> {
				Desk desk = context.getBean(Desk.class);
				CompletableFuture<Void> begun = new CompletableFuture<>();
				executor.execute(() -> desk.order(() -> {
					begun.complete(null);
					Awaitility.await().until(() -> executor.getThreadPoolExecutor().isShutdown());
					atTheEnd.complete(LockHandle.current().state());
					return null;
				}));
				begun.join();
			});
		assertThat(atTheEnd).isCompletedWithValue(LockState.HELD);
	}

	private static Iterable<String> threads() {
		return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
	}

	private static String held(ApplicationContext context) {
		return "stock " + context.getBean("zkLockProvider", ZooKeeperLockProvider.class).heldLocks() + " orders "
				+ context.getBean("ordersLocks", ZooKeeperLockProvider.class).heldLocks();
	}

	static class Desk {

		@DistributedLock("a")
		@Nullable String stock(Supplier<@Nullable String> body) {
			return body.get();
		}

		@DistributedLock(key = "a", provider = "${app.provider}")
		@Nullable String order(Supplier<@Nullable String> body) {
			return body.get();
		}

		@DistributedLock("a")
		CompletableFuture<String> stockLater(Supplier<CompletableFuture<String>> body) {
			return body.get();
		}

		@DistributedLock(key = "a", provider = "${app.provider}")
		CompletableFuture<String> orderLater(Supplier<CompletableFuture<String>> body) {
			return body.get();
		}

	}

	static class Both {

		@DistributedLock("a")
		@DistributedLock(key = "a", provider = "ordersLocks", name = "other")
		void both() {
			// Is refused.
		}

	}

	static class LastOrder implements DisposableBean {

		private final Desk desk;

		@Nullable String held;

		LastOrder(Desk desk) {
			this.desk = desk;
		}

		@Override
		public void destroy() {
			this.held = this.desk.order(() -> "held");
		}

	}

}
