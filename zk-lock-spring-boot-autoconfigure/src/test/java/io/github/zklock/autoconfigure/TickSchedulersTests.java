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

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.ConcurrentTests;
import io.github.zklock.support.RecordingLockProvider;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.JRE;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Ticks of each kind of scheduler that an application may have.
 */
class TickSchedulersTests {

	@TestFactory
	Stream<DynamicTest> eachRunIsATickOfItsOwn() {
		List<Class<?>> schedulers = Stream
			.of(NoScheduler.class, Pool.class, SimpleAsync.class, Virtual.class, OwnConfigurer.class, Two.class)
			.filter((type) -> type != Virtual.class || JRE.currentVersion().compareTo(JRE.JAVA_21) >= 0)
			.<Class<?>>map((type) -> type)
			.toList();
		return new ConcurrentTests().add("each run is a tick of its own", schedulers, this::eachRunIsATickOfItsOwn)
			.stream();
	}

	private void eachRunIsATickOfItsOwn(Class<?> scheduler) {
		RecordingLockProvider locks = new RecordingLockProvider(new InMemoryLockProvider());
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class,
					ZkLockSchedulingAutoConfiguration.class))
			.withBean("locks", LockProvider.class, () -> locks)
			.withUserConfiguration(Scheduling.class, scheduler)
			.withBean(TickLog.class)
			.withBean(TickLog.Job.class)
			.run((context) -> {
				Awaitility.await().until(() -> context.getBean(TickLog.class).runs().size() >= 2);
				List<Instant> times = locks.requests()
					.stream()
					.map(LockRequest::tick)
					.map(LockTick::time)
					.map(Objects::requireNonNull)
					.toList();
				assertThat(times).doesNotHaveDuplicates().isSorted().allMatch((time) -> time.getNano() == 0);
			});
	}

	@EnableScheduling
	static class Scheduling {

	}

	static class NoScheduler {

	}

	@Configuration(proxyBeanMethods = false)
	static class Pool {

		@Bean
		TaskScheduler taskScheduler() {
			ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
			scheduler.setPoolSize(4);
			return scheduler;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SimpleAsync {

		@Bean
		TaskScheduler taskScheduler() {
			return new SimpleAsyncTaskScheduler();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Virtual {

		@Bean
		TaskScheduler taskScheduler() {
			SimpleAsyncTaskScheduler scheduler = new SimpleAsyncTaskScheduler();
			scheduler.setVirtualThreads(true);
			return scheduler;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnConfigurer extends Pool {

		@Bean
		SchedulingConfigurer ownConfigurer(TaskScheduler taskScheduler) {
			return (registrar) -> registrar.setTaskScheduler(taskScheduler);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Two extends Pool {

		@Bean
		TaskScheduler other() {
			return new SimpleAsyncTaskScheduler();
		}

		@Bean
		SimpleAsyncTaskExecutor executor() {
			return new SimpleAsyncTaskExecutor();
		}

		@Scheduled(cron = "* * * * * *", scheduler = "other")
		void unguarded() {
		}

	}

}
