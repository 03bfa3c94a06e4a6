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

import java.util.List;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is said at start-up about the names of locks.
 */
@ExtendWith(OutputCaptureExtension.class)
class LockNameWarningTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class))
		.withBean(InMemoryLockProvider.class);

	@Test
	void overrideThatMatchesNoLockIsToldOnceWithTheNamesThereAre(CapturedOutput output) {
		this.contextRunner.withBean(First.Job.class)
			.withPropertyValues("zk-lock.locks.job-run.wait=forever", "zk-lock.locks.nope.unguarded=true")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(warnings(output)).singleElement()
			.asString()
			.contains("The property zk-lock.locks.nope.unguarded (")
			.endsWith(
					") has no effect on a method, and on requests in code with that name only if it is wait, unguarded or cache: the names of the locks are [job-run, jobs], and what can be set for each is cache, max-attempts, once-per-tick, recover-within, shards-per-node, unguarded and wait");
	}

	@Test
	void settingThatDoesNotExistIsToldWithThoseThatDo(CapturedOutput output) {
		this.contextRunner.withBean(First.Job.class)
			.withPropertyValues("zk-lock.locks.job-run.ungarded=true")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(warnings(output)).singleElement()
			.asString()
			.contains("The property zk-lock.locks.job-run.ungarded (")
			.endsWith(
					") has no effect on a method, and on requests in code with that name only if it is wait, unguarded or cache: the names of the locks are [job-run, jobs], and what can be set for each is "
							+ "cache, max-attempts, once-per-tick, recover-within, shards-per-node, unguarded and wait");
	}

	@Test
	void overrideWithoutAnyLockIsTold(CapturedOutput output) {
		this.contextRunner.withPropertyValues("zk-lock.locks.nope.unguarded=true")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(warnings(output)).singleElement()
			.asString()
			.endsWith(
					" has no effect on a method, and on requests in code with that name only if it is wait, unguarded or cache: there is no @DistributedLock method");
	}

	@Test
	void sameNameByDefaultIsToldOnce(CapturedOutput output) {
		this.contextRunner.withBean("first", First.Job.class)
			.withBean("again", First.Job.class)
			.withBean("second", Second.Job.class)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(warnings(output)).singleElement()
			.asString()
			.endsWith("The locks of " + First.Job.class.getName() + ".run and " + Second.Job.class.getName()
					+ ".run have the same name 'job-run' by default, and so share metrics and the properties "
					+ "zk-lock.locks.job-run.*; give one of them a name of its own");
	}

	@Test
	void sameNameOfDifferentMethodsIsToldWithBoth(CapturedOutput output) {
		this.contextRunner.withBean(ReportJob.class)
			.withBean(Report.class)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(warnings(output)).singleElement()
			.asString()
			.contains("The locks of " + Report.class.getName() + ".jobRun and " + ReportJob.class.getName()
					+ ".run have the same name 'report-job-run' by default");
	}

	@Test
	void nothingIsToldWhenAllIsWell(CapturedOutput output) {
		this.contextRunner.withBean(First.Job.class)
			.withPropertyValues("zk-lock.locks.jobs.wait=3s", "zk-lock.locks.job-run.unguarded=false")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(warnings(output)).isEmpty();
	}

	@Test
	void unguardedLockIsToldOnceHoweverItsMethodIsCalled(CapturedOutput output) {
		this.contextRunner.withBean(Both.class)
			.withPropertyValues("zk-lock.locks.both-run.unguarded=true", "spring.aop.proxy-target-class=false")
			.run((context) -> {
				context.getBean(Runnable.class).run();
				context.getBean(Runnable.class).run();
			});
		assertThat(warnings(output)).singleElement()
			.asString()
			.endsWith("Lock 'both-run' is unguarded by configuration: " + Both.class.getName()
					+ ".run() runs without it");
	}

	private static List<String> warnings(CapturedOutput output) {
		return output.toString()
			.lines()
			.filter((line) -> line.contains("WARN") && line.contains("i.g.z."))
			.filter((line) -> line.contains("zk-lock.locks") || line.contains("Lock"))
			.toList();
	}

	static final class First {

		private First() {
		}

		static class Job {

			@DistributedLock("first")
			void run() {
			}

			@DistributedLock(key = "named", name = "jobs")
			void named() {
			}

		}

	}

	static final class Second {

		private Second() {
		}

		static class Job {

			@DistributedLock("second")
			void run() {
			}

			@DistributedLock(key = "named", name = "jobs")
			void named() {
			}

		}

	}

	static class ReportJob {

		@DistributedLock("report-job")
		void run() {
		}

	}

	static class Report {

		@DistributedLock("report")
		void jobRun() {
		}

	}

	static class Both implements Runnable {

		@Override
		@DistributedLock("both")
		public void run() {
		}

	}

}
