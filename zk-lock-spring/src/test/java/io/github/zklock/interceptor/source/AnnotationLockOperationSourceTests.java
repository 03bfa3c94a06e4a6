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

package io.github.zklock.interceptor.source;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.NotAcquiredPolicy;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.source.LockOperationBeans.Refused;
import io.github.zklock.interceptor.source.LockOperationBeans.Waits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link AnnotationLockOperationSource} and the operations it makes.
 */
class AnnotationLockOperationSourceTests {

	private final TestLockSettings settings = new TestLockSettings();

	private final StandardEnvironment environment = new StandardEnvironment();

	private final AnnotationLockOperationSource source = new AnnotationLockOperationSource(() -> this.settings,
			() -> this.environment::resolveRequiredPlaceholders);

	@ParameterizedTest
	@CsvSource({ "plain, PT7S, false", "waitMs, PT0.25S, false", "once, PT0S, false", "text, PT5S, false",
			"iso, PT1M, false", "millis, PT0.5S, false", "placeholder, PT3S, false", "emptyPlaceholder, PT7S, false",
			"scheduled, PT0S, true", "composedSchedule, PT0S, true", "patientSchedule, PT2S, true",
			"throwingSchedule, PT0S, false", "skipping, PT7S, true", "skippingOptional, PT7S, true" })
	void waitAndPolicyFollowTheAnnotation(String method, Duration wait, boolean skip) {
		this.environment.getPropertySources().addFirst(new MapPropertySource("test", Map.of("app.wait", "3s")));
		LockOperation operation = operation(method);
		assertThat(operation.locks().get(0).waitTime()).isEqualTo(wait);
		assertThat(operation.onNotAcquired() == NotAcquiredPolicy.SKIP).isEqualTo(skip);
	}

	@Test
	void foreverHasNoBound() {
		assertThat(operation("forever").locks().get(0).waitTime()).isEqualTo(LockRequest.FOREVER);
	}

	@ParameterizedTest
	@ValueSource(strings = { "plain", "waitMs", "text", "scheduled" })
	void configuredWaitWinsOverTheAnnotation(String method) {
		this.settings.waits.put(name(method), Duration.ofSeconds(1));
		assertThat(operation(method).locks().get(0).waitTime()).isEqualTo(Duration.ofSeconds(1));
	}

	@ParameterizedTest
	@ValueSource(strings = { "plain", "waitMs", "scheduled" })
	void refusesANegativeConfiguredWait(String method) {
		this.settings.waits.put(name(method), Duration.ofSeconds(-3));
		assertThatExceptionOfType(InvalidLockUsageException.class).isThrownBy(() -> operation(method))
			.satisfies((ex) -> {
				assertThat(ex.getDescription()).contains("." + method + "(")
					.contains("negative wait PT-3S by the property zk-lock.locks." + name(method) + ".wait");
				assertThat(ex.getAction()).contains("Set the property to 0 or more");
			});
	}

	private static String name(String method) {
		return method.equals("waitMs") ? "waits-wait-ms" : "waits-" + method;
	}

	@Test
	void nameAndModeAndKeyComeFromTheAnnotation() {
		this.environment.getPropertySources().addFirst(new MapPropertySource("test", Map.of("region", "eu")));
		this.settings.unguarded.add("orders-eu");
		LockOperation operation = operation("named");
		assertThat(operation.locks().get(0).name()).isEqualTo("orders-eu");
		assertThat(operation.locks().get(0).unguarded()).isTrue();
		assertThat(operation.locks().get(0).mode()).isEqualTo(LockMode.WRITE);
		assertThat(operation.locks().get(0).key().text()).isEqualTo("eu:order:#{#id}");
		assertThat(operation("plain").locks().get(0).name()).isEqualTo("waits-plain");
	}

	@Test
	void composedAnnotationPassesItsAttributesOn() {
		LockOperation operation = operation("composed");
		assertThat(operation.locks().get(0).key().text()).isEqualTo("mine");
		assertThat(operation.locks().get(0).mode()).isEqualTo(LockMode.READ);
		assertThat(operation.locks().get(0).waitTime()).isEqualTo(Duration.ofMillis(9));
	}

	@ParameterizedTest
	@ValueSource(strings = { "asyncFuture", "asyncVoid", "completable", "mono" })
	void allowsResultsWhoseEndCanBeSeen(String method) {
		assertThat(operation(method).locks().get(0).waitTime()).isEqualTo(TestLockSettings.DEFAULT_WAIT);
	}

	@ParameterizedTest
	@MethodSource
	void refuses(String method, String description, String action) {
		assertThatExceptionOfType(InvalidLockUsageException.class).isThrownBy(() -> operation(method))
			.satisfies((ex) -> {
				assertThat(ex.getDescription()).contains("." + method + "(").contains(description);
				assertThat(ex.getAction()).contains(action);
			});
	}

	static Stream<Arguments> refuses() {
		return Stream.of(Arguments.of("both", "has both waitMs = 5 and waitTime = \"5s\"", "Set one of them"),
				Arguments.of("negative", "has waitMs = -2", "waitMs to 0 or more"),
				Arguments.of("noDuration", "has waitTime = \"soon\", which is not a duration", "500ms or forever"),
				Arguments.of("backwards", "has the negative waitTime = \"-5s\"", "500ms or forever"),
				Arguments.of("unresolved", "has the key '${no.such}:x', in which a placeholder cannot be",
						"${name:default}"),
				Arguments.of("empty", "has an empty key", "Set its key"),
				Arguments.of("dotted", "has the name 'orders.ship', which has a dot", "Write orders-ship instead."),
				Arguments.of("punctuated", "has the name '--', which has no letter and no digit", "such as report-job"),
				Arguments.of("skipInt", "returns the primitive int, for which there is no empty",
						"wrapper or an Optional"),
				Arguments.of("skipTick", "returns the primitive long", "onNotAcquired = THROW"),
				Arguments.of("future", "returns a Future, whose work goes on", "@Async"),
				Arguments.of("promise", "returns a Promise, whose work goes on", "Return a CompletableFuture"),
				Arguments.of("connectable", "returns a ConnectableFlux, whose work goes on", "a Mono, a Flux"),
				Arguments.of("stream", "returns a Stream, whose work goes on", "return the finished result"));
	}

	@Test
	void refusesPlaceholdersThatAResolverLeftInPlace() {
		LockOperationSource lenient = new AnnotationLockOperationSource(() -> this.settings,
				() -> this.environment::resolvePlaceholders);
		assertThatExceptionOfType(InvalidLockUsageException.class)
			.isThrownBy(() -> lenient.getLockOperation(method(Refused.class, "unresolved"), Refused.class))
			.withMessageContaining("a placeholder cannot be resolved");
	}

	@Test
	void readsEachMethodOnce() {
		assertThat(operation("plain")).isSameAs(operation("plain"));
		assertThat(this.source.getLockOperation(method(Object.class, "toString"), Waits.class)).isNull();
		assertThat(this.source.hasLockOperation(method(Waits.class, "free"), Waits.class)).isFalse();
		assertThat(this.source.isCandidateClass(String.class)).isFalse();
	}

	@Test
	void refusesAnOverrideThatCannotBeRead() {
		AnnotationLockOperationSource unreadable = new AnnotationLockOperationSource(() -> new TestLockSettings() {

			@Override
			public Duration wait(String name) {
				throw new IllegalArgumentException("'soon' is not a duration");
			}

		}, () -> this.environment::resolveRequiredPlaceholders);
		assertThatExceptionOfType(InvalidLockUsageException.class)
			.isThrownBy(() -> unreadable.getLockOperation(method(Waits.class, "plain"), Waits.class))
			.satisfies((ex) -> {
				assertThat(ex.getDescription()).contains("cannot be read: 'soon' is not a duration");
				assertThat(ex.getAction()).isEqualTo("Correct or remove the properties zk-lock.locks.waits-plain.*.");
			});
	}

	private LockOperation operation(String name) {
		Class<?> type = Stream.of(Waits.class, Refused.class)
			.filter((candidate) -> Stream.of(candidate.getDeclaredMethods())
				.anyMatch((it) -> it.getName().equals(name)))
			.findFirst()
			.orElseThrow();
		return Objects.requireNonNull(this.source.getLockOperation(method(type, name), type));
	}

	private static Method method(Class<?> type, String name) {
		return Stream.of(type.getDeclaredMethods())
			.filter((method) -> method.getName().equals(name))
			.findFirst()
			.orElseThrow();
	}

}
