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

package io.github.zklock.simulation;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.zookeeper.SimulatedProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * How long a caller waits, to the millisecond: no machine is in the way here. The tests
 * with real servers only show that a wait is not shorter than its bound, and ends.
 */
class WaitBoundTests {

	// What the page on guarantees promises.
	private static final Duration TOLERANCE = Duration.ofMillis(150);

	private static final Duration WAIT = Duration.ofMillis(500);

	private static final Duration TRY_TIMEOUT = Duration.ofMillis(500);

	private static final Duration RELEASE = Duration.ofSeconds(3);

	private static final Duration SESSION_TIMEOUT = Duration.ofMillis(CalmWorld.SESSION_TIMEOUT_MS);

	private static final Duration TICK = Duration.ofMillis(EnsembleSettings.defaults().tickTime());

	private final CalmWorld world = new CalmWorld(3, 2);

	private final SimulatedProcess process = this.world.clients().get(0);

	private final SimulatedProcess rival = this.world.clients().get(1);

	@ParameterizedTest
	@EnumSource(Outage.class)
	void waitEndsInTimeInAnOutage(Outage outage) {
		outage.begin(this);
		// Before and after the client has noticed.
		for (int i = 0; i < 2; i++) {
			assertEndsAfter(WAIT, LockUnavailableException.class);
			this.world.pass(Duration.ofSeconds(12));
		}
	}

	@ParameterizedTest
	@EnumSource(Outage.class)
	void attemptThatDoesNotWaitEndsInTimeInAnOutage(Outage outage) {
		outage.begin(this);
		for (int i = 0; i < 2; i++) {
			long start = this.world.now();
			assertThat(failureOf(request(Duration.ZERO))).isInstanceOf(LockUnavailableException.class);
			assertThat(since(start)).isLessThanOrEqualTo(TRY_TIMEOUT.plus(TOLERANCE));
			this.world.pass(Duration.ofSeconds(12));
		}
	}

	@ParameterizedTest
	@EnumSource(Outage.class)
	void waitEndsInTimeWhenTheOutageBeginsInTheMiddle(Outage outage) {
		Duration wait = Duration.ofSeconds(30);
		acquire(this.rival);
		CompletableFuture<LockHandle> waiting = request(wait);
		long start = this.world.now();
		this.world.pass(Duration.ofSeconds(2));
		outage.begin(this);
		assertThat(failureOf(waiting)).isInstanceOfAny(LockUnavailableException.class, LockNotAcquiredException.class);
		assertThat(since(start)).isBetween(wait, wait.plus(TOLERANCE));
	}

	@Test
	void waitBehindAHolderEndsInTime() {
		acquire(this.rival);
		assertEndsAfter(WAIT, LockNotAcquiredException.class);
	}

	@Test
	void attemptThatDoesNotWaitIsRefusedByAHolderAtOnce() {
		acquire(this.rival);
		long start = this.world.now();
		assertThat(failureOf(request(Duration.ZERO))).isInstanceOf(LockNotAcquiredException.class);
		assertThat(since(start)).isLessThan(Duration.ofMillis(10));
	}

	@ParameterizedTest
	@EnumSource(Outage.class)
	void releaseEndsInTimeInAnOutage(Outage outage) {
		LockHandle held = acquire(this.process);
		outage.begin(this);
		long start = this.world.now();
		CompletableFuture<Void> released = held.releaseAsync();
		this.world.until(released::isDone);
		assertThat(since(start)).isLessThanOrEqualTo(RELEASE.plus(TOLERANCE));
	}

	@Test
	void lockOfADeadHolderIsFreeAfterItsSessionTimeoutAndATick() {
		acquire(this.rival);
		CompletableFuture<LockHandle> waiting = request(Duration.ofMinutes(5));
		this.world.pass(Duration.ofSeconds(30));
		long start = this.world.now();
		this.rival.crash();
		this.world.until(waiting::isDone);
		assertThat(waiting.join().state()).isEqualTo(LockState.HELD);
		assertThat(since(start)).isLessThanOrEqualTo(SESSION_TIMEOUT.plus(TICK).plus(TOLERANCE));
	}

	@Test
	void lockOfAHolderThatShutsDownIsFreeAtOnce() {
		acquire(this.rival);
		CompletableFuture<LockHandle> waiting = request(Duration.ofMinutes(5));
		this.world.pass(Duration.ofSeconds(30));
		long start = this.world.now();
		this.rival.shutdown(Duration.ZERO);
		this.world.until(waiting::isDone);
		assertThat(waiting.join().state()).isEqualTo(LockState.HELD);
		assertThat(since(start)).isLessThanOrEqualTo(TOLERANCE);
	}

	private void assertEndsAfter(Duration wait, Class<? extends LockException> failure) {
		long start = this.world.now();
		assertThat(failureOf(request(wait))).isInstanceOf(failure);
		assertThat(since(start)).isBetween(wait, wait.plus(TOLERANCE));
	}

	private CompletableFuture<LockHandle> request(Duration wait) {
		return this.process.provider().acquireAsync(LockRequest.of("k1").withWait(wait));
	}

	private Throwable failureOf(CompletableFuture<LockHandle> request) {
		this.world.until(request::isDone);
		assertThat(request).isCompletedExceptionally();
		return catchThrowableOfType(CompletionException.class, request::join).getCause();
	}

	private LockHandle acquire(SimulatedProcess client) {
		CompletableFuture<LockHandle> lock = CalmWorld.ask(client, "k1", "holder");
		this.world.until(lock::isDone);
		return lock.join();
	}

	private Duration since(long start) {
		return Duration.ofNanos(this.world.now() - start);
	}

	enum Outage {

		/** The connection is closed, and no other one is accepted. */
		REFUSED,

		/** Nothing arrives, and neither end notices. */
		BLACK_HOLE,

		/** Two of the three servers are gone. */
		NO_MAJORITY;

		void begin(WaitBoundTests test) {
			switch (this) {
				case REFUSED -> {
					test.process.handle().link().refuse(true);
					test.process.handle().link().cut();
				}
				case BLACK_HOLE -> {
					test.process.handle().link().refuse(true);
					test.process.handle().link().blackHole();
				}
				case NO_MAJORITY -> {
					test.world.ensemble().crash(1);
					test.world.ensemble().crash(2);
				}
			}
		}

	}

}
