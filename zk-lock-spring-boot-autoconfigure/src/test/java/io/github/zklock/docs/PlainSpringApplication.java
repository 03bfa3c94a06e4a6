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

package io.github.zklock.docs;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.EnableDistributedLocks;
import io.github.zklock.core.LockHandle;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * The application without Spring Boot of {@code docs/plain-java.md}.
 */
final class PlainSpringApplication {

	private PlainSpringApplication() {
	}

	@Configuration
	@EnableDistributedLocks
	@EnableScheduling
	static class LockConfiguration {

		@Bean(initMethod = "start", destroyMethod = "close")
		CuratorFramework zooKeeper(@Value("${zookeeper.servers}") String servers) {
			return CuratorFrameworkFactory.newClient(servers, 20_000, 5_000, new ExponentialBackoffRetry(100, 3));
		}

		@Bean
		ZooKeeperLockProvider locks(CuratorFramework zooKeeper) {
			return ZooKeeperLockProvider.builder(zooKeeper)
				.application("invoices")
				.shutdownGrace(Duration.ofSeconds(30))
				.build();
		}

	}

	static class Reports {

		private final AtomicInteger runs = new AtomicInteger();

		@DistributedLock("invoice:#{#id}")
		@Nullable String write(long id) {
			return LockHandle.current().key();
		}

		@Scheduled(cron = "0 0 * * * *", zone = "UTC")
		@DistributedLock(key = "report", name = "hourly-report")
		void report() {
			this.runs.incrementAndGet();
		}

		int runs() {
			return this.runs.get();
		}

	}

}
