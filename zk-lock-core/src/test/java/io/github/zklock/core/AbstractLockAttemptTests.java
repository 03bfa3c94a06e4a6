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

package io.github.zklock.core;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.internal.WorkRecords;
import io.github.zklock.core.spi.RunOutcome;
import io.github.zklock.core.spi.UnusedRelease;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A tick whose runner has died runs again, before later ticks.
 */
public abstract class AbstractLockAttemptTests extends AbstractTickContract {

	private static final Duration BOUND = Duration.ofHours(2);

	@Test
	void tickWithSeveralAttemptsRunsAgainWhenItsRunnerHasLostItsLock() {
		first(LockTick.at(JOB, TEN).withMaxAttempts(3));
		backend().loseFirst();
		LockHandle again = second(LockTick.at(JOB, TEN).withMaxAttempts(3));
		assertThat(WorkRecords.attempt(again)).isEqualTo(2);
		again.release();
		assertThat(refusalOf(LockTick.at(JOB, TEN).withMaxAttempts(3))).hasMessageContaining("has run already");
	}

	@Test
	void tickWithSeveralAttemptsIsRefusedAfterTheLastOne() {
		first(LockTick.at(JOB, TEN).withMaxAttempts(1));
		backend().loseFirst();
		assertThat(refusalOf(LockTick.at(JOB, TEN))).hasMessageContaining("has run already");
		LockHandle unused = second(LockTick.at(JOB, ELEVEN).withMaxAttempts(2));
		UnusedRelease.of(unused).join();
		interrupted(second(LockTick.at(JOB, ELEVEN).withMaxAttempts(2)), 1);
		interrupted(second(LockTick.at(JOB, ELEVEN).withMaxAttempts(2)), 2);
		assertThat(refusalOf(LockTick.at(JOB, ELEVEN).withMaxAttempts(2)).getDiedAttempts()).isEqualTo(2);
	}

	@Test
	void tickWithOneAttemptHasDiedIfItIsMadeUpFor() {
		first(LockTick.at(JOB, TEN));
		backend().loseFirst();
		assertThat(refusalOf(LockTick.at(JOB, TEN)).getDiedAttempts()).isZero();
		assertThat(refusalOf(LockTick.at(JOB, TEN).late()).getDiedAttempts()).isEqualTo(1);
		assertThat(refusalOf(LockTick.at(JOB, TEN).yielding(BOUND)).getDiedAttempts()).isEqualTo(1);
	}

	private static void interrupted(LockHandle handle, int attempt) {
		assertThat(WorkRecords.attempt(handle)).isEqualTo(attempt);
		WorkRecords.ended(handle, RunOutcome.INTERRUPTED);
		handle.release();
	}

	@Test
	void yieldingTickIsRefusedUntilTheTickThatHasDiedHasRun() {
		first(LockTick.at(JOB, TEN).withMaxAttempts(3));
		backend().loseFirst();
		assertYields(() -> second(yielding(ELEVEN)).release());
		second(LockTick.at(JOB, TEN).byHand()).release();
		assertYields(() -> second(yielding(ELEVEN)).release());
		second(LockTick.at(JOB, TEN).withMaxAttempts(3)).release();
		second(yielding(ELEVEN)).release();
		assertThat(refusalOf(yielding(TEN))).hasMessageContaining("was overtaken");
	}

	@Test
	void yieldingTickIsRefusedAfterAnInterruption() {
		UnusedRelease.of(second(LockTick.at(JOB, TEN).withMaxAttempts(3))).join();
		assertYields(() -> second(yielding(ELEVEN)).release());
		second(yielding(ELEVEN).late()).release();
	}

	@Test
	void yieldingTickRunsIfTheTickThatHasDiedIsTooOld() {
		first(LockTick.at(JOB, TEN).withMaxAttempts(3));
		backend().loseFirst();
		LockTick later = LockTick.at(JOB, ELEVEN).withMaxAttempts(3);
		assertYields(() -> second(later.yielding(Duration.between(TEN, ELEVEN).plusMillis(1))).release());
		second(later.yielding(Duration.between(TEN, ELEVEN))).release();
	}

	@Test
	void yieldingTickOfOneAttemptWaitsForTheRunBeforeIt() {
		LockHandle running = first(LockTick.at(JOB, TEN));
		CompletableFuture<LockHandle> waiting = waitingFor(LockTick.at(JOB, ELEVEN).yielding(BOUND));
		running.release();
		get(waiting).release();
	}

	@Test
	void yieldingTickThatWaitsRunsUnlessTheRunBeforeItDies() {
		LockHandle running = first(LockTick.at(JOB, TEN));
		CompletableFuture<LockHandle> waiting = waitingFor(yielding(ELEVEN));
		running.release();
		get(waiting).release();
		Instant noon = ELEVEN.plusSeconds(3600);
		first(LockTick.at(JOB, noon));
		CompletableFuture<LockHandle> refused = waitingFor(yielding(noon.plusSeconds(3600)));
		backend().loseFirst();
		assertYields(() -> get(refused));
	}

	private static void assertYields(ThrowingCallable request) {
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(request)
			.withMessageEndingWith("waits for an earlier one, whose run has died")
			.satisfies((refusal) -> assertThat(refusal.getTick()).isNull());
	}

	private CompletableFuture<LockHandle> waitingFor(LockTick tick) {
		CompletableFuture<LockHandle> waiting = backend().second().acquireAsync(request(tick).withOwner("second"));
		backend().awaitMembers(key(), 2);
		return waiting;
	}

	private static LockTick yielding(Instant time) {
		return LockTick.at(JOB, time).withMaxAttempts(3).yielding(BOUND);
	}

	@Test
	void lateTickIsRefusedBeforeItsJobHasRun() {
		assertThat(refusalOf(LockTick.at(JOB, TEN).late())).hasMessageContaining("has never run");
		first(LockTick.at(JOB, TEN)).release();
		second(LockTick.at(JOB, ELEVEN).late()).release();
	}

	@Test
	void lateTickIsRefusedIfItsJobHasRunByHandOnly() {
		first(LockTick.at(JOB, TEN).byHand()).release();
		assertThat(refusalOf(LockTick.at(JOB, TEN).late())).hasMessageContaining("has never run");
	}

}
