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

package io.github.zklock.autoconfigure.observation;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * The application of the walk-through in {@code docs/internals/reliability/outage.md}:
 * one long report, another that waits for it, an order each second, and a job each ten
 * seconds.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableScheduling
public class OutageApplication {

	private static final Logger logger = LoggerFactory.getLogger(OutageApplication.class);

	/**
	 * Run it until the process is killed.
	 * @param args properties, as {@code --name=value}
	 */
	public static void main(String[] args) {
		ConfigurableApplicationContext context = SpringApplication.run(OutageApplication.class, args);
		Work work = context.getBean(Work.class);
		ScheduledExecutorService callers = Executors.newScheduledThreadPool(3);
		callers.schedule(() -> call(() -> work.report("2026-11", 100)), 5, TimeUnit.SECONDS);
		callers.schedule(() -> call(() -> work.report("2026-11", 10)), 10, TimeUnit.SECONDS);
		callers.scheduleWithFixedDelay(() -> order(work), 0, 1, TimeUnit.SECONDS);
	}

	private static void call(Runnable report) {
		try {
			report.run();
		}
		catch (LockException ex) {
			logger.error("The report has failed: {}", ex.getMessage());
		}
	}

	// As a controller that answers 503: the log is to show what the locks say, not this.
	private static void order(Work work) {
		try {
			work.order("4711");
		}
		catch (LockException ex) {
			logger.debug("The order was refused", ex);
		}
	}

	@Bean
	Work work() {
		return new Work();
	}

	static class Work {

		@DistributedLock(key = "report:#{#month}", name = "reports", waitTime = "10m")
		void report(String month, int seconds) {
			logger.info("The report of {} begins", month);
			try {
				TimeUnit.SECONDS.sleep(seconds);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			logger.info("The report of {} is written", month);
		}

		@DistributedLock(key = "order:#{#id}", name = "orders", waitMs = 2_000)
		void order(String id) {
			logger.debug("The order {} is placed", id);
		}

		@DistributedLock(key = "prices", name = "prices")
		@Scheduled(cron = "*/10 * * * * *")
		void prices() {
			logger.debug("The prices are read");
		}

	}

}
