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

import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * The recipe of {@code docs/configuration.md}, word for word.
 */
@Configuration(proxyBeanMethods = false)
public class OrderLocksConfiguration {

	@Lazy
	@Bean(initMethod = "start", destroyMethod = "close", defaultCandidate = false)
	CuratorFramework ordersZooKeeper(@Value("${orders.zookeeper}") String servers) {
		return CuratorFrameworkFactory.newClient(servers, 20_000, 5_000, new ExponentialBackoffRetry(100, 3));
	}

	@Bean(defaultCandidate = false)
	ZooKeeperLockProvider ordersLocks(@Qualifier("ordersZooKeeper") CuratorFramework client) {
		return ZooKeeperLockProvider.builder(client)
			.name("orders")
			.root("/order-locks")
			.shutdownGrace(Duration.ofSeconds(30))
			.build();
	}

}
