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

package io.github.zklock.autoconfigure.bridge;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.zklock.autoconfigure.ZkLockAopAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockSchedulingAutoConfiguration;
import io.github.zklock.bridge.shedlock.ShedLockProvider;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.ManualTaskScheduler;
import io.github.zklock.test.memory.InMemoryLockProvider;
import net.javacrumbs.shedlock.core.LockAssert;
import net.javacrumbs.shedlock.core.LockExtender;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock.InterceptMode;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Methods with ShedLock's annotation on two nodes with one clock: the second one fires
 * when the first one is done.
 */
class ZkLockShedLockAutoConfigurationTests {

	private static final Duration FIVE_TICKS = Duration.ofSeconds(50);

	private static final List<String> runs = new CopyOnWriteArrayList<>();

	private final InMemoryLockProvider shared = new InMemoryLockProvider();

	private final ManualTaskScheduler first = scheduler();

	private final ManualTaskScheduler second = scheduler();

	ZkLockShedLockAutoConfigurationTests() {
		runs.clear();
	}

	@Test
	void scheduledMethodRunsOncePerTick() {
		onBothNodes(OnMethods.class, () -> {
			for (int tick = 1; tick <= 5; tick++) {
				this.first.advance(Duration.ofSeconds(10));
				this.second.advance(Duration.ofSeconds(10));
				assertThat(runs).containsOnly("report").hasSize(tick);
			}
		});
	}

	@Test
	void lockOnTheSchedulerIsKeptButKnowsNoTicks() {
		onBothNodes(OnScheduler.class, () -> {
			this.first.advance(FIVE_TICKS);
			this.second.advance(FIVE_TICKS);
			assertThat(runs).containsOnly("report").hasSize(10);
		});
	}

	@Test
	void lockOnTheSchedulerKeepsTheJobFromRunningWhileAnotherHoldsIt() {
		node(this.first, OnScheduler.class).run((context) -> {
			LockHandle other = this.shared
				.acquire(LockRequest.of(ShedLockProvider.KEY_PREFIX + "report").withOwner("other"));
			this.first.advance(FIVE_TICKS);
			assertThat(runs).isEmpty();
			other.release();
			this.first.advance(FIVE_TICKS);
			assertThat(runs).containsOnly("report").hasSize(5);
		});
	}

	@Test
	void lockThatWasLostIsToldWhenTheMethodReturns() {
		node(this.first, OnMethods.class).run((context) -> {
			Job job = context.getBean(Job.class);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> job.losing(this.shared));
			assertThat(runs).containsExactly("losing");
		});
	}

	@Test
	void providerOfTheApplicationIsKept() {
		node(this.first, OnMethods.class)
			.withBean("own", net.javacrumbs.shedlock.core.LockProvider.class, () -> (configuration) -> null)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ShedLockProvider.class));
	}

	@Test
	void applicationStartsWithoutShedLocksAnnotation() {
		node(this.first).withClassLoader(new FilteredClassLoader("net.javacrumbs.shedlock.spring"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasBean("zkLockShedLockProvider")
				.doesNotHaveBean("zkLockShedLockTasks"));
	}

	private void onBothNodes(Class<?> configuration, Runnable test) {
		node(this.first, configuration).run((one) -> node(this.second, configuration).run((other) -> {
			assertThat(one).hasNotFailed();
			assertThat(other).hasNotFailed();
			test.run();
		}));
	}

	private ApplicationContextRunner node(ManualTaskScheduler scheduler, Class<?>... configuration) {
		ApplicationContextRunner runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class,
					ZkLockSchedulingAutoConfiguration.class, ZkLockShedLockAutoConfiguration.class))
			.withBean("locks", LockProvider.class, () -> this.shared)
			.withBean("taskScheduler", TaskScheduler.class, () -> proxied(scheduler));
		return (configuration.length > 0) ? runner.withUserConfiguration(configuration).withBean(Job.class) : runner;
	}

	// ShedLock puts a proxy around it, which a final class does not allow.
	private static TaskScheduler proxied(ManualTaskScheduler scheduler) {
		return (TaskScheduler) Proxy.newProxyInstance(TaskScheduler.class.getClassLoader(),
				new Class<?>[] { TaskScheduler.class },
				(proxy, method, arguments) -> method.invoke(scheduler, arguments));
	}

	private static ManualTaskScheduler scheduler() {
		return new ManualTaskScheduler(Instant.parse("2026-10-05T09:59:55Z"));
	}

	@EnableScheduling
	@EnableSchedulerLock(defaultLockAtMostFor = "1m")
	static class OnMethods {

	}

	@SuppressWarnings("removal")
	@EnableScheduling
	@EnableSchedulerLock(defaultLockAtMostFor = "1m", interceptMode = InterceptMode.PROXY_SCHEDULER)
	static class OnScheduler {

	}

	static class Job {

		@Scheduled(cron = "0/10 * * * * *")
		@SchedulerLock(name = "report")
		void report() {
			LockAssert.assertLocked();
			LockExtender.extendActiveLock(Duration.ofMinutes(5), Duration.ZERO);
			runs.add("report");
		}

		@SchedulerLock(name = "losing")
		void losing(InMemoryLockProvider locks) {
			locks.loseAll();
			runs.add("losing");
		}

	}

}
