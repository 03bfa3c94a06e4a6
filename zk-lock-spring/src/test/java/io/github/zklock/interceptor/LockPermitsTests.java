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
import java.math.BigDecimal;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockException;
import io.github.zklock.core.LockExpressionException;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockSpecification;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The number of permits that an annotation declares.
 */
class LockPermitsTests {

	private final LockProxies proxies = new LockProxies();

	@ParameterizedTest
	@CsvSource({ "one, 1", "three, 3", "configured, 3", "oneReader, 1" })
	void numberIsKnownAtStartUp(String method, int permits) {
		assertThat(lock(method).permits()).isEqualTo(permits);
		assertThat(lock(method).permitsExpression()).isNull();
		assertThat(request(method, "ignored").permits()).isEqualTo(permits);
	}

	@ParameterizedTest
	@MethodSource
	void expressionGivesTheNumberOfACall(Object value, int permits) {
		this.proxies.beanFactory.registerSingleton("limits", Map.of("a", value));
		assertThat(lock("computed").permits()).isZero();
		assertThat(request("computed", value).permits()).isEqualTo(permits);
		assertThat(request("template", value).permits()).isEqualTo(permits);
		assertThat(request("ofBean", "a").permits()).isEqualTo(permits);
	}

	static Stream<Arguments> expressionGivesTheNumberOfACall() {
		return Stream.of(Arguments.of(2, 2), Arguments.of(4L, 4), Arguments.of("5", 5), Arguments.of(" 6 ", 6),
				Arguments.of(new BigDecimal("7.0"), 7), Arguments.of(new StringBuilder("8"), 8));
	}

	@ParameterizedTest
	@MethodSource
	void refusesWhatIsNoSuchNumber(@Nullable Object value, String given) {
		assertThatExceptionOfType(LockException.class).isThrownBy(() -> request("computed", value))
			.isExactlyInstanceOf(LockExpressionException.class)
			.withMessage("The permits '#p0' of " + Limited.class.getName() + ".computed(Object) gives " + given
					+ ", which is not a number of 1 or more: make sure that every call has such a number, and all calls "
					+ "with one key the same");
	}

	static Stream<Arguments> refusesWhatIsNoSuchNumber() {
		return Stream.of(Arguments.of(null, "null"), Arguments.of(0, "a java.lang.Integer"),
				Arguments.of(-1, "a java.lang.Integer"), Arguments.of(1.5, "a java.lang.Double"),
				Arguments.of(Long.MAX_VALUE, "a java.lang.Long"), Arguments.of(Double.NaN, "a java.lang.Double"),
				Arguments.of("many", "a java.lang.String"), Arguments.of(true, "a java.lang.Boolean"));
	}

	@Test
	void expressionThatThrowsIsTold() {
		assertThatExceptionOfType(LockExpressionException.class).isThrownBy(() -> request("broken", null))
			.withMessageContaining("The permits '#p0.length()' of")
			.withMessageContaining("could not be evaluated");
	}

	@ParameterizedTest
	@CsvSource({ "zero, 'has permits = \"0\", which is not a number of 1 or more'",
			"text, 'has permits = \"many\", which is not a number of 1 or more'",
			"blank, 'has permits = \"\", which is not a number of 1 or more'",
			"readers, 'has permits = \"3\" and mode = READ, which no number of permits can share'",
			"writers, 'has permits = \"#p0\" and mode = WRITE, which no number of permits can share'",
			"unknown, 'uses #limit in its permits ''#limit'', but there is no such parameter'" })
	void refusesAtStartUp(String method, String description) {
		assertThatExceptionOfType(InvalidLockUsageException.class)
			.isThrownBy(() -> this.proxies.source.getLockOperation(method(Refused.class, method), Refused.class))
			.satisfies((ex) -> {
				assertThat(ex.getDescription()).contains("." + method + "(Object) " + description);
				assertThat(ex.getAction()).isNotBlank();
			});
	}

	private LockSpecification lock(String name) {
		return operation(name).locks().get(0);
	}

	private LockOperation operation(String name) {
		Method method = method(Limited.class, name);
		return Objects.requireNonNull(this.proxies.source.getLockOperation(method, Limited.class));
	}

	// Not called, since locks of this JVM know no permits.
	private LockRequest request(String name, @Nullable Object argument) {
		MethodInvocation invocation = Mockito.mock(MethodInvocation.class);
		Mockito.when(invocation.getArguments()).thenReturn(new @Nullable Object[] { argument });
		return this.proxies.interceptor.requests(operation(name), invocation).get(0);
	}

	private static Method method(Class<?> type, String name) {
		return Stream.of(type.getDeclaredMethods())
			.filter((method) -> method.getName().equals(name))
			.findFirst()
			.orElseThrow();
	}

	static class Limited {

		@DistributedLock("k")
		void one(Object value) {
		}

		@DistributedLock(key = "k", permits = " 3 ")
		void three(Object value) {
		}

		@DistributedLock(key = "k", permits = "${three}")
		void configured(Object value) {
		}

		@DistributedLock(key = "k", permits = "1", mode = LockMode.READ)
		void oneReader(Object value) {
		}

		@DistributedLock(key = "k", permits = "#p0")
		void computed(@Nullable Object value) {
		}

		@DistributedLock(key = "k", permits = "#{#p0}")
		void template(Object value) {
		}

		@DistributedLock(key = "k", permits = "#{@limits.get(#p0)}")
		void ofBean(Object value) {
		}

		@DistributedLock(key = "k", permits = "#p0.length()")
		void broken(@Nullable Object value) {
		}

	}

	static class Refused {

		@DistributedLock(key = "k", permits = "0")
		void zero(Object value) {
		}

		@DistributedLock(key = "k", permits = "many")
		void text(Object value) {
		}

		@DistributedLock(key = "k", permits = "")
		void blank(Object value) {
		}

		@DistributedLock(key = "k", permits = "3", mode = LockMode.READ)
		void readers(Object value) {
		}

		@DistributedLock(key = "k", permits = "#p0", mode = LockMode.WRITE)
		void writers(Object value) {
		}

		@DistributedLock(key = "k", permits = "#limit")
		void unknown(Object value) {
		}

	}

}
