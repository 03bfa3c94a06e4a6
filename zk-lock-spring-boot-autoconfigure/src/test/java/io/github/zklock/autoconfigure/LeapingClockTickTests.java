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

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.LeapingClock;
import io.github.zklock.support.RecordingLockProvider;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ConcurrentTaskScheduler;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The ticks of jobs of a minute, an hour and a day, with each kind of scheduler, on a
 * clock that leaps from tick to tick.
 */
class LeapingClockTickTests {

	private static final Instant START = Instant.parse("2026-10-05T09:30:30Z");

	private static final int TICKS = 4;

	private final InMemoryLockProvider shared = new InMemoryLockProvider();

	private final List<RecordingLockProvider> nodes = new ArrayList<>();

	@ParameterizedTest
	@MethodSource
	void eachRunHasTheTickThatWasPlanned(Scheduler scheduler, String cron) {
		Book book = new Book(cron, false);
		node(scheduler, book).run((context) -> {
			Awaitility.await().until(() -> book.runs.size() >= TICKS);
			book.assertEachTickRanOnceAndNotEarly();
			assertThat(times(0)).contains(book.clock.tickAfter(START));
		});
	}

	static Stream<Arguments> eachRunHasTheTickThatWasPlanned() {
		return Stream.of(Scheduler.values())
			.filter(Scheduler::isAvailable)
			.flatMap((scheduler) -> Stream.of("0 * * * * *", "0 0 * * * *", "0 0 2 * * *")
				.map((cron) -> Arguments.of(scheduler, cron)));
	}

	@ParameterizedTest
	@MethodSource
	void nodesWithDifferentSchedulersRunEachTickOnce(Scheduler one, Scheduler other, boolean longBodies) {
		Book book = new Book("0 0 2 * * *", longBodies);
		node(one, book).run((first) -> node(other, book).run((second) -> {
			Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> book.runs.size() >= TICKS);
			book.assertEachTickRanOnceAndNotEarly();
			assertThat(times(0)).doesNotHaveDuplicates();
			assertThat(times(1)).doesNotHaveDuplicates();
		}));
	}

	static Stream<Arguments> nodesWithDifferentSchedulersRunEachTickOnce() {
		Scheduler async = Scheduler.VIRTUAL.isAvailable() ? Scheduler.VIRTUAL : Scheduler.SIMPLE_ASYNC;
		return Stream
			.of(Arguments.of(async, async), Arguments.of(async, Scheduler.POOL), Arguments.of(Scheduler.POOL, async),
					Arguments.of(Scheduler.POOL, Scheduler.CONCURRENT))
			.flatMap((pair) -> Stream.of(false, true)
				.map((longBodies) -> Arguments.of(pair.get()[0], pair.get()[1], longBodies)));
	}

	private List<Instant> times(int node) {
		return this.nodes.get(node)
			.requests()
			.stream()
			.map(LockRequest::tick)
			.map((tick) -> Objects.requireNonNull(tick).time())
			.map(Objects::requireNonNull)
			.toList();
	}

	private ApplicationContextRunner node(Scheduler scheduler, Book book) {
		RecordingLockProvider locks = new RecordingLockProvider(this.shared);
		this.nodes.add(locks);
		ApplicationContextRunner runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class,
					ZkLockSchedulingAutoConfiguration.class, TaskSchedulingAutoConfiguration.class))
			.withBean("locks", LockProvider.class, () -> locks)
			.withBean(Book.class, () -> book)
			.withUserConfiguration(Scheduling.class, Job.class)
			.withPropertyValues("app.cron=" + book.cron,
					"spring.threads.virtual.enabled=" + (scheduler == Scheduler.BOOT_VIRTUAL));
		TaskScheduler bean = scheduler.create();
		return (bean != null) ? runner.withBean("taskScheduler", TaskScheduler.class, () -> bean) : runner;
	}

	private enum Scheduler {

		BOOT, BOOT_VIRTUAL, POOL, CONCURRENT, SIMPLE_ASYNC, VIRTUAL;

		boolean isAvailable() {
			return !name().contains("VIRTUAL") || JRE.currentVersion().compareTo(JRE.JAVA_21) >= 0;
		}

		@Nullable TaskScheduler create() {
			return switch (this) {
				case BOOT, BOOT_VIRTUAL -> null;
				case POOL -> pool();
				case CONCURRENT -> new ConcurrentTaskScheduler(Executors.newScheduledThreadPool(2));
				case SIMPLE_ASYNC -> new SimpleAsyncTaskScheduler();
				case VIRTUAL -> virtual();
			};
		}

		private static TaskScheduler pool() {
			ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
			scheduler.setPoolSize(4);
			return scheduler;
		}

		private static TaskScheduler virtual() {
			SimpleAsyncTaskScheduler scheduler = new SimpleAsyncTaskScheduler();
			scheduler.setVirtualThreads(true);
			return scheduler;
		}

	}

	/**
	 * What the job of all nodes has run, on the clock of all nodes.
	 */
	private static final class Book implements BeanPostProcessor {

		private final String cron;

		private final LeapingClock clock;

		private final boolean longBodies;

		private final Map<Instant, Integer> runs = new ConcurrentSkipListMap<>();

		private final List<String> early = new ArrayList<>();

		Book(String cron, boolean longBodies) {
			this.cron = cron;
			this.longBodies = longBodies;
			this.clock = new LeapingClock(cron, START);
		}

		@Override
		public Object postProcessBeforeInitialization(Object bean, String name) {
			setClock(bean, this.clock);
			return bean;
		}

		private static void setClock(Object scheduler, Clock clock) {
			if (scheduler instanceof ThreadPoolTaskScheduler pool) {
				pool.setClock(clock);
			}
			else if (scheduler instanceof ConcurrentTaskScheduler concurrent) {
				concurrent.setClock(clock);
			}
			else if (scheduler instanceof SimpleAsyncTaskScheduler async) {
				async.setClock(clock);
			}
		}

		void run() {
			Instant tick = Objects.requireNonNull(Objects.requireNonNull(LockTick.current()).time());
			synchronized (this.early) {
				// No timer fires early on this clock, so a tick of the future is wrong.
				Instant now = this.clock.instant();
				if (tick.isAfter(now)) {
					this.early.add(tick + " ran at " + now);
				}
			}
			this.runs.merge(tick, 1, Integer::sum);
			if (this.longBodies) {
				Instant next = this.clock.tickAfter(tick);
				Awaitility.await().until(() -> this.clock.instant().isAfter(next));
			}
		}

		void assertEachTickRanOnceAndNotEarly() {
			synchronized (this.early) {
				assertThat(this.early).isEmpty();
			}
			assertThat(this.runs.values()).containsOnly(1);
		}

	}

	@EnableScheduling
	static class Scheduling {

	}

	static class Job {

		private final Book book;

		Job(Book book) {
			this.book = book;
		}

		@Scheduled(cron = "${app.cron}", zone = "UTC")
		@DistributedLock("report")
		void report() {
			this.book.run();
		}

	}

}
