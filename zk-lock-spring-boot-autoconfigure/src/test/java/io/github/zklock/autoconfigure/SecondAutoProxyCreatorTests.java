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

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications with an auto-proxy creator of their own beside the one of Spring Boot, as
 * older libraries ask for.
 */
@ExtendWith(OutputCaptureExtension.class)
class SecondAutoProxyCreatorTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class, ZkLockAopAutoConfiguration.class))
		.withBean(InMemoryLockProvider.class);

	@Test
	void bothAreNamedWhenTheyGuardAMethodTwice() {
		this.contextRunner.withUserConfiguration(SecondCreator.class).withBean(Job.class).run((context) -> {
			assertThat(context).getFailure().isInstanceOf(InvalidLockUsageException.class);
			InvalidLockUsageException failure = (InvalidLockUsageException) context.getStartupFailure();
			assertThat(failure.getDescription()).isEqualTo("A call of a @DistributedLock method takes its lock twice, "
					+ "since several auto-proxy creators put a proxy around "
					+ "its bean: 'secondCreator', 'org.springframework.aop.config.internalAutoProxyCreator'.");
			assertThat(failure.getAction()).isEqualTo("Remove one of them, or restrict it by setUsePrefix(true): "
					+ "'org.springframework.aop.config.internalAutoProxyCreator' is the one of Spring Boot.");
		});
	}

	@Test
	void bothAreNamedForABeanThatIsCreatedLater(CapturedOutput output) {
		this.contextRunner.withUserConfiguration(SecondCreator.class)
			.withPropertyValues("zk-lock.aop.validation=warn")
			.withBean(Job.class, Job::new, (definition) -> definition.setLazyInit(true))
			.run((context) -> {
				assertThat(output).doesNotContain("takes its lock twice");
				context.getBean(Job.class);
				assertThat(output).contains("takes its lock twice").contains("'secondCreator'");
			});
	}

	@Test
	void creatorThatLeavesLocksAloneIsNoMistake() {
		this.contextRunner.withUserConfiguration(RestrictedCreator.class).withBean(Job.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(Job.class).run()).isEqualTo("ran");
		});
	}

	@Test
	void applicationWithoutLocksIsNotConcerned() {
		this.contextRunner.withUserConfiguration(SecondCreator.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Configuration(proxyBeanMethods = false)
	static class SecondCreator {

		@Bean
		static DefaultAdvisorAutoProxyCreator secondCreator() {
			DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
			creator.setProxyTargetClass(true);
			return creator;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class RestrictedCreator {

		@Bean
		static DefaultAdvisorAutoProxyCreator secondCreator() {
			DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
			creator.setUsePrefix(true);
			return creator;
		}

	}

	static class Job {

		@DistributedLock(key = "job", waitMs = 0)
		String run() {
			return "ran";
		}

	}

}
