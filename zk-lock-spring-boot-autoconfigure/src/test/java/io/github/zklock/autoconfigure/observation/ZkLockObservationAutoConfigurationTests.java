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

import java.time.Instant;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.autoconfigure.ZkLockAopAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockSchedulingAutoConfiguration;
import io.github.zklock.core.LockJobs;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.interceptor.ScheduledJobs;
import io.github.zklock.observation.internal.LockMetrics;
import io.github.zklock.observation.internal.LockObservations;
import io.github.zklock.test.memory.InMemoryLockProvider;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Metrics and spans are there if the application has what they need, and only then.
 */
class ZkLockObservationAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class, ZkLockMetricsAutoConfiguration.class,
				ZkLockObservationAutoConfiguration.class));

	private final ApplicationContextRunner inMemory = this.contextRunner.withBean(InMemoryLockProvider.class);

	@Test
	void otherLocksNeedNoClientOfZooKeeper() {
		this.inMemory.withClassLoader(new FilteredClassLoader("org.apache.curator"))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void applicationWithoutRegistriesHasNoMetricsAndNoSpans() {
		this.inMemory.run((context) -> assertThat(context).hasNotFailed()
			.doesNotHaveBean(LockMetrics.class)
			.doesNotHaveBean(LockObservations.class));
	}

	@Test
	void registriesOfTheApplicationAreUsed() {
		this.inMemory.withBean(SimpleMeterRegistry.class)
			.withBean(ObservationRegistry.class, ObservationRegistry::create)
			.withBean(Tracer.class, () -> Tracer.NOOP)
			.run((context) -> {
				assertThat(context).hasSingleBean(LockMetrics.class).hasSingleBean(LockObservations.class);
				context.getBean(LockTemplate.class).execute(LockRequest.of("a"), (handle) -> null);
				assertThat(context.getBean(MeterRegistry.class)
					.get("zk.lock.wait")
					.tags("name", "default")
					.timer()
					.count()).isOne();
			});
	}

	@Test
	void locksOfTheApplicationAloneAreTraced() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockObservationAutoConfiguration.class))
			.withBean(InMemoryLockProvider.class)
			.withBean(ObservationRegistry.class, ObservationRegistry::create)
			.withBean(Tracer.class, () -> Tracer.NOOP)
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(LockObservations.class));
	}

	@Test
	void registryWhoseCreationNeedsALockIsNoCircle() {
		this.inMemory.withUserConfiguration(LockingRegistry.class).run((context) -> {
			assertThat(context).hasNotFailed();
			context.getBean(LockTemplate.class).execute(LockRequest.of("a"), (handle) -> null);
			assertThat(context.getBean(MeterRegistry.class).find("zk.lock.wait").timers()).isNotEmpty();
		});
	}

	@Test
	void jobsHaveMetersOnceTheyAreScheduled() {
		this.inMemory
			.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class,
					ZkLockSchedulingAutoConfiguration.class, TaskSchedulingAutoConfiguration.class))
			.withUserConfiguration(Jobs.class)
			.withBean(SimpleMeterRegistry.class)
			.run((context) -> {
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				Gauge paused = registry.get("zk.lock.job.paused").tag("name", "nightly").gauge();
				Awaitility.await().until(() -> paused.value() == 0);
				context.getBean(LockJobs.class).run("nightly").join();
				Awaitility.await()
					.until(() -> registry.get("zk.lock.job.runs")
						.tags("name", "nightly", "outcome", "done")
						.counter()
						.count() == 1);
				long days = context.getBean(ScheduledJobs.class)
					.planned("nightly", Instant.parse("2026-10-05T00:00:00Z"), Instant.parse("2026-10-08T01:00:00Z"),
							100);
				assertThat(days).isEqualTo(4);
			});
	}

	@EnableScheduling
	static class Jobs {

		@Scheduled(cron = "0 0 1 * * *", zone = "UTC")
		@DistributedLock(key = "nightly", name = "nightly")
		void nightly() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LockingRegistry {

		@Bean
		MeterRegistry meterRegistry(LockTemplate locks) {
			return locks.execute(LockRequest.of("registry"), (handle) -> new SimpleMeterRegistry());
		}

	}

}
