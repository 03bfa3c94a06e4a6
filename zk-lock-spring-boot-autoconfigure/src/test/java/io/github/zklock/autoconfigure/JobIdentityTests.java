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
import java.util.UUID;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.autoconfigure.TickBeans.Counting;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockJob;
import io.github.zklock.core.LockJobs;
import io.github.zklock.interceptor.ScheduledJobs;
import io.github.zklock.support.HostileClient;
import io.github.zklock.support.ManualTaskScheduler;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.node.LockPaths;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a job is: the explicit name of its lock, or its class and method, together with
 * its key.
 */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class JobIdentityTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private static final Duration ONE_TICK = Duration.ofSeconds(10);

	private final ManualTaskScheduler scheduler = new ManualTaskScheduler(TickNode.START);

	private final String root = "/" + UUID.randomUUID();

	@Test
	void pauseAndHistoryFollowANamedJobToAnotherClass() {
		application(Before.class).run((context) -> {
			this.scheduler.advance(ONE_TICK);
			assertThat(context.getBean(Counting.class).runs()).isOne();
			context.getBean(LockJobs.class).pause("nightly", "admin");
		});
		application(After.class).run((context) -> {
			this.scheduler.advance(ONE_TICK);
			LockJob job = context.getBean(LockJobs.class).get("nightly");
			assertThat(job.pausedBy()).isEqualTo("admin");
			assertThat(job.runs()).hasSize(1);
			assertThat(job.schedule()).isEqualTo("nightly");
			assertThat(job.method()).isEqualTo(After.class.getName() + ".moved");
			assertThat(context.getBean(Counting.class).runs()).isZero();
		});
	}

	@Test
	void oldAndNewClassOfANamedJobShareTheirTicks() {
		application(Before.class).run((old) -> application(After.class).run((next) -> {
			this.scheduler.advance(ONE_TICK.multipliedBy(3));
			assertThat(old.getBean(Counting.class).runs() + next.getBean(Counting.class).runs()).isEqualTo(3);
		}));
	}

	@Test
	void twoJobsWithOneNameAreRefused() {
		application(Before.class).withBean(After.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockUsageException.class)
				.hasMessageContaining("has the name 'nightly'")
				.hasMessageContaining(Before.class.getName() + ".report")
				.hasMessageContaining(After.class.getName() + ".moved"));
	}

	@Test
	void twoJobsWithOneNameInAContextAndItsParentAreRefused() {
		application(Before.class).run((top) -> application(TickBeans.CronJob.class).withParent(top)
			.run((above) -> application(After.class).withParent(above)
				.run((context) -> assertThat(context).getFailure()
					.isInstanceOf(InvalidLockUsageException.class)
					.hasMessageContaining("has the name 'nightly'")
					.hasMessageContaining(Before.class.getName() + ".report")
					.hasMessageContaining(After.class.getName() + ".moved"))));
	}

	@Test
	void periodicJobWithOneKeyInAContextAndItsParentIsRefused() {
		application(Rate.class).withPropertyValues("app.key=one")
			.run((above) -> application(Rate.class).withParent(above)
				.withPropertyValues("app.key=one")
				.run((context) -> assertThat(context).getFailure()
					.isInstanceOf(InvalidLockUsageException.class)
					.hasMessageContaining("a bean of a parent context has the same key 'one'")));
	}

	@Test
	void jobsOfAContextAndItsParentThatAreKeptApartBegin() {
		application(Rate.class, Before.class).withPropertyValues("app.key=one")
			.run((above) -> application(Rate.class, Before.class).withParent(above)
				.withPropertyValues("app.key=other")
				.run((context) -> assertThat(context).hasNotFailed()));
	}

	@Test
	void jobWithoutANameThatHasMovedIsReportedUntilItRuns(CapturedOutput output) {
		application(UnnamedBefore.class).run((context) -> this.scheduler.advance(ONE_TICK));
		application(UnnamedAfter.class).run((context) -> {
			Awaitility.await().until(() -> renamed(output) == 1);
			assertThat(output.getOut())
				.contains("The job " + UnnamedAfter.class.getName() + ".report has no record yet")
				.contains("its key 'nightly' has one of " + UnnamedBefore.class.getName().replace("$", "%24")
						+ ".report");
			this.scheduler.advance(ONE_TICK);
			assertThat(context.getBean(Counting.class).runs()).isOne();
			context.getBean(ScheduledJobs.class).warnOfRenamed();
			assertThat(renamed(output)).isOne();
		});
	}

	@Test
	void namesOfAStrangerAreOneShortLine(CapturedOutput output) throws Exception {
		LockPaths paths = new LockPaths("", this.root, null);
		try (HostileClient stranger = HostileClient.connect(server.connectString())) {
			for (int i = 0; i < 100; i++) {
				plant(stranger, paths.job("job" + i + "y".repeat(150), false, "nightly"));
			}
			plant(stranger, paths.job("", false, "nightly").replace("~job~~", "~job~"));
		}
		application(UnnamedAfter.class).run((context) -> {
			Awaitility.await().until(() -> renamed(output) == 1);
			assertThat(output.getOut().lines().filter((line) -> line.contains("has no record yet"))).singleElement()
				.asString()
				.contains("y... and 95 more. If that is the same job")
				.hasSizeLessThan(1500);
		});
	}

	private static void plant(HostileClient stranger, String path) throws Exception {
		int end = path.lastIndexOf('/');
		stranger.plant(path.substring(0, end), path.substring(end + 1));
	}

	private static long renamed(CapturedOutput output) {
		return output.getOut().lines().filter((line) -> line.contains("has no record yet")).count();
	}

	private ApplicationContextRunner application(Class<?>... jobs) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class,
					ZkLockSchedulingAutoConfiguration.class))
			.withPropertyValues("zk-lock.connect-string=" + server.connectString(), "zk-lock.root=" + this.root,
					"zk-lock.try-timeout=30s", "zk-lock.fail-fast=true")
			.withBean("taskScheduler", ManualTaskScheduler.class, () -> this.scheduler)
			.withUserConfiguration(TickNode.Scheduling.class)
			.withUserConfiguration(jobs);
	}

	static class Before extends Counting {

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@DistributedLock(key = "nightly", name = "nightly")
		void report() {
			this.runs.incrementAndGet();
		}

	}

	static class After extends Counting {

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@DistributedLock(key = "nightly", name = "nightly")
		void moved() {
			this.runs.incrementAndGet();
		}

	}

	static class Rate extends Counting {

		@Scheduled(fixedRate = 5_000)
		@DistributedLock("${app.key}")
		void report() {
			this.runs.incrementAndGet();
		}

	}

	static class UnnamedBefore extends Counting {

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@DistributedLock("nightly")
		void report() {
			this.runs.incrementAndGet();
		}

	}

	static class UnnamedAfter extends Counting {

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@DistributedLock("nightly")
		void report() {
			this.runs.incrementAndGet();
		}

	}

}
