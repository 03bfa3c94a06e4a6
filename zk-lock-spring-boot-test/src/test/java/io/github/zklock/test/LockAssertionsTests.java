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

package io.github.zklock.test;

import io.github.zklock.autoconfigure.ZkLockAopAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.test.ScheduledBeans.GuardedByInterface;
import io.github.zklock.test.ScheduledBeans.GuardedClass;
import io.github.zklock.test.ScheduledBeans.GuardedMethods;
import io.github.zklock.test.ScheduledBeans.GuardedSubclass;
import io.github.zklock.test.ScheduledBeans.Unguarded;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.EnableScheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link LockAssertions}, with the locks of a test application.
 */
class LockAssertionsTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class))
		.withUserConfiguration(TestApplication.class);

	@Test
	void importedProviderReplacesZooKeeper() {
		this.contextRunner.run((context) -> assertThat(context).hasNotFailed()
			.getBean(LockProvider.class)
			.isInstanceOf(InMemoryLockProvider.class));
	}

	@Test
	void acceptsGuardedSchedules() {
		this.contextRunner
			.withUserConfiguration(GuardedMethods.class, GuardedClass.class, GuardedSubclass.class,
					GuardedByInterface.class)
			.run((context) -> assertThatNoException()
				.isThrownBy(() -> LockAssertions.assertScheduledMethodsAreGuarded(context)));
	}

	@Test
	void namesAllSchedulesWithoutALock() {
		String name = Unguarded.class.getName();
		this.contextRunner.withUserConfiguration(GuardedMethods.class, Unguarded.class)
			.run((context) -> assertThatExceptionOfType(AssertionError.class)
				.isThrownBy(() -> LockAssertions.assertScheduledMethodsAreGuarded(context))
				.withMessage("@Scheduled methods without a lock, which every node runs: " + name + ".composed(), "
						+ name + ".direct(), " + name
						+ ".repeated(). Annotate them with @DistributedLock, or exclude those that "
						+ "every node is to run."));
	}

	@Test
	void excludesWhatEveryNodeIsToRun() {
		this.contextRunner.withUserConfiguration(Unguarded.class)
			.run((context) -> assertThatExceptionOfType(AssertionError.class)
				.isThrownBy(() -> LockAssertions.assertScheduledMethodsAreGuarded(context,
						(method) -> !method.getName().equals("direct")))
				.withMessageContaining("runs: " + Unguarded.class.getName() + ".direct(). Annotate"));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	@Import(InMemoryLockProvider.class)
	static class TestApplication {

	}

}
