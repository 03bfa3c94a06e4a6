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

package io.github.zklock.test;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.health.ApplicationHealth;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.availability.ApplicationAvailabilityBean;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link AutoConfigureZkLock} with an application that has a second provider,
 * whose client would connect.
 */
@SpringBootTest(classes = NamedProviderInMemoryTests.Application.class,
		properties = { "spring.main.web-application-type=none" })
@AutoConfigureZkLock
class NamedProviderInMemoryTests {

	@Autowired
	LockTesting locks;

	@Autowired
	Desk desk;

	@Test
	void locksOfAllProvidersAreInMemory(@Autowired ApplicationContext context) {
		assertThat(this.desk.order()).isEqualTo("desk");
		assertThat(context.getBeanNamesForType(ZooKeeperLockProvider.class)).isEmpty();
		assertThat(((ConfigurableApplicationContext) context).getBeanFactory().containsSingleton("ordersZooKeeper"))
			.isFalse();
		assertThat(context.getBean(LockProvider.class)).isSameAs(context.getBean("zkLockProvider"));
	}

	@Test
	void keysOfProvidersDoNotMeet(@Autowired @Qualifier("ordersLocks") LockProvider orders) {
		try (LockHandle other = this.locks.hold("desk")) {
			assertThat(this.desk.order()).isEqualTo("desk");
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(this.desk::stock);
		}
		try (LockHandle other = orders.acquire(LockRequest.of("desk").withOwner("other"))) {
			assertThat(this.desk.stock()).isEqualTo("desk");
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(this.desk::order);
		}
	}

	@Test
	void healthGroupMayNameEachProvider() {
		new ApplicationContextRunner().withConfiguration(ApplicationHealth.actuator())
			.withConfiguration(
					AutoConfigurations.of(InMemoryLockAutoConfiguration.class, ZkLockAutoConfiguration.class))
			.withConfiguration(ApplicationHealth.locks())
			.withUserConfiguration(Application.class)
			.withBean(ApplicationAvailabilityBean.class)
			.withPropertyValues("management.health.readinessstate.enabled=true",
					"management.endpoint.health.group.readiness.include=readinessState,zkLock/zkLockProvider,zkLock/ordersLocks")
			.run((context) -> {
				AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
				assertThat(ApplicationHealth.of(context, "zkLock", "ordersLocks").status()).isEqualTo("UNKNOWN");
				assertThat(ApplicationHealth.of(context, "readiness").status()).isEqualTo("UP");
			});
	}

	@Configuration(proxyBeanMethods = false)
	@Import(Desk.class)
	static class Application {

		@Lazy
		@Bean(initMethod = "start", destroyMethod = "close", defaultCandidate = false)
		CuratorFramework ordersZooKeeper() {
			return CuratorFrameworkFactory.newClient("127.0.0.1:1", new RetryOneTime(1));
		}

		@Bean(defaultCandidate = false)
		ZooKeeperLockProvider ordersLocks(@Qualifier("ordersZooKeeper") CuratorFramework client) {
			return ZooKeeperLockProvider.builder(client).build();
		}

	}

	static class Desk {

		@DistributedLock(key = "desk", provider = "ordersLocks", waitMs = 0)
		String order() {
			return LockHandle.current().key();
		}

		@DistributedLock(key = "desk", waitMs = 0)
		String stock() {
			return LockHandle.current().key();
		}

	}

}
