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

package io.github.zklock.autoconfigure.health;

import java.util.List;
import java.util.Map;

import io.github.zklock.autoconfigure.OrderLocksConfiguration;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.FreePorts;
import io.github.zklock.support.Secrets;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.test.memory.InMemoryLockProvider;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.availability.ApplicationAvailabilityBean;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The health of the locks as the health endpoint of the line of Spring Boot at hand shows
 * it.
 */
@Tag("server")
class ZkLockHealthTests {

	private static final String SECRET = Secrets.password();

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class))
		.withConfiguration(ApplicationHealth.locks())
		.withPropertyValues("zk-lock.connect-string=" + server.connectString(), "zk-lock.auth.digest.username=app",
				"zk-lock.auth.digest.password=" + SECRET, "zk-lock.connection-timeout=60s", "zk-lock.try-timeout=30s");

	private final ApplicationContextRunner actuator = this.contextRunner.withConfiguration(ApplicationHealth.actuator())
		.withBean(ApplicationAvailabilityBean.class)
		.withPropertyValues("management.health.readinessstate.enabled=true",
				"management.endpoint.health.group.readiness.include=readinessState,zkLock");

	@Test
	void healthFollowsZooKeeper() {
		this.actuator.run((context) -> {
			AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
			awaitStatus(context, "UP");
			context.getBean(LockOperations.class).execute(LockRequest.of("a"), (handle) -> {
				assertThat(ApplicationHealth.of(context, "zkLock").details()).containsEntry("connection", "connected")
					.hasEntrySatisfying("server", (name) -> assertThat(name).asString().endsWith(":" + server.port()))
					.containsEntry("sessionTimeout", "20s")
					.containsEntry("sessionState", "held")
					.containsEntry("heldLocks", 1)
					.containsKeys("session", "leaseLeft", "pendingDeletes")
					.doesNotContainKey("problem");
				return null;
			});
			assertThat(ApplicationHealth.of(context, "zkLock").toString()).doesNotContain(SECRET);
			assertThat(ApplicationHealth.of(context, "readiness").status()).isEqualTo("UP");
			server.stop();
			try {
				awaitStatus(context, "DOWN");
				assertThat(ApplicationHealth.of(context, "zkLock").details())
					.containsEntry("connection", "disconnected")
					.containsEntry("problem", "ZooKeeper cannot be reached")
					.containsEntry("sessionState", "uncertain")
					.doesNotContainKey("server");
				assertThat(ApplicationHealth.of(context, "zkLock").toString()).doesNotContain(SECRET);
				assertThat(ApplicationHealth.of(context, "readiness").status()).isEqualTo("DOWN");
			}
			finally {
				server.start();
			}
			awaitStatus(context, "UP");
			assertThat(ApplicationHealth.of(context, "readiness").status()).isEqualTo("UP");
		});
	}

	@Test
	void eachOfSeveralProvidersHasAHealthOfItsOwn() {
		CuratorFramework nowhere = CuratorFrameworkFactory.newClient("127.0.0.1:" + FreePorts.next(), 20_000, 200,
				new RetryOneTime(1));
		this.actuator
			.withBean("ordersLocks", ZooKeeperLockProvider.class,
					() -> ZooKeeperLockProvider.builder(started(nowhere)).build(),
					(definition) -> ((AbstractBeanDefinition) definition).setDefaultCandidate(false))
			.withPropertyValues(
					"management.endpoint.health.group.readiness.include=readinessState,zkLock/zkLockProvider")
			.run((context) -> {
				AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
				Awaitility.await()
					.untilAsserted(() -> assertThat(ApplicationHealth.of(context, "zkLock", "ordersLocks").status())
						.isEqualTo("DOWN"));
				Awaitility.await()
					.untilAsserted(() -> assertThat(ApplicationHealth.of(context, "zkLock", "zkLockProvider").status())
						.isEqualTo("UP"));
				assertThat(ApplicationHealth.of(context, "zkLock").status()).isEqualTo("DOWN");
				assertThat(ApplicationHealth.of(context, "readiness").status()).isEqualTo("UP");
			});
		nowhere.close();
	}

	private static CuratorFramework started(CuratorFramework client) {
		client.start();
		return client;
	}

	@Test
	void healthIsUnknownUntilTheTimeToConnectIsOver() {
		ApplicationContextRunner nowhere = this.actuator
			.withPropertyValues("zk-lock.connect-string=127.0.0.1:" + FreePorts.next());
		nowhere.run((context) -> {
			assertThat(ApplicationHealth.of(context, "zkLock").status()).isEqualTo("UNKNOWN");
			assertThat(ApplicationHealth.of(context, "zkLock").details()).containsEntry("connection", "connecting");
		});
		nowhere.withPropertyValues("zk-lock.connection-timeout=200ms").run((context) -> awaitStatus(context, "DOWN"));
	}

	@Test
	void healthNamesLocksWithoutWhichMethodsRun() {
		this.actuator.withBean(InMemoryLockProvider.class)
			.withPropertyValues("zk-lock.locks.billing-run.unguarded=true", "zk-lock.locks.mail-send.wait=5s",
					"zk-lock.locks.audit-write.unguarded=true", "zk-lock.locks[nightly.report].unguarded=yes")
			.run((context) -> assertThat(ApplicationHealth.of(context, "zkLock").details()).containsEntry("unguarded",
					List.of("audit-write", "billing-run", "nightly.report")));
	}

	@Test
	void healthIsUnknownWithoutLocksSoThatAGroupMayStillNameIt() {
		this.actuator.withPropertyValues("zk-lock.enabled=false").run((context) -> {
			AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
			assertThat(ApplicationHealth.of(context, "zkLock"))
				.isEqualTo(new ApplicationHealth("UNKNOWN", Map.of("locks", "turned off by zk-lock.enabled=false")));
			assertThat(ApplicationHealth.of(context, "readiness").status()).isEqualTo("UP");
		});
	}

	@Test
	void groupMayNameTheHealthOfAProviderEvenWithoutLocks() {
		this.actuator.withUserConfiguration(OrderLocksConfiguration.class)
			.withPropertyValues("zk-lock.enabled=false", "orders.zookeeper=127.0.0.1:" + FreePorts.next(),
					"management.endpoint.health.group.readiness.include=readinessState,zkLock/zkLockProvider,zkLock/ordersLocks")
			.run((context) -> {
				AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
				assertThat(ApplicationHealth.of(context, "zkLock", "ordersLocks").status()).isEqualTo("UNKNOWN");
				assertThat(ApplicationHealth.of(context, "readiness").status()).isEqualTo("UP");
			});
	}

	@Test
	void healthOfOtherLocksIsUnknownEvenWithoutCurator() {
		this.actuator.withBean(InMemoryLockProvider.class)
			.withClassLoader(new FilteredClassLoader(CuratorFramework.class.getPackageName()))
			.run((context) -> assertThat(ApplicationHealth.of(context, "zkLock"))
				.isEqualTo(new ApplicationHealth("UNKNOWN", Map.of("provider", InMemoryLockProvider.class.getName()))));
	}

	@Test
	void applicationHasNoSuchHealthIfItIsTurnedOff() {
		this.contextRunner.withPropertyValues("management.health.zklock.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("zkLockHealthIndicator"));
		this.contextRunner.run((context) -> assertThat(context).hasBean("zkLockHealthIndicator"));
	}

	private static void awaitStatus(ApplicationContext context, String status) {
		Awaitility.await()
			.untilAsserted(() -> assertThat(ApplicationHealth.of(context, "zkLock").status()).isEqualTo(status));
	}

}
