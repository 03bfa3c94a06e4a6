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

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Objects with guarded methods that a scheduler gets without their proxies.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnguardedTaskTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class,
				ZkLockSchedulingAutoConfiguration.class))
		.withBean(InMemoryLockProvider.class)
		.withUserConfiguration(Scheduling.class);

	@ParameterizedTest
	@ValueSource(classes = { CronOfThis.class, PeriodOfThis.class, HelpedThis.class, NoBean.class })
	void objectThatIsGivenToTheSchedulerIsRefused(Class<?> type) {
		this.contextRunner.withBean("job", type)
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure())).satisfies((analysis) -> {
				assertThat(analysis.getDescription())
					.contains(((type != NoBean.class) ? type : Job.class).getSimpleName()
							+ ".run() is the task of a scheduler on the object itself");
				assertThat(analysis.getAction()).contains("@Lazy");
			}));
	}

	@Test
	void beanThatIsGivenToTheSchedulerIsAccepted() {
		this.contextRunner.withBean("job", Proxied.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(strings = { "off", "warn" })
	void taskOfABeanInACircleIsAnErrorWhereTheChecksDoNotStopTheStart(String validation, CapturedOutput output) {
		this.contextRunner.withBean("jobs", SelfScheduled.class)
			.withAllowCircularReferences(true)
			.withPropertyValues("zk-lock.aop.validation=" + validation)
			.run((context) -> assertThat(output).contains("ERROR", "SelfScheduled.run() is the task of a scheduler"));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

	}

	static class Job implements Runnable {

		@Override
		@DistributedLock("job")
		public void run() {
		}

	}

	static class CronOfThis extends Job implements SchedulingConfigurer {

		@Override
		public void configureTasks(ScheduledTaskRegistrar registrar) {
			registrar.addCronTask(this, "0 0 4 * * *");
		}

	}

	static class PeriodOfThis extends Job implements SchedulingConfigurer {

		@Override
		public void configureTasks(ScheduledTaskRegistrar registrar) {
			registrar.addFixedRateTask(this, Duration.ofDays(1));
		}

	}

	static class HelpedThis extends Job implements SchedulingConfigurer {

		@Override
		public void configureTasks(ScheduledTaskRegistrar registrar) {
			add(registrar, this);
		}

		private static void add(ScheduledTaskRegistrar registrar, Runnable task) {
			registrar.addFixedDelayTask(task, Duration.ofDays(1));
		}

	}

	static class NoBean implements SchedulingConfigurer {

		@Override
		public void configureTasks(ScheduledTaskRegistrar registrar) {
			registrar.addCronTask(new Job(), "0 0 4 * * *");
		}

	}

	static class Proxied extends Job implements SchedulingConfigurer {

		@Autowired
		@Nullable ObjectProvider<Proxied> self;

		@Override
		public void configureTasks(ScheduledTaskRegistrar registrar) {
			registrar.addCronTask(this.self.getObject(), "0 0 4 * * *");
		}

	}

	static class SelfScheduled {

		@Autowired
		@Nullable SelfScheduled self;

		@Scheduled(cron = "0 0 4 * * *")
		@DistributedLock("jobs")
		void run() {
		}

	}

}
