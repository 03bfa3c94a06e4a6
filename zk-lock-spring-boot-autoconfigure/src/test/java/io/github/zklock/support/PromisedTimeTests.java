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

package io.github.zklock.support;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PromisedTimeTests {

	private final PromisedTime promise = PromisedTime.between(millis(500), millis(600));

	private final AtomicInteger attempts = new AtomicInteger();

	@Test
	void promiseIsBrokenByWhatIsLateEveryTime() {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.promise.isKeptIn((attempt) -> {
			attempt.took(millis(550), millis(0));
			attempt.took(millis(900), millis(200));
		})).withMessageContaining("PT0.6S in each of 3 attempts").withMessageContaining("PT0.9S (stalled for PT0.2S)");
	}

	@Test
	void promiseIsKeptByWhatIsLateOnce() throws Exception {
		this.promise
			.isKeptIn((attempt) -> attempt.took(millis((this.attempts.incrementAndGet() == 1) ? 700 : 550), millis(0)));
		assertThat(this.attempts).hasValue(2);
	}

	@Test
	void promiseIsKeptByWhatIsLateForAStall() throws Exception {
		this.promise.isKeptIn((attempt) -> {
			this.attempts.incrementAndGet();
			attempt.took(millis(900), millis(350));
		});
		assertThat(this.attempts).hasValue(1);
	}

	@Test
	void promiseIsBrokenByWhatIsTooSoonOnce() {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.promise.isKeptIn(
				(attempt) -> attempt.took(millis((this.attempts.incrementAndGet() == 1) ? 499 : 550), millis(0))));
		assertThat(this.attempts).hasValue(1);
	}

	@Test
	void promiseThatNothingWasMeasuredForIsBroken() {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.promise.isKeptIn((attempt) -> {
		})).withMessageContaining("measured actions");
	}

	@Test
	void failureOfAnActionComesOutUnchanged() {
		IllegalStateException failure = new IllegalStateException("failed");
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.promise.isKeptBy(() -> {
			throw failure;
		})).isSameAs(failure);
	}

	@Test
	void actionIsMeasured() throws Exception {
		PromisedTime.between(millis(100), Duration.ofMinutes(1)).isKeptBy(() -> assertParked(millis(100)));
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> PromisedTime.between(Duration.ofMinutes(1), Duration.ofMinutes(1)).isKeptBy(() -> {
			}));
	}

	private static void assertParked(Duration time) {
		long end = System.nanoTime() + time.toNanos();
		while (System.nanoTime() < end) {
			LockSupport.parkNanos(end - System.nanoTime());
		}
	}

	private static Duration millis(int millis) {
		return Duration.ofMillis(millis);
	}

}
