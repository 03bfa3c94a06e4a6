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

package io.github.zklock.zookeeper;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How a thread waits for the verdict, called early or not.
 */
class PendingVerdictTests {

	private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

	private final PendingVerdict pending = new PendingVerdict(Thread::yield);

	private final LockVerdict verdict = new LockVerdict(null, null);

	private Thread thread;

	@ParameterizedTest
	@ValueSource(longs = { Long.MAX_VALUE, 60_000_000_000L })
	void whoIsCalledTooEarlyGoesBackToSleepAndGetsTheVerdictLater(long left) throws Exception {
		FutureTask<LockVerdict> waiting = start(() -> this.pending.await(() -> left));
		awaitSleep();
		assertThat(this.pending.future().getNumberOfDependents()).as("not called yet").isZero();
		this.pending.expect();
		Awaitility.await().until(() -> this.pending.future().getNumberOfDependents() == 1);
		assertThat(waiting).isNotDone();
		assertThat(this.pending.decide(this.verdict)).isTrue();
		assertThat(waiting.get(10, TimeUnit.SECONDS)).isSameAs(this.verdict);
	}

	@Test
	void whoIsNotCalledGetsTheVerdict() throws Exception {
		FutureTask<LockVerdict> waiting = start(() -> this.pending.await(() -> MINUTE));
		awaitSleep();
		this.pending.decide(this.verdict);
		assertThat(waiting.get(10, TimeUnit.SECONDS)).isSameAs(this.verdict);
	}

	@Test
	void firstVerdictCounts() throws Exception {
		this.pending.decide(this.verdict);
		assertThat(this.pending.decide(new LockVerdict(null, null))).isFalse();
		assertThat(this.pending.await(() -> 0)).isSameAs(this.verdict);
	}

	@Test
	void whoIsCalledInTimeGetsTheVerdictWithoutGoingToSleep() throws Exception {
		AtomicInteger pauses = new AtomicInteger();
		PendingVerdict[] called = new PendingVerdict[1];
		called[0] = new PendingVerdict(() -> {
			if (pauses.incrementAndGet() == 1) {
				called[0].decide(this.verdict);
			}
		});
		called[0].expect();
		// It could not sleep at all.
		assertThat(called[0].await(() -> 0)).isSameAs(this.verdict);
		assertThat(pauses).hasValue(1);
	}

	@Test
	void whoIsCalledTooEarlyIsNotAwakeForLong() {
		AtomicLong last = new AtomicLong();
		PendingVerdict called = new PendingVerdict(() -> last.set(System.nanoTime()));
		called.expect();
		long begin = System.nanoTime();
		assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> called.await(() -> 0));
		assertThat(last.get() - begin).isLessThan(Duration.ofSeconds(1).toNanos());
	}

	@Test
	@Timeout(30)
	void timeUntilTheCallCountsAsWell() {
		this.pending.expect();
		AtomicLong left = new AtomicLong(MINUTE);
		assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> this.pending.await(() -> left.getAndSet(0)));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void waitEndsInTimeForWhoIsCalledTooEarlyAsWell(boolean called) {
		if (called) {
			this.pending.expect();
		}
		assertThatExceptionOfType(TimeoutException.class)
			.isThrownBy(() -> this.pending.await(() -> Duration.ofMillis(20).toNanos()));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void interruptEndsTheWaitOfWhoIsCalledTooEarlyAsWell(boolean called) {
		FutureTask<LockVerdict> waiting = start(() -> this.pending.await(() -> MINUTE));
		awaitSleep();
		if (called) {
			this.pending.expect();
			awaitSleep();
		}
		this.thread.interrupt();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> waiting.get(10, TimeUnit.SECONDS))
			.withCauseInstanceOf(InterruptedException.class);
	}

	private FutureTask<LockVerdict> start(Callable<LockVerdict> wait) {
		FutureTask<LockVerdict> task = new FutureTask<>(wait);
		this.thread = new Thread(task);
		this.thread.start();
		return task;
	}

	// Asleep several times in a row, since it is awake for a moment when it is called.
	private void awaitSleep() {
		Awaitility.await()
			.pollInterval(Duration.ofMillis(2))
			.during(Duration.ofMillis(20))
			.until(() -> Stream.of(Thread.State.WAITING, Thread.State.TIMED_WAITING)
				.anyMatch((state) -> state == this.thread.getState()));
	}

}
