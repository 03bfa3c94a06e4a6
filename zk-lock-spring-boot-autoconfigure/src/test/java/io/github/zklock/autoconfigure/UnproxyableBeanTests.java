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

import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.test.memory.InMemoryLockProvider;
import kotlin.Metadata;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an application says that does not start, since Spring cannot make the proxy of a
 * bean with guarded methods.
 */
class UnproxyableBeanTests {

	private static final String OPEN = "Apply the Kotlin plugin kotlin-spring (plugin.spring), which opens classes with "
			+ "@Component, @Service and the like, or declare the class and the method open.";

	private final AtomicReference<ConfigurableApplicationContext> application = new AtomicReference<>();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class))
		.withInitializer(this.application::set)
		.withBean(InMemoryLockProvider.class);

	@ParameterizedTest
	@MethodSource
	void stopsTheApplicationWithARemedy(Class<?> type, String description, String action) {
		assertThat(start(type, LockCheck.FAIL)).satisfies((analysis) -> {
			assertThat(analysis.getDescription())
				.isEqualTo("The @DistributedLock method " + type.getName() + ".run() " + description);
			assertThat(analysis.getAction()).isEqualTo(action);
		});
	}

	static Stream<Arguments> stopsTheApplicationWithARemedy() {
		return Stream.of(Arguments.of(FinalClass.class,
				"is in a final class, which cannot have a proxy, so it runs without its lock.",
				"Remove final from the class (a record cannot be guarded), or move the method to another bean."),
				Arguments.of(ARecord.class,
						"is in a final class, which cannot have a proxy, so it runs without its lock.",
						"Remove final from the class (a record cannot be guarded), or move the method to another bean."),
				Arguments.of(SealedClass.class,
						"is in a sealed class, which cannot have a proxy, so it runs without its lock.",
						"Remove sealed from the class, or move the method to another bean."),
				Arguments.of(KotlinClass.class,
						"is in a final class, which cannot have a proxy, so it runs without its lock.", OPEN),
				Arguments.of(KotlinMethod.class,
						"is final, so the proxy cannot intercept it and it runs without its lock.", OPEN));
	}

	@ParameterizedTest
	@EnumSource(names = { "WARN", "OFF" })
	void saysItWhereTheChecksDoNotStopTheApplication(LockCheck check) {
		assertThat(start(FinalClass.class, check).getDescription()).contains("FinalClass.run() is in a final class");
	}

	private FailureAnalysis start(Class<?> type, LockCheck check) {
		AtomicReference<FailureAnalysis> analysis = new AtomicReference<>();
		this.contextRunner.withBean("bean", type)
			.withPropertyValues("zk-lock.aop.validation=" + check)
			.run((context) -> analysis
				.set(FailureAnalyses.of(context.getStartupFailure(), this.application.get().getBeanFactory())));
		return analysis.get();
	}

	enum LockCheck {

		FAIL, WARN, OFF

	}

	static final class FinalClass {

		@DistributedLock("k")
		void run() {
		}

	}

	record ARecord() {

		@DistributedLock("k")
		void run() {
		}

	}

	static sealed class SealedClass {

		@DistributedLock("k")
		void run() {
		}

	}

	static final class OnlyHeir extends SealedClass {

	}

	@Metadata
	static final class KotlinClass {

		@DistributedLock("k")
		void run() {
		}

	}

	@Metadata
	static class KotlinMethod {

		@DistributedLock("k")
		final void run() {
		}

	}

}
