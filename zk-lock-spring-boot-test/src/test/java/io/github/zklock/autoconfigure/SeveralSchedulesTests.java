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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OncePerTick;
import io.github.zklock.autoconfigure.TickBeans.Counting;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockJob;
import io.github.zklock.core.LockJob.Outcome;
import io.github.zklock.core.LockJobs;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.interceptor.ScheduledJobs;
import io.github.zklock.support.ManualTaskScheduler;
import io.github.zklock.test.LockTesting;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * A method with several schedules, and a class with several beans: what is planned, and
 * for which key, is known to the jobs.
 */
class SeveralSchedulesTests {

	private static final Duration ONE_TICK = Duration.ofSeconds(10);

	private static final Instant TICK = TickNode.START.plusSeconds(5);

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final InMemoryLockProvider provider = new InMemoryLockProvider();

	private final ManualTaskScheduler scheduler = new ManualTaskScheduler(TickNode.START);

	@Test
	void pauseHoldsForEachScheduleOfAMethod() {
		application().withBean("mixed", Mixed.class).run((context) -> {
			LockJobs jobs = context.getBean(LockJobs.class);
			Mixed job = context.getBean(Mixed.class);
			this.scheduler.advance(ONE_TICK);
			int before = job.runs();
			assertThat(jobs.list()).singleElement().satisfies((listed) -> {
				assertThat(listed.cron()).isEqualTo(TickBeans.EVERY_TEN_SECONDS);
				assertThat(listed.period()).isEqualTo(Duration.ofSeconds(2));
				assertThat(listed.runs()).hasSize(before).extracting(LockJob.Run::time).contains(null, TICK);
			});
			jobs.pause("mixed-report", "admin");
			this.scheduler.advance(ONE_TICK.multipliedBy(3));
			assertThat(job.runs()).isEqualTo(before);
			assertThat(jobs.get("mixed-report").pausedBy()).isEqualTo("admin");
			jobs.resume("mixed-report");
			assertThat(jobs.get("mixed-report").pausedSince()).isNull();
			this.scheduler.advance(ONE_TICK);
			assertThat(job.runs()).isGreaterThan(before + 1);
		});
	}

	@Test
	void pauseHoldsWhenARateBecomesACronExpression() {
		application().withBean("rate", Rate.class)
			.run((context) -> context.getBean(LockJobs.class).pause("report", "admin"));
		application().withBean("cron", Cron.class).run((context) -> {
			this.scheduler.advance(ONE_TICK);
			assertThat(context.getBean(Counting.class).runs()).isZero();
			assertThat(context.getBean(LockJobs.class).get("report").pausedBy()).isEqualTo("admin");
		});
	}

	@ParameterizedTest
	@ValueSource(classes = { Region.class, MonoRegion.class })
	void eachBeanOfAClassWithAKeyOfItsOwnIsAJob(Class<? extends Named> type) throws Exception {
		application().withBean("north", type, "north").withBean("south", type, "south").run((context) -> {
			Named north = context.getBean("north", Named.class);
			Named south = context.getBean("south", Named.class);
			LockJobs jobs = context.getBean(LockJobs.class);
			assertThat(jobs.list()).extracting(LockJob::name, LockJob::key)
				.containsExactly(tuple("report.north", "report:north"), tuple("report.south", "report:south"));
			for (String name : new String[] { "north", "south" }) {
				CompletableFuture<Void> begun = jobs.run("report." + name);
				this.scheduler.advance(Duration.ZERO);
				assertThat(begun).succeedsWithin(PATIENCE);
				Awaitility.await().until(() -> jobs.get("report." + name).runs().get(0).outcome() == Outcome.DONE);
			}
			assertThat(north.runs()).isOne();
			assertThat(south.runs()).isOne();
			jobs.pause("report.south", null);
			this.scheduler.advance(ONE_TICK);
			Awaitility.await().until(() -> north.runs() == 2);
			assertThat(south.runs()).isOne();
			assertThat(jobs.get("report.north").pausedSince()).isNull();
			assertThat(context.getBean(ScheduledJobs.class)
				.planned("report.north", TickNode.START, TickNode.START.plusSeconds(60), 100)).isEqualTo(6);
		});
	}

	@Test
	void jobsThatInheritTheirMethodAreRunForThemselves() {
		application().withBean(LockJobsTests.Heir.class).withBean(LockJobsTests.OtherHeir.class).run((context) -> {
			LockJobs jobs = context.getBean(LockJobs.class);
			for (String name : new String[] { "heir-report", "other-heir-report" }) {
				CompletableFuture<Void> begun = jobs.run(name);
				this.scheduler.advance(Duration.ZERO);
				assertThat(begun).succeedsWithin(PATIENCE);
			}
			assertThat(context.getBeansOfType(Counting.class).values())
				.allSatisfy((job) -> assertThat(job.runs()).isOne());
		});
	}

	@Test
	void runThatHasDiedIsRepeatedByItsOwnBean() {
		LockTick last = LockTick.at(Recovered.class.getName() + ".report", TickNode.START.minusSeconds(25))
			.withMaxAttempts(3);
		// Only the south is known to have run, and its runner has died.
		this.provider.acquire(LockRequest.of("report:south").withTick(last).withOwner("another node"));
		new LockTesting(this.provider).killHolder("report:south");
		application().withBean("north", Recovered.class, "north")
			.withBean("south", Recovered.class, "south")
			.run((context) -> {
				this.scheduler.advance(Duration.ofSeconds(4));
				assertThat(context.getBean("south", Recovered.class).attempts()).startsWith(last.time() + " 2");
				assertThat(context.getBean("north", Recovered.class).runs()).isZero();
			});
	}

	@Test
	void beansWithOneKeyAndAPeriodAreRefused() {
		application().withBean("one", Rate.class)
			.withBean("other", Rate.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockUsageException.class)
				.hasMessageContaining("the beans one, other have the same key 'report'"));
	}

	@Test
	void beansWithOneKeyAndACronExpressionAreOneJob() {
		application().withBean("one", Cron.class).withBean("other", Cron.class).run((context) -> {
			this.scheduler.advance(ONE_TICK);
			assertThat(context.getBean("one", Cron.class).runs() + context.getBean("other", Cron.class).runs()).isOne();
			assertThat(context.getBean(LockJobs.class).list()).singleElement()
				.extracting(LockJob::name)
				.isEqualTo("report");
		});
	}

	@Test
	void runByHandIsOfTheBeanThatHasReplacedAnotherOne() {
		application().withBean("cron", Cron.class).run((context) -> {
			DefaultListableBeanFactory beans = (DefaultListableBeanFactory) context.getSourceApplicationContext()
				.getBeanFactory();
			Cron before = context.getBean(Cron.class);
			beans.destroySingleton("cron");
			Cron after = context.getBean(Cron.class);
			LockJobs jobs = context.getBean(LockJobs.class);
			CompletableFuture<Void> begun = jobs.run("report");
			this.scheduler.advance(Duration.ZERO);
			assertThat(begun).succeedsWithin(PATIENCE);
			assertThat(before.runs()).isZero();
			assertThat(after.runs()).isOne();
		});
	}

	@Test
	void runByHandThatIsCancelledDoesNotBegin() {
		application().withBean("cron", Cron.class).run((context) -> {
			context.getBean(LockJobs.class).run("report").cancel(false);
			this.scheduler.advance(Duration.ZERO);
			assertThat(context.getBean(Cron.class).runs()).isZero();
		});
	}

	private ApplicationContextRunner application() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class,
					ZkLockSchedulingAutoConfiguration.class))
			.withBean("locks", LockProvider.class, () -> this.provider)
			.withBean("taskScheduler", ManualTaskScheduler.class, () -> this.scheduler)
			.withUserConfiguration(TickNode.Scheduling.class);
	}

	static class Mixed extends Counting {

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@Scheduled(fixedRate = 2_000)
		@DistributedLock("report")
		void report() {
			this.runs.incrementAndGet();
		}

	}

	static class Rate extends Counting {

		@Scheduled(fixedRate = 5_000)
		@DistributedLock(key = "report", name = "report")
		void report() {
			this.runs.incrementAndGet();
		}

	}

	static class Cron extends Counting {

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@DistributedLock(key = "report", name = "report")
		void report() {
			this.runs.incrementAndGet();
		}

	}

	abstract static class Named extends Counting {

		private final String name;

		Named(String name) {
			this.name = name;
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

	static class Region extends Named {

		Region(String name) {
			super(name);
		}

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@DistributedLock(key = "report:#{#root.target.toString()}", name = "report")
		void report() {
			this.runs.incrementAndGet();
		}

	}

	static class MonoRegion extends Named {

		MonoRegion(String name) {
			super(name);
		}

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@DistributedLock(key = "report:#{#root.target.toString()}", name = "report")
		Mono<Void> report() {
			return Mono.fromRunnable(this.runs::incrementAndGet);
		}

	}

	static class Recovered extends Named {

		private final List<String> attempts = new ArrayList<>();

		Recovered(String name) {
			super(name);
		}

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@OncePerTick(recoverWithin = "1h")
		@DistributedLock("report:#{#root.target.toString()}")
		void report() {
			this.runs.incrementAndGet();
			LockTick tick = LockTick.current();
			this.attempts.add(tick.time() + " " + tick.attempt());
		}

		List<String> attempts() {
			return this.attempts;
		}

	}

}
