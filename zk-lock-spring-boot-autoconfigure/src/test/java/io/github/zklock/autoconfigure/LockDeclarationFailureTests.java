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

import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.NotAcquiredPolicy;
import io.github.zklock.core.UnavailablePolicy;
import io.github.zklock.support.TwoKeys;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an application says that does not start, because an annotation cannot be followed.
 */
class LockDeclarationFailureTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class))
		.withBean(InMemoryLockProvider.class);

	@ParameterizedTest
	@MethodSource
	void stopsTheApplicationWithARemedy(Class<?> bean, String description, String action) {
		this.contextRunner.withBean(bean).run((context) -> {
			assertThat(context).getFailure().isInstanceOf(InvalidLockUsageException.class);
			assertThat(FailureAnalyses.of(context.getStartupFailure())).satisfies((analysis) -> {
				assertThat(analysis.getDescription())
					.isEqualTo("The @DistributedLock method " + bean.getName() + "." + description);
				assertThat(analysis.getAction()).isEqualTo(action);
			});
		});
	}

	static Stream<Arguments> stopsTheApplicationWithARemedy() {
		return Stream.of(Arguments.of(TwoKeys.class,
				"run() has a @DistributedLock that contradicts itself: Different @AliasFor mirror values for "
						+ "annotation [" + DistributedLock.class.getName() + "] declared on void "
						+ TwoKeys.class.getName() + ".run(); attribute 'key' and its alias 'value' are declared "
						+ "with values of [b] and [a].",
				"Give each attribute once: key and value are two names for the same."),
				Arguments.of(SkippedInt.class,
						"run() is to be skipped when ZooKeeper cannot be asked, but returns the primitive int, for which "
								+ "there is no empty value.",
						"Return void, int's wrapper or an Optional, or set onUnavailable = THROW."),
				Arguments.of(Contradiction.class,
						"run() has both onNotAcquired = THROW and fallbackMethod = \"instead\".",
						"Remove one of them: a fallback method is called instead of throwing or skipping."),
				Arguments.of(NoFallback.class,
						"run(long) names the fallback method 'instead', but there is no method String instead(long) or "
								+ "String instead(long, LockException) in " + NoFallback.class.getName()
								+ "; what there is: String instead(String).",
						"Give the fallback method the same parameters, optionally followed by a LockException, "
								+ "and a return type that fits."),
				Arguments.of(BadCondition.class,
						"run(long) uses #other in its condition '#other > 5', but there is no such parameter.",
						"Use what the method has: #id, #root, @bean."),
				Arguments.of(SharedReader.class,
						"run() has permits = \"3\" and mode = READ, which no number of permits can share.",
						"Set permits to 1 or more, and to more than 1 only with mode = EXCLUSIVE: a number, a placeholder, "
								+ "or an expression like #tenant.limit."),
				Arguments.of(SameKey.class,
						"run() has two @DistributedLock annotations with the key 'k' (READ and EXCLUSIVE).",
						"Keep the stronger of them: READ lets other readers in, WRITE and EXCLUSIVE let no other caller in."),
				Arguments.of(NoBean.class,
						"run() uses @nobody in its key 'k:#{@nobody.id}', but there is no bean 'nobody'.",
						"Define the bean, or correct its name."));
	}

	@Test
	void differentPermitsOfOneKeyAreFoundOverAllBeans() {
		this.contextRunner.withBean(Limited.class).withBean(Reader.class).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(FailureAnalyses.of(context.getStartupFailure())).satisfies((analysis) -> {
				assertThat(analysis.getDescription()).isEqualTo("The @DistributedLock method " + Reader.class.getName()
						+ ".run() asks for the key 'pool' in mode READ with permits = 1, but " + Limited.class.getName()
						+ ".run() in mode EXCLUSIVE with permits = 3, and one key has one number of permits.");
				assertThat(analysis.getAction()).isEqualTo("Use the same number in both, or different keys.");
			});
		});
	}

	static class SkippedInt {

		@DistributedLock(key = "k", onUnavailable = UnavailablePolicy.SKIP)
		int run() {
			return 1;
		}

	}

	static class Contradiction {

		@DistributedLock(key = "k", onNotAcquired = NotAcquiredPolicy.THROW, fallbackMethod = "instead")
		void run() {
		}

	}

	static class NoFallback {

		@DistributedLock(key = "k", fallbackMethod = "instead")
		String run(long id) {
			return "ran";
		}

		String instead(String id) {
			return "instead";
		}

	}

	static class BadCondition {

		@DistributedLock(key = "k", condition = "#other > 5")
		void run(long id) {
		}

	}

	static class SharedReader {

		@DistributedLock(key = "k", mode = LockMode.READ, permits = "3")
		void run() {
		}

	}

	static class SameKey {

		@DistributedLock(key = "k", mode = LockMode.READ)
		@DistributedLock("k")
		void run() {
		}

	}

	static class NoBean {

		@DistributedLock("k:#{@nobody.id}")
		void run() {
		}

	}

	static class Limited {

		@DistributedLock(key = "pool", permits = "3")
		void run() {
		}

	}

	static class Reader {

		@DistributedLock(key = "pool", mode = LockMode.READ)
		void run() {
		}

	}

}
