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

import java.util.TimeZone;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the start says of jobs whose hour comes twice or not at all.
 */
@ExtendWith(OutputCaptureExtension.class)
class ClockChangeLogTests {

	@Test
	void hourThatADayHasTwiceOrNotIsNamedAtTheStart(CapturedOutput output) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class,
					ZkLockSchedulingAutoConfiguration.class))
			.withBean(InMemoryLockProvider.class)
			.withBean(Jobs.class)
			.withPropertyValues("jobs.zone=Europe/Berlin")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output.getOut().lines().filter((line) -> line.contains("since the clocks change"))).singleElement()
			.asString()
			.contains("INFO", Jobs.class.getName() + ".night()", "\"0 0 2 * * *\", Europe/Berlin", "runs twice on 20",
					"does not run on 20");
	}

	@Test
	void jobsWithoutAZoneAreNamedInOneLine(CapturedOutput output) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class,
					ZkLockSchedulingAutoConfiguration.class))
			.withBean(InMemoryLockProvider.class)
			.withBean(Jobs.class)
			.withBean(WithoutZone.class)
			.withPropertyValues("jobs.zone=Europe/Berlin")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output.getOut().lines().filter((line) -> line.contains("without a zone"))).singleElement()
			.asString()
			.contains("INFO", WithoutZone.class.getName() + ".first(), " + WithoutZone.class.getName() + ".second()",
					TimeZone.getDefault().getID(), "Set zone")
			.doesNotContain("night", "morning", "period");
	}

	@EnableScheduling
	static class WithoutZone {

		@Scheduled(cron = "0 0 3 * * *")
		@DistributedLock("first")
		void first() {
		}

		@Scheduled(cron = "0 0 5 * * *")
		@DistributedLock("second")
		void second() {
		}

		@Scheduled(fixedRateString = "1d", initialDelayString = "1d")
		@DistributedLock("period")
		void period() {
		}

	}

	@EnableScheduling
	static class Jobs {

		@Scheduled(cron = "0 0 2 * * *", zone = "${jobs.zone}")
		@DistributedLock("night")
		void night() {
		}

		@Scheduled(cron = "0 0 4 * * *", zone = "${jobs.zone}")
		@DistributedLock("morning")
		void morning() {
		}

	}

}
