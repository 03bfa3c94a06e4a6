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
import java.util.concurrent.CompletableFuture;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.autoconfigure.TickBeans.Counting;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockKeyException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.AcquireContext;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.interceptor.ScheduledJobs;
import io.github.zklock.support.ManualTaskScheduler;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A run by hand reports when its method begins, and why it does not.
 */
class RunByHandTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final ManualTaskScheduler scheduler = new ManualTaskScheduler(TickNode.START);

	private LockProvider provider = new InMemoryLockProvider();

	@ParameterizedTest
	@ValueSource(classes = { AsyncJobWithoutKey.class, MonoWithoutKey.class })
	void runWithoutAKeyFails(Class<?> type) {
		application(type).run((context) -> assertThat(run(context.getBean(ScheduledJobs.class))).failsWithin(PATIENCE)
			.withThrowableThat()
			.withCauseInstanceOf(LockKeyException.class));
	}

	@ParameterizedTest
	@ValueSource(classes = { TickBeans.AsyncJob.class, TickBeans.MonoJob.class })
	void runWhoseAcquireFailsFails(Class<?> type) {
		this.provider = new BrokenProvider();
		application(type).run((context) -> assertThat(run(context.getBean(ScheduledJobs.class))).failsWithin(PATIENCE)
			.withThrowableThat()
			.withCauseInstanceOf(BrokenException.class));
	}

	@Test
	void runThatNeedsNoLockBeginsBeforeItsMethodEnds() {
		application(WithoutLock.class).run((context) -> {
			WithoutLock job = context.getBean(WithoutLock.class);
			job.expect(context.getBean(ScheduledJobs.class).run("without-lock-report"));
			this.scheduler.advance(Duration.ZERO);
			assertThat(job.hadBegun()).isTrue();
		});
	}

	@ParameterizedTest
	@CsvSource({ "Overridden, Overriding", "OverriddenMono, OverridingMono" })
	void jobsOfAMethodAndOfOneThatOverridesItRunForThemselves(String overridden, String overriding) throws Exception {
		application(nested(overridden)).withBean(nested(overriding)).run((context) -> {
			ScheduledJobs jobs = context.getBean(ScheduledJobs.class);
			for (String name : jobs.names()) {
				CompletableFuture<Void> begun = jobs.run(name);
				this.scheduler.advance(Duration.ZERO);
				assertThat(begun).succeedsWithin(PATIENCE);
			}
			// A publisher works on another thread.
			Awaitility.await()
				.untilAsserted(() -> assertThat(context.getBeansOfType(Counting.class).values()).hasSize(2)
					.allSatisfy((job) -> assertThat(job.runs()).isOne()));
		});
	}

	private static Class<?> nested(String name) throws ClassNotFoundException {
		return Class.forName(RunByHandTests.class.getName() + "$" + name);
	}

	private CompletableFuture<Void> run(ScheduledJobs jobs) {
		CompletableFuture<Void> begun = jobs.run(jobs.names().get(0));
		this.scheduler.advance(Duration.ZERO);
		return begun;
	}

	private ApplicationContextRunner application(Class<?> job) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class,
					ZkLockSchedulingAutoConfiguration.class))
			.withBean("locks", LockProvider.class, () -> this.provider)
			.withBean("taskScheduler", ManualTaskScheduler.class, () -> this.scheduler)
			.withUserConfiguration(TickNode.Scheduling.class)
			.withBean(job);
	}

	static class AsyncJobWithoutKey {

		@Async
		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@DistributedLock("#{#root.target.unknown()}")
		void report() {
		}

		@Nullable String unknown() {
			return null;
		}

	}

	static class MonoWithoutKey {

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@DistributedLock("#{#root.target.unknown()}")
		Mono<Void> report() {
			return Mono.empty();
		}

		@Nullable String unknown() {
			return null;
		}

	}

	static class Overridden extends Counting {

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@DistributedLock("overridden")
		void report() {
			this.runs.incrementAndGet();
		}

	}

	static class Overriding extends Overridden {

		@Override
		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@DistributedLock("overriding")
		void report() {
			super.report();
		}

	}

	static class OverriddenMono extends Counting {

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@DistributedLock("overridden")
		Mono<Void> report() {
			return Mono.fromRunnable(this.runs::incrementAndGet);
		}

	}

	static class OverridingMono extends OverriddenMono {

		@Override
		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@DistributedLock("overriding")
		Mono<Void> report() {
			return super.report();
		}

	}

	static class WithoutLock {

		private @Nullable CompletableFuture<Void> expected;

		private boolean hadBegun;

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@DistributedLock(key = "report", condition = "false")
		void report() {
			this.hadBegun = this.expected != null && this.expected.isDone();
		}

		void expect(CompletableFuture<Void> begun) {
			this.expected = begun;
		}

		boolean hadBegun() {
			return this.hadBegun;
		}

	}

	private static final class BrokenException extends RuntimeException {

		private static final long serialVersionUID = 1L;

	}

	private static final class BrokenProvider implements LockProvider {

		@Override
		public LockHandle acquire(LockRequest request, AcquireContext context) {
			throw new BrokenException();
		}

		@Override
		public CompletableFuture<LockHandle> acquireAsync(LockRequest request, AcquireContext context) {
			return CompletableFuture.failedFuture(new BrokenException());
		}

	}

}
