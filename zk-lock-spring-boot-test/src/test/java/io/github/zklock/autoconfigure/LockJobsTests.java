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
import java.time.Instant;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OncePerTick;
import io.github.zklock.autoconfigure.TickBeans.Counting;
import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockJob;
import io.github.zklock.core.LockJob.Outcome;
import io.github.zklock.core.LockJobs;
import io.github.zklock.core.LockKeyException;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.interceptor.JobRecovery;
import io.github.zklock.interceptor.ScheduledJobs;
import io.github.zklock.scheduling.ScheduledRun;
import io.github.zklock.scheduling.ScheduledRunConfigurer;
import io.github.zklock.support.ManualTaskScheduler;
import io.github.zklock.test.LockTesting;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The jobs of an application, which any node can pause, resume and run.
 */
@ExtendWith(OutputCaptureExtension.class)
class LockJobsTests {

	private static final Duration ONE_TICK = Duration.ofSeconds(10);

	private static final String NAME = "cron-job-report";

	private final InMemoryLockProvider provider = new InMemoryLockProvider();

	private final ManualTaskScheduler scheduler = new ManualTaskScheduler(TickNode.START);

	@Test
	void jobIsListedWithItsPlanAndItsRuns() {
		application(TickBeans.CronJob.class).run((context) -> {
			this.scheduler.advance(ONE_TICK);
			LockJobs jobs = context.getBean(LockJobs.class);
			assertThat(jobs.list()).singleElement().satisfies((job) -> {
				assertThat(job.name()).isEqualTo(NAME);
				assertThat(job.schedule()).isEqualTo(TickBeans.CronJob.class.getName() + ".report");
				assertThat(job.key()).isEqualTo("report");
				assertThat(job.cron()).isEqualTo(TickBeans.EVERY_TEN_SECONDS);
				assertThat(job.zone()).isEqualTo("UTC");
				assertThat(job.period()).isNull();
				assertThat(job.nextTime()).isNotNull();
				assertThat(job.pausedSince()).isNull();
				assertThat(job.runs()).singleElement().satisfies((run) -> {
					assertThat(run.time()).isEqualTo(TickNode.START.plusSeconds(5));
					assertThat(run.outcome()).isEqualTo(Outcome.DONE);
					assertThat(run.byHand()).isFalse();
				});
			});
			assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(() -> jobs.get("other"))
				.withMessageStartingWith("There is no job 'other', but these: " + NAME);
		});
	}

	@Test
	void applicationWithoutJobsReportsThatItHasNone() {
		application(Unplanned.class).run((context) -> {
			LockJobs jobs = context.getBean(LockJobs.class);
			assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(() -> jobs.get("other"))
				.withMessageStartingWith("There is no job 'other': this application has none. A job is ");
		});
	}

	@Test
	void pausedJobIsSkippedWithOneLineForEachPause(CapturedOutput output) {
		application(TickBeans.CronJob.class).run((context) -> {
			LockJobs jobs = context.getBean(LockJobs.class);
			Counting job = context.getBean(Counting.class);
			for (int pause = 1; pause <= 2; pause++) {
				jobs.pause(NAME, "admin-" + pause);
				assertThat(jobs.get(NAME).pausedBy()).isEqualTo("admin-" + pause);
				this.scheduler.advance(ONE_TICK.multipliedBy(3));
				assertThat(job.runs()).isEqualTo(pause - 1);
				jobs.resume(NAME);
				assertThat(jobs.get(NAME).pausedSince()).isNull();
				this.scheduler.advance(ONE_TICK);
				assertThat(job.runs()).isEqualTo(pause);
			}
			assertThat(output).containsOnlyOnce("by admin-1").containsOnlyOnce("by admin-2");
		});
	}

	@ParameterizedTest
	@ValueSource(
			classes = { TickBeans.CronJob.class, TickBeans.AsyncJob.class, TickBeans.MonoJob.class, PeriodicJob.class })
	void jobRunsByHandEvenInAPause(Class<? extends Counting> type) {
		application(type).run((context) -> {
			LockJobs jobs = context.getBean(LockJobs.class);
			String name = jobs.list().get(0).name();
			jobs.pause(name, null);
			CompletableFuture<Void> begun = run(jobs, name);
			assertThat(begun).succeedsWithin(Duration.ofSeconds(30));
			Awaitility.await().until(() -> context.getBean(Counting.class).runs() == 1);
			Awaitility.await().until(() -> jobs.get(name).runs().get(0).outcome() == Outcome.DONE);
			assertThat(jobs.get(name).runs()).singleElement().extracting(LockJob.Run::byHand).isEqualTo(true);
		});
	}

	@Test
	void runByHandIsRefusedWhileTheKeyIsTaken() {
		application(JobWithFallback.class).run((context) -> {
			LockJobs jobs = context.getBean(LockJobs.class);
			LockHandle other = new LockTesting(this.provider).hold("report");
			CompletableFuture<Void> begun = run(jobs, "job-with-fallback-report");
			assertThat(begun).failsWithin(Duration.ofSeconds(30))
				.withThrowableThat()
				.withCauseInstanceOf(LockNotAcquiredException.class);
			other.release();
			assertThat(run(jobs, "job-with-fallback-report")).succeedsWithin(Duration.ofSeconds(30));
			JobWithFallback job = context.getBean(JobWithFallback.class);
			assertThat(job.runs()).isEqualTo(1);
			assertThat(job.tick().isByHand()).isTrue();
			assertThat(job.fallbacks()).isZero();
		});
	}

	@Test
	void runByHandThatTheSchedulerRejectsFails() {
		ThreadPoolTaskScheduler pool = new ThreadPoolTaskScheduler();
		application(TickBeans.CronJob.class, pool).run((context) -> {
			pool.getScheduledExecutor().shutdown();
			assertThat(context.getBean(LockJobs.class).run(NAME)).failsWithin(Duration.ofSeconds(30))
				.withThrowableThat()
				.withCauseInstanceOf(LockUnavailableException.class)
				.withMessageContaining("its scheduler takes no tasks");
		});
	}

	@Test
	void runByHandIsNoTick() {
		application(TickBeans.CronJob.class).run((context) -> {
			run(context.getBean(LockJobs.class), NAME);
			this.scheduler.advance(ONE_TICK);
			assertThat(context.getBean(Counting.class).runs()).isEqualTo(2);
			assertThat(context.getBean(LockJobs.class).get(NAME).runs()).extracting(LockJob.Run::byHand)
				.containsExactly(false, true);
		});
	}

	@Test
	void keyThatIsComputedNamesTheJob() {
		application(ComputedKey.class).run((context) -> {
			this.scheduler.advance(ONE_TICK);
			assertThat(context.getBean(LockJobs.class).list()).singleElement().satisfies((job) -> {
				assertThat(job.key()).isEqualTo("report:ComputedKey");
				assertThat(job.runs()).hasSize(1);
			});
		});
	}

	@Test
	void keyThatCannotBeComputedYetIsNoKeyOfOtherJobs() {
		application(TickBeans.CronJob.class).withBean(EarlyKey.class).run((context) -> {
			this.scheduler.advance(ONE_TICK);
			ScheduledJobs jobs = context.getBean(ScheduledJobs.class);
			assertThat(jobs.names()).containsExactly(NAME, "early-key-report");
			assertThat(jobs.get(NAME).runs()).hasSize(1);
			assertThat(jobs.list()).extracting(LockJob::name).containsExactly(NAME);
			assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> jobs.get("early-key-report"));
		});
	}

	@Test
	void runByHandThatNeedsNoLockBegins() {
		application(NoLockNow.class).run((context) -> {
			assertThat(run(context.getBean(LockJobs.class), "no-lock-now-report"))
				.succeedsWithin(Duration.ofSeconds(30));
			assertThat(context.getBean(Counting.class).runs()).isEqualTo(1);
		});
	}

	@Test
	void methodThatNeedsNoLockLeavesTheTickToTheNextOne() {
		application(TwoSteps.class).run((context) -> {
			TwoSteps steps = context.getBean(TwoSteps.class);
			ScheduledRun.callAt(TickNode.START, () -> {
				steps.prepare();
				steps.report();
			});
			assertThat(steps.time()).isEqualTo(TickNode.START);
		});
	}

	@Test
	void methodsWithoutTicksAreNoJobs() {
		application(Unplanned.class).run((context) -> assertThat(context.getBean(LockJobs.class).list()).isEmpty());
	}

	@Test
	void applicationWithoutSchedulingHasJobsButNothingThatServesTheirTicks() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class,
					ZkLockSchedulingAutoConfiguration.class))
			.withBean("locks", LockProvider.class, () -> this.provider)
			.withUserConfiguration(TickBeans.CronJob.class)
			.run((context) -> {
				assertThat(context).hasSingleBean(LockJobs.class)
					.doesNotHaveBean(ScheduledRunConfigurer.class)
					.doesNotHaveBean(JobRecovery.class);
				LockJobs jobs = context.getBean(LockJobs.class);
				assertThat(jobs.list()).isEmpty();
				assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(() -> jobs.pause(NAME, null));
			});
	}

	private CompletableFuture<Void> run(LockJobs jobs, String name) {
		CompletableFuture<Void> begun = jobs.run(name);
		this.scheduler.advance(Duration.ZERO);
		return begun;
	}

	private ApplicationContextRunner application(Class<?> job) {
		return application(job, this.scheduler);
	}

	private ApplicationContextRunner application(Class<?> job, TaskScheduler scheduler) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class,
					ZkLockSchedulingAutoConfiguration.class))
			.withBean("locks", LockProvider.class, () -> this.provider)
			.withBean("taskScheduler", TaskScheduler.class, () -> scheduler)
			.withUserConfiguration(TickNode.Scheduling.class, job);
	}

	static class PeriodicJob extends Counting {

		@Scheduled(fixedRate = 3_600_000, initialDelay = 3_600_000)
		@DistributedLock("report")
		void report() {
			this.runs.incrementAndGet();
		}

	}

	static class ComputedKey extends Counting {

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@DistributedLock("report:#{#root.targetClass.simpleName}")
		void report() {
			this.runs.incrementAndGet();
		}

	}

	static class TwoSteps {

		private @Nullable Instant time;

		@DistributedLock(key = "prepare", condition = "false")
		void prepare() {
		}

		@DistributedLock("report")
		void report() {
			this.time = LockTick.current().time();
		}

		@Nullable Instant time() {
			return this.time;
		}

	}

	abstract static class Ancestor extends Counting {

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@DistributedLock("#{#root.targetClass.simpleName}")
		void report() {
			this.runs.incrementAndGet();
		}

	}

	static class Heir extends Ancestor {

	}

	static class OtherHeir extends Ancestor {

	}

	static class EarlyKey {

		@Scheduled(cron = "0 0 0 1 1 *")
		@DistributedLock("report:#{#root.target.region()}")
		void report() {
		}

		@Nullable String region() {
			return null;
		}

	}

	static class NoLockNow extends Counting {

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@DistributedLock(key = "report", condition = "false")
		@OncePerTick(recoverWithin = "1h")
		void report() {
			this.runs.incrementAndGet();
		}

	}

	static class Unplanned {

		@DistributedLock("report")
		void called() {
		}

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		void unguarded() {
		}

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@DistributedLock(key = "report", lockAtLeastFor = "1s")
		void withoutTicks() {
		}

	}

	static class JobWithFallback extends Counting {

		private LockTick tick;

		private int fallbacks;

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@DistributedLock(key = "report", waitTime = "10m", fallbackMethod = "skipped")
		void report() {
			this.tick = LockTick.current();
			this.runs.incrementAndGet();
		}

		LockTick tick() {
			return this.tick;
		}

		int fallbacks() {
			return this.fallbacks;
		}

		void skipped(LockException refusal) {
			this.fallbacks++;
		}

	}

}
