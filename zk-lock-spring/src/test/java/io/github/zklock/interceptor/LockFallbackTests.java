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

package io.github.zklock.interceptor;

import java.lang.reflect.Method;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.NotAcquiredPolicy;
import io.github.zklock.interceptor.LockFallbackBeans.Found;
import io.github.zklock.interceptor.LockFallbackBeans.Typed;
import io.github.zklock.interceptor.LockFallbackRefusedBeans.Refused;
import io.github.zklock.interceptor.operation.LockFallback;
import io.github.zklock.interceptor.operation.LockOperation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which method is found as the fallback method of another.
 */
class LockFallbackTests {

	private final LockProxies proxies = new LockProxies();

	@ParameterizedTest
	@CsvSource({ "same, private java.lang.String Found.sameInstead(int)",
			"own, 'java.lang.String Found.own(int,LockException)'",
			"refused, 'java.lang.String Found.refusedInstead(java.lang.Number,LockNotAcquiredException)'",
			"wider, java.lang.Integer Found.widerInstead(java.lang.Number)",
			"inherited, protected java.lang.String FoundBase.instead(int)" })
	void findsTheMethodWithTheSameParameters(String name, String expected) {
		assertThat(fallback(Found.class, name).method()
			.toString()
			.replaceAll("[\\w.]+[$.](Found|FoundBase|LockException|LockNotAcquiredException)\\b", "$1"))
			.isEqualTo(expected);
	}

	@Test
	void resolvesGenericTypes() {
		assertThat(fallback(Typed.class, "generic").method().getName()).isEqualTo("typed");
	}

	@Test
	void fallbackOfAScheduledMethodIsNotSkipped() {
		LockOperation operation = operation(Found.class, "tick");
		assertThat(operation.onNotAcquired()).isEqualTo(NotAcquiredPolicy.AUTO);
		assertThat(operation.fallback()).hasToString("tock");
		assertThat(operation.locks().get(0).waitTime()).isZero();
	}

	@ParameterizedTest
	@MethodSource
	void refuses(String name, String description, String action) {
		assertThatExceptionOfType(InvalidLockUsageException.class).isThrownBy(() -> operation(Refused.class, name))
			.satisfies((ex) -> {
				assertThat(ex.getDescription())
					.startsWith("The @DistributedLock method " + Refused.class.getName() + "." + name + "(")
					.contains(description);
				assertThat(ex.getAction()).contains(action);
			});
	}

	static Stream<Arguments> refuses() {
		String in = " in " + Refused.class.getName();
		return Stream.of(
				Arguments.of("missing",
						"names the fallback method 'mising', but there is no method String mising(int) or String "
								+ "mising(int, LockException)" + in + ".",
						"Give the fallback method the same parameters, optionally followed by a LockException, and a "
								+ "return type that fits."),
				Arguments.of("parameters",
						"but there is no method String parametersInstead(int) or String "
								+ "parametersInstead(int, LockException)" + in
								+ "; what there is: String parametersInstead(String), String "
								+ "parametersInstead(int, RuntimeException).",
						"the same parameters"),
				Arguments.of("returns", "; what there is: Object returnsInstead(int).", "a return type that fits"),
				Arguments.of("nothing", "; what there is: String nothingInstead().", "a return type that fits"),
				Arguments.of("something", "; what there is: void emptyInstead().", "a return type that fits"),
				Arguments.of("itself", "but there is no method String itself(int)", "same parameters"),
				Arguments.of("ambiguous",
						"names the fallback method 'either', but several methods of " + Refused.class.getName()
								+ " fit: ",
						"a name of its own"),
				Arguments.of("guarded",
						"names the fallback method 'locked', which has a lock of its own but would run " + "without it",
						"call a method of another bean"),
				Arguments.of("skipped", "has both onNotAcquired = SKIP and fallbackMethod = \"parametersInstead\"",
						"Remove one of them"),
				Arguments.of("ofABean", "names the fallback method 'others::instead', but there is no method",
						"the same parameters"));
	}

	private LockFallback fallback(Class<?> type, String name) {
		return Objects.requireNonNull(operation(type, name).fallback());
	}

	private LockOperation operation(Class<?> type, String name) {
		Method method = Stream.of(ReflectionUtils.getUniqueDeclaredMethods(type))
			.filter((each) -> each.getName().equals(name) && this.proxies.source.hasLockOperation(each, type))
			.findFirst()
			.orElseThrow();
		return Objects.requireNonNull(this.proxies.source.getLockOperation(method, type));
	}

}
