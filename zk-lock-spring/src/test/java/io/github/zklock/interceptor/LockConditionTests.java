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
import java.util.Map;
import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.FencingToken;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockException;
import io.github.zklock.core.LockExpressionException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.CapturedOutput;
import io.github.zklock.support.OutputCaptureExtension;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The condition under which a call needs its lock.
 */
@ExtendWith(OutputCaptureExtension.class)
class LockConditionTests {

	private final LockProxies proxies = new LockProxies();

	private final Orders orders = this.proxies.guard(new Orders());

	@Test
	void withoutALockThereIsNeitherHandleNorToken() {
		Handles handles = this.proxies.guard(new Handles());
		LockHandle stale = new InMemoryLockProvider().acquire(LockRequest.of("other"));
		assertThat(handles.run(3, stale, 42)).isEqualTo("null 0");
		assertThat(handles.run(4, null, 0)).doesNotContain("null");
	}

	@Test
	void callRunsWithoutItsLockOnlyWhenTheConditionIsFalse(CapturedOutput output) {
		assertThat(this.orders.place(5, "a")).isEqualTo(1);
		assertThat(output.toString()).doesNotContain("condition");
		// The key is not even computed.
		assertThat(this.orders.place(3, null)).isZero();
		assertThat(this.orders.place(2, null)).isZero();
		assertThat(this.orders.place(4, "a")).isEqualTo(1);
		assertThat(output.toString().lines().filter((line) -> line.contains("condition"))).singleElement()
			.asString()
			.contains("INFO", Orders.class.getName() + ".place(int, String) is called without its lock 'orders-place', "
					+ "since its condition '#p0 > 3 and #root.args.length == 2' is false");
	}

	@Test
	void conditionOfOneLockLeavesTheOthers() {
		assertThat(this.orders.both(true)).isEqualTo(2);
		assertThat(this.orders.both(false)).isEqualTo(1);
		assertThat(this.proxies.events.list()).containsExactly("lock a", "lock b", "unlock", "unlock", "lock a",
				"unlock");
	}

	@Test
	void conditionCanAskABean() {
		this.proxies.beanFactory.registerSingleton("flags", Map.of("on", true, "off", false));
		assertThat(this.orders.flagged("on")).isEqualTo(1);
		assertThat(this.orders.flagged("off")).isZero();
		assertThatExceptionOfType(LockExpressionException.class).isThrownBy(() -> this.orders.flagged("none"))
			.withMessage("The condition '@flags.get(#p0)' of " + Orders.class.getName()
					+ ".flagged(String) gives null, " + "but has to be true or false: compare it with something");
	}

	@ParameterizedTest
	@CsvSource({ "yes, gives a java.lang.String, but has to be true or false", ", gives null, but has to be" })
	void whatIsNeitherTrueNorFalseIsRefused(@Nullable String value, String message) {
		assertThatExceptionOfType(LockException.class).isThrownBy(() -> this.orders.text(value))
			.withMessageContaining("The condition '#p0' of")
			.withMessageContaining(message);
		assertThat(this.proxies.events.list()).isEmpty();
	}

	@Test
	void conditionThatThrowsIsTold() {
		assertThatExceptionOfType(LockExpressionException.class).isThrownBy(() -> this.orders.broken(null))
			.withMessageContaining("The condition '#p0.empty' of")
			.withMessageContaining("could not be evaluated")
			.satisfies((ex) -> assertThat(ex.getExpression()).isEqualTo("#p0.empty"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "unknown: uses #other in its condition '#other', but there is no such parameter",
			"bare: uses id in its condition 'id > 5', but there is no such parameter",
			"template: has the condition '#{#p0}', which is not a valid SpEL expression",
			"constant: has the condition '5', which is neither true nor false",
			"noBean: uses @nobody in its condition '@nobody.on', but there is no bean 'nobody'" })
	void refusesAtStartUp(String expected) {
		String[] parts = expected.split(": ", 2);
		Method method = Stream.of(Refused.class.getDeclaredMethods())
			.filter((each) -> each.getName().equals(parts[0]))
			.findFirst()
			.orElseThrow();
		assertThatExceptionOfType(InvalidLockUsageException.class)
			.isThrownBy(() -> this.proxies.source.getLockOperation(method, Refused.class))
			.satisfies((ex) -> assertThat(ex.getDescription()).contains("." + parts[0] + "(int) " + parts[1]));
	}

	static class Orders {

		@DistributedLock(key = "order:#{#p1}", condition = "#p0 > ${three} and #root.args.length == 2")
		int place(int count, @Nullable String id) {
			return held();
		}

		@DistributedLock("a")
		@DistributedLock(key = "b", condition = "#p0")
		int both(boolean second) {
			return held();
		}

		@DistributedLock(key = "k", condition = "@flags.get(#p0)")
		int flagged(String name) {
			return held();
		}

		@DistributedLock(key = "k", condition = "#p0")
		int text(@Nullable String value) {
			return held();
		}

		@DistributedLock(key = "k", condition = "#p0.empty")
		int broken(@Nullable String value) {
			return held();
		}

		private static int held() {
			try {
				return LockHandle.current().handles().size();
			}
			catch (IllegalStateException ex) {
				return 0;
			}
		}

	}

	static class Handles {

		@DistributedLock(key = "k", condition = "#p0 > 3")
		String run(int id, @Nullable LockHandle handle, @FencingToken long token) {
			return handle + " " + token;
		}

	}

	static class Refused {

		@DistributedLock(key = "k", condition = "#other")
		void unknown(int id) {
		}

		@DistributedLock(key = "k", condition = "id > 5")
		void bare(int id) {
		}

		@DistributedLock(key = "k", condition = "#{#p0}")
		void template(int id) {
		}

		@DistributedLock(key = "k", condition = "5")
		void constant(int id) {
		}

		@DistributedLock(key = "k", condition = "@nobody.on")
		void noBean(int id) {
		}

	}

}
