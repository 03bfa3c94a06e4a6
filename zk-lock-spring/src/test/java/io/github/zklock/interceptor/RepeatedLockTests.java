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
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LossPolicy;
import io.github.zklock.core.NotAcquiredPolicy;
import io.github.zklock.core.ReleasePolicy;
import io.github.zklock.core.UnavailablePolicy;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockSpecification;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Several annotations on one method.
 */
class RepeatedLockTests {

	private final LockProxies proxies = new LockProxies();

	@Test
	void whatOneSaysHoldsForAll() {
		LockOperation operation = operation(Agreed.class, "once");
		assertThat(operation.onNotAcquired()).isEqualTo(NotAcquiredPolicy.SKIP);
		assertThat(operation.onUnavailable()).isEqualTo(UnavailablePolicy.SKIP);
		assertThat(operation.release()).isEqualTo(ReleasePolicy.METHOD);
		assertThat(operation.locks()).hasSize(3).allSatisfy((lock) -> {
			assertThat(lock.waitTime()).isZero();
			assertThat(lock.onLost()).isEqualTo(LossPolicy.IGNORE);
		});
		assertThat(operation.locks()).extracting(LockSpecification::mode)
			.containsExactly(LockMode.EXCLUSIVE, LockMode.EXCLUSIVE, LockMode.READ);
	}

	@Test
	void sameWordsDoNotContradict() {
		LockOperation operation = operation(Agreed.class, "same");
		assertThat(operation.fallback()).hasToString("busy");
		assertThat(operation.locks()).extracting(LockSpecification::waitTime)
			.containsExactly(Duration.ofSeconds(5), Duration.ofSeconds(5));
	}

	@Test
	void oneOfThemThatIsTakenIsEnoughToSkip() {
		Agreed agreed = this.proxies.guard(new Agreed());
		assertThat(agreed.once()).isEqualTo("ran");
		try (LockHandle other = this.proxies.holdByAnother("b")) {
			assertThat(agreed.once()).isNull();
			assertThat(other.isHeld()).isTrue();
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					waits          | several @DistributedLock annotations that contradict each other: waitTime = PT1S and waitTime = PT2S
					notAcquired    | onNotAcquired = SKIP and onNotAcquired = THROW
					fallbacks      | fallbackMethod = one and fallbackMethod = two
					unavailable    | onUnavailable = SKIP and onUnavailable = THROW
					lost           | onLost = IGNORE and onLost = INTERRUPT
					skipOrFallback | both onNotAcquired = SKIP and fallbackMethod = "one"
					sameKey        | two @DistributedLock annotations with the key 'a' (EXCLUSIVE and EXCLUSIVE)
					sameExpression | two @DistributedLock annotations with the key '#id' (READ and WRITE)
					""")
	void contradictionsAreRefused(String name, String description) {
		assertThatExceptionOfType(InvalidLockUsageException.class).isThrownBy(() -> operation(Refused.class, name))
			.satisfies((ex) -> {
				assertThat(ex.getDescription()).startsWith("The @DistributedLock method ")
					.contains("." + name + "(")
					.contains(description);
				assertThat(ex.getAction()).isNotBlank();
			});
	}

	private LockOperation operation(Class<?> type, String name) {
		Method method = Stream.of(type.getDeclaredMethods())
			.filter((each) -> each.getName().equals(name))
			.findFirst()
			.orElseThrow();
		return Objects.requireNonNull(this.proxies.source.getLockOperation(method, type));
	}

	static class Agreed {

		@DistributedLock(key = "a", onNotAcquired = NotAcquiredPolicy.SKIP, waitMs = 0)
		@DistributedLock(key = "b", onUnavailable = UnavailablePolicy.SKIP, onLost = LossPolicy.IGNORE)
		@DistributedLock(key = "c", release = ReleasePolicy.METHOD, mode = LockMode.READ)
		@Nullable String once() {
			return "ran";
		}

		@DistributedLock(key = "a", fallbackMethod = "busy", waitMs = 5000)
		@DistributedLock(key = "b", fallbackMethod = "busy", waitTime = "5s")
		void same() {
		}

		void busy() {
		}

	}

	static class Refused {

		@DistributedLock(key = "a", waitMs = 1000)
		@DistributedLock("b")
		@DistributedLock(key = "c", waitTime = "2s")
		void waits() {
		}

		@DistributedLock(key = "a", onNotAcquired = NotAcquiredPolicy.SKIP)
		@DistributedLock(key = "b", onNotAcquired = NotAcquiredPolicy.THROW)
		void notAcquired() {
		}

		@DistributedLock(key = "a", fallbackMethod = "one")
		@DistributedLock(key = "b", fallbackMethod = "two")
		void fallbacks() {
		}

		@DistributedLock(key = "a", onUnavailable = UnavailablePolicy.SKIP)
		@DistributedLock(key = "b", onUnavailable = UnavailablePolicy.THROW)
		void unavailable() {
		}

		@DistributedLock(key = "a", onLost = LossPolicy.IGNORE)
		@DistributedLock(key = "b", onLost = LossPolicy.INTERRUPT)
		void lost() {
		}

		@DistributedLock(key = "a", onNotAcquired = NotAcquiredPolicy.SKIP)
		@DistributedLock(key = "b", fallbackMethod = "one")
		void skipOrFallback() {
		}

		@DistributedLock("a")
		@DistributedLock("a")
		void sameKey() {
		}

		@DistributedLock(key = "#id", mode = LockMode.READ)
		@DistributedLock(key = "#id", mode = LockMode.WRITE)
		void sameExpression(long id) {
		}

	}

}
