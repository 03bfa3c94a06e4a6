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

import java.util.List;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link AutoConfigureZkLock} with an application that has several clients,
 * which would stop its start if one of them connected.
 */
@SpringBootTest(classes = NamedClientInMemoryTests.Application.class,
		properties = { "spring.main.web-application-type=none", "zk-lock.clients.orders.connect-string=127.0.0.1:1",
				"zk-lock.clients.orders.fail-fast=true", "zk-lock.clients.orders.startup-timeout=1ms" })
@AutoConfigureZkLock
class NamedClientInMemoryTests {

	@Autowired
	LockTesting locks;

	@Autowired
	LockOperations operations;

	@Autowired
	Desk desk;

	@Test
	void locksOfAllClientsAreInMemory(@Autowired ApplicationContext context) {
		assertThat(this.desk.order()).isEqualTo("desk of orders");
		String client = this.operations.execute(LockRequest.of("desk").withClient("orders"), LockHandle::client);
		assertThat(client).isEqualTo("orders");
		assertThat(context.getBeanNamesForType(CuratorFramework.class)).isEmpty();
		assertThat(context.getBeanNamesForType(ZooKeeperLockProvider.class)).isEmpty();
	}

	@Test
	void keysOfClientsDoNotMeet() {
		try (LockHandle other = this.locks.hold("desk")) {
			assertThat(this.desk.order()).isEqualTo("desk of orders");
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(this.desk::stock);
		}
		try (LockHandle other = this.locks.another("other")
			.acquire(List.of(LockRequest.of("desk").withClient("orders")))) {
			assertThat(this.desk.stock()).isEqualTo("desk of default");
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(this.desk::order)
				.withMessageContaining("on client 'orders'");
		}
	}

	@Configuration(proxyBeanMethods = false)
	@Import(Desk.class)
	static class Application {

	}

	static class Desk {

		@DistributedLock(key = "desk", client = "orders", waitMs = 0)
		String order() {
			return describe(LockHandle.current());
		}

		@DistributedLock(key = "desk", waitMs = 0)
		String stock() {
			return describe(LockHandle.current());
		}

		private static String describe(LockHandle handle) {
			return handle.key() + " of " + handle.client();
		}

	}

}
