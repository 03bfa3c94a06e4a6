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

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.test.ShopApplication.Orders;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The test of {@code docs/testing.md} with a server: the module brings all that it needs.
 */
@SpringBootTest(properties = { "zk-lock.embedded.enabled=true", "zk-lock.connect-string=" })
@ContextConfiguration(classes = EmbeddedServerTests.Shop.class)
@TestPropertySource(properties = "zk-lock.try-timeout=30s")
@Tag("server")
class EmbeddedServerTests {

	@Autowired
	Orders orders;

	@Test
	void orderIsShippedUnderALockOfZooKeeper(@Autowired ApplicationContext context) {
		assertThat(context.getBean(LockProvider.class)).isInstanceOf(ZooKeeperLockProvider.class);
		assertThat(context.getBeanProvider(LockTesting.class)).isEmpty();
		this.orders.setWork(() -> assertThat(LockHandle.current().fencingToken()).isPositive());
		assertThat(this.orders.ship(42)).isEqualTo(42);
	}

	@EnableAutoConfiguration
	static class Shop extends ShopApplication {

	}

}
