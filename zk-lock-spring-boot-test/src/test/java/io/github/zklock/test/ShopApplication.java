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

import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OncePerTick;
import io.github.zklock.core.UnavailablePolicy;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * What the recipes of {@code docs/testing.md} test.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
class ShopApplication {

	@Bean
	Orders orders() {
		return new Orders();
	}

	@Bean
	Reports reports() {
		return new Reports();
	}

	static class Orders {

		private volatile Runnable work = () -> {
		};

		void setWork(Runnable work) {
			this.work = work;
		}

		@DistributedLock(key = "order:#{#id}", waitMs = 0)
		long ship(long id) {
			this.work.run();
			return id;
		}

		@DistributedLock(key = "order:#{#id}", waitTime = "10s")
		long bill(long id) {
			return id;
		}

		@DistributedLock(key = "order:#{#id}", name = "billing")
		void invoice(long id) {
		}

		@DistributedLock(key = "stock", lockAtLeastFor = "5m", waitMs = 0)
		void count() {
		}

		@DistributedLock(key = "mail", onUnavailable = UnavailablePolicy.SKIP)
		void mail() {
			this.work.run();
		}

	}

	static class Reports {

		private final AtomicInteger runs = new AtomicInteger();

		private volatile Runnable work = () -> {
		};

		AtomicInteger runs() {
			return this.runs;
		}

		@Scheduled(cron = "0 0 3 * * *")
		@DistributedLock(key = "nightly-report")
		void nightly() {
			this.runs.incrementAndGet();
		}

		@Scheduled(cron = "0 0 4 1 * *")
		@OncePerTick(recoverWithin = "2h")
		@DistributedLock(key = "monthly-report")
		void monthly() {
			this.runs.incrementAndGet();
			this.work.run();
		}

		void setWork(Runnable work) {
			this.work = work;
		}

		@Scheduled(fixedRateString = "PT1H")
		@DistributedLock(key = "clean-up")
		void cleanUp() {
			this.runs.incrementAndGet();
		}

	}

}
