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
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockProvider;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.interceptor.operation.InvalidLockUsageException;
import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.FreePorts;
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
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
		.withPropertyValues("zk-lock.connect-string=" + stock.connectString(),
				"zk-lock.clients.orders.connect-string=" + orders.connectString(),
				"zk-lock.clients.orders.root=/order-locks", "zk-lock.clients.orders.namespace=shop",
				"app.client=orders");

	@Test
	void eachLockIsOnTheEnsembleOfItsClient() {
		this.contextRunner.withBean(Desk.class).run((context) -> {
			Desk desk = context.getBean(Desk.class);
			assertThat(desk.stock(() -> held(context))).isEqualTo("default=1 orders=0");
			assertThat(desk.order(() -> held(context))).isEqualTo("default=0 orders=1");
			assertThat(desk.both(() -> held(context))).isEqualTo("default=1 orders=1");
			CuratorFramework client = context.getBean("zkLockClient.orders.curatorFramework", CuratorFramework.class);
			assertThat(client.getNamespace()).isEqualTo("shop");
			assertThat(client.checkExists().forPath("/order-locks")).isNotNull();
			assertThat(client.getZookeeperClient().getCurrentConnectionString()).isEqualTo(orders.connectString());
			assertThat(context.getBean(CuratorFramework.class).checkExists().forPath("/order-locks")).isNull();
		});
	}

	@Test
	void propertyMovesALockToAnotherClient() {
		this.contextRunner.withBean(Desk.class)
			.withPropertyValues("zk-lock.locks.desk-stock.client=orders", "zk-lock.locks.desk-order.client=default")
			.run((context) -> {
				assertThat(context.getBean(Desk.class).stock(() -> held(context))).isEqualTo("default=0 orders=1");
				assertThat(context.getBean(Desk.class).order(() -> held(context))).isEqualTo("default=1 orders=0");
			});
	}

	@Test
	void beansOfAClientAreFoundByItsNameAndThoseOfTheDefaultClientByTheirType() {
		this.contextRunner.withBean(Injected.class).run((context) -> {
			Injected injected = context.getBean(Injected.class);
			assertThat(injected.provider).isSameAs(context.getBean("zkLockProvider"))
				.isSameAs(context.getBean(LockProvider.class))
				.isSameAs(context.getBeanProvider(ZooKeeperLockProvider.class).getIfUnique());
			assertThat(injected.client).isSameAs(context.getBean("zkLockCuratorFramework"))
				.isSameAs(context.getBean(CuratorFramework.class));
			assertThat(injected.ordersProvider).isSameAs(context.getBean("zkLockClient.orders.provider"));
			assertThat(injected.ordersClient).isSameAs(context.getBean("zkLockClient.orders.curatorFramework"));
			assertThat(context.getBean(ZkLockClients.class).providers().keySet()).containsExactly("default", "orders");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "zkLock", "zkLockProvider", "zkLockTemplate" })
	void clientMayHaveAnyNameBesideTheBeansOfTheDefaultClient(String name) {
		this.contextRunner.withPropertyValues("zk-lock.clients." + name + ".connect-string=" + orders.connectString())
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(CuratorFramework.class).getZookeeperClient().getCurrentConnectionString())
					.isEqualTo(stock.connectString());
				LockRequest request = LockRequest.of("a").withClient(name);
				assertThat(context.getBean(LockOperations.class)
					.<String, RuntimeException>execute(request, (handle) -> held(context)))
					.isEqualTo("default=0 orders=0 " + name + "=1");
			});
	}

	@Test
	void providerOfOneClientRefusesTheLockOfAnother() {
		this.contextRunner.run((context) -> assertThatIllegalArgumentException()
			.isThrownBy(() -> context.getBean(LockProvider.class).acquire(order()))
			.withMessageContaining("Lock 'a' (EXCLUSIVE) on client 'orders'")
			.withMessageContaining("of client 'default'"));
	}

	@ParameterizedTest
	@CsvSource({ "app.client=bills, client = bills",
			"zk-lock.locks.desk-stock.client=bills, zk-lock.locks.desk-stock.client = bills" })
	void unknownClientStopsTheStartWithThoseThatThereAre(String property, String culprit) {
		this.contextRunner.withBean(Desk.class)
			.withPropertyValues(property)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockUsageException.class)
				.hasMessageContaining(culprit + ", but there is no such client: the clients are [default, orders]"));
	}

	@Test
	void outageOfOneEnsembleDoesNotTouchTheOther(CapturedOutput output) {
		try (FaultProxy link = new FaultProxy(orders)) {
			this.contextRunner
				.withPropertyValues("zk-lock.clients.orders.connect-string=" + link.connectString(),
						"zk-lock.clients.orders.session-timeout=2s")
				.run((context) -> {
					LockOperations locks = context.getBean(LockOperations.class);
					LockHandle ofStock = locks.acquire(List.of(LockRequest.of("a")));
					LockHandle ofOrders = locks.acquire(List.of(order()));
					link.blackhole();
					Awaitility.await().until(() -> !ofOrders.isHeld());
					assertThatExceptionOfType(LockUnavailableException.class)
						.isThrownBy(() -> locks.acquire(List.of(order().withOwner("other").withWait(Duration.ZERO))))
						.withMessageStartingWith("Lock 'a' (EXCLUSIVE) on client 'orders' not available");
					// It may be uncertain for a moment on a machine that stands still,
					// and never lost.
					Awaitility.await().until(ofStock::isHeld);
					String result = locks.execute(LockRequest.of("b").withWait(Duration.ZERO), (handle) -> "done");
					assertThat(result).isEqualTo("done");
					Awaitility.await()
						.untilAsserted(() -> assertThat(output).contains("The connection to ZooKeeper at '"
								+ link.connectString() + "' (client 'orders') is interrupted, with 1 lock held"));
					assertThat(output).doesNotContain("ZooKeeper at '" + stock.connectString() + "' is interrupted");
					link.heal();
					ofOrders.release();
					ofStock.release();
				});
		}
	}

	@Test
	void applicationStartsWhileOneEnsembleIsDownAndNamesItsClient(CapturedOutput output) {
		String nowhere = "127.0.0.1:" + FreePorts.next();
		this.contextRunner
			.withPropertyValues("zk-lock.clients.orders.connect-string=" + nowhere,
					"zk-lock.clients.orders.connection-timeout=200ms")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				String result = context.getBean(LockOperations.class).execute(LockRequest.of("a"), (handle) -> "done");
				assertThat(result).isEqualTo("done");
				Awaitility.await()
					.untilAsserted(() -> assertThat(output)
						.contains("ZooKeeper at '" + nowhere + "' (client 'orders') was not reached within 200ms")
						.contains("that zk-lock.clients.orders.connect-string is right"));
			});
	}

	@Test
	void failFastOfAClientStopsTheApplicationAndNamesItsProperties() {
		this.contextRunner
			.withPropertyValues("zk-lock.clients.orders.connect-string=127.0.0.1:" + FreePorts.next(),
					"zk-lock.clients.orders.fail-fast=true", "zk-lock.clients.orders.startup-timeout=200ms")
			.run((context) -> {
				assertThat(context).hasFailed();
				assertThat(FailureAnalyses.of(context.getStartupFailure())).satisfies((analysis) -> {
					assertThat(analysis.getDescription()).contains(
							"(client 'orders') could not be reached within 200ms",
							"'zk-lock.clients.orders.fail-fast' is enabled");
					assertThat(analysis.getAction()).contains("'zk-lock.clients.orders.connect-string'",
							"'zk-lock.clients.orders.startup-timeout'");
				});
			});
		assertThat(threads()).noneMatch((name) -> name.startsWith("zk-lock-orders-notifications"));
	}

	@ParameterizedTest
	@CsvSource({ "bills.root=/x, clients[bills].connectString, it is empty",
			"orders.connect-string=a;b, clients[orders].connectString, semicolon",
			"orders.root=locks, clients[orders].root, must start with '/'",
			"orders.auth.digest.username=app, clients[orders].auth.digest.username, needs zk-lock.clients.orders.auth.digest.password",
			"default.connect-string=a:1, clients[default].connectString, is that of no client",
			"[a b].connect-string=a:1, clients[a b].connectString, is not made of letters" })
	void badValueOfAClientIsRefused(String property, String field, String reason) {
		String name = property.startsWith("[") ? "zk-lock.clients" : "zk-lock.clients.";
		this.contextRunner.withPropertyValues(name + property).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(context.getStartupFailure()).hasStackTraceContaining(reason).hasStackTraceContaining(field);
		});
	}

	@Test
	void misspelledPropertyOfAClientIsSaidToBeNone() {
		this.contextRunner.withPropertyValues("zk-lock.clients.bills.conect-string=127.0.0.1:1").run((context) -> {
			assertThat(context).hasFailed();
			assertThat(FailureAnalyses.of(context.getStartupFailure()).getDescription())
				.contains("zk-lock.clients.bills.connect-string", "It is not set");
		});
	}

	@Test
	void connectionAndSecurityAreNotTakenOverFromTheDefaultClient() {
		this.contextRunner
			.withPropertyValues("zk-lock.namespace=top", "zk-lock.session-timeout=7s",
					"zk-lock.auth.digest.username=app", "zk-lock.auth.digest.password=hush",
					"zk-lock.clients.orders.namespace=")
			.run((context) -> {
				String result = context.getBean(LockOperations.class).execute(order(), (handle) -> "done");
				assertThat(result).isEqualTo("done");
				CuratorFramework client = context.getBean("zkLockClient.orders.curatorFramework",
						CuratorFramework.class);
				assertThat(client.getNamespace()).isEmpty();
				assertThat(client.getZookeeperClient().getZooKeeper().getSessionTimeout()).isEqualTo(20_000);
				assertThat(client.getACL().forPath("/order-locks")).singleElement()
					.satisfies((acl) -> assertThat(acl.getId().getScheme()).isEqualTo("world"));
			});
	}

	@Test
	void threadsBearTheNameOfTheirClientAndEndWithTheApplication() {
		this.contextRunner.run((context) -> {
			context.getBean(LockOperations.class).execute(order(), (handle) -> "done");
			assertThat(threads()).anyMatch((name) -> name.startsWith("zk-lock-orders-timer-"))
				.anyMatch((name) -> name.startsWith("zk-lock-timer-"));
		});
		Awaitility.await()
			.untilAsserted(() -> assertThat(threads()).noneMatch((name) -> name.startsWith("zk-lock-orders-")));
	}

	@Test
	void clientEndsAfterAllThatLocks() {
		CuratorFramework[] client = new CuratorFramework[1];
		LastOrder[] last = new LastOrder[1];
		this.contextRunner.withBean(ThreadPoolTaskExecutor.class).withBean(LastOrder.class).run((context) -> {
			client[0] = context.getBean("zkLockClient.orders.curatorFramework", CuratorFramework.class);
			last[0] = context.getBean(LastOrder.class);
			assertThat(context.getBeanFactory().getDependenciesForBean("threadPoolTaskExecutor"))
				.contains("zkLockClient.orders", "zkLockLifecycle");
			assertThat(client[0].getState()).isEqualTo(CuratorFrameworkState.STARTED);
		});
		assertThat(last[0].state).isEqualTo(LockState.HELD);
		assertThat(client[0].getState()).isEqualTo(CuratorFrameworkState.STOPPED);
	}

	private static LockRequest order() {
		return LockRequest.of("a").withClient("orders");
	}

	private static Set<String> threads() {
		return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).collect(Collectors.toSet());
	}

	private static String held(ApplicationContext context) {
		return context.getBean(ZkLockClients.class)
			.providers()
			.entrySet()
			.stream()
			.map((entry) -> entry.getKey() + "=" + entry.getValue().heldLocks())
			.collect(Collectors.joining(" "));
	}

	static class Desk {

		@DistributedLock("a")
		@Nullable String stock(Supplier<String> body) {
			return body.get();
		}

		@DistributedLock(key = "a", client = "${app.client}")
		@Nullable String order(Supplier<String> body) {
			return body.get();
		}

		@DistributedLock("a")
		@DistributedLock(key = "a", client = "orders", name = "other")
		@Nullable String both(Supplier<String> body) {
			return body.get();
		}

	}

	static class LastOrder implements DisposableBean {

		private final LockOperations locks;

		@Nullable LockState state;

		LastOrder(LockOperations locks) {
			this.locks = locks;
		}

		@Override
		public void destroy() {
			this.state = this.locks.execute(order(), LockHandle::state);
		}

	}

	static class Injected {

		final LockProvider provider;

		final CuratorFramework client;

		final ZooKeeperLockProvider ordersProvider;

		final CuratorFramework ordersClient;

		Injected(LockProvider provider, CuratorFramework client,
				@Qualifier("orders") ZooKeeperLockProvider ordersProvider,
				@Qualifier("orders") CuratorFramework ordersClient) {
			this.provider = provider;
			this.client = client;
			this.ordersProvider = ordersProvider;
			this.ordersClient = ordersClient;
		}

	}

}
