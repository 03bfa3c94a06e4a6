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

package io.github.zklock.fencing;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockMode;
import io.github.zklock.fencing.Bank.Body;
import io.github.zklock.fencing.Bank.Pause;
import io.github.zklock.fencing.Bank.Point;
import io.github.zklock.fencing.FenceHistory.Seen;
import io.github.zklock.fencing.FenceStress.Result;
import io.github.zklock.support.PlainLockHandle;
import io.github.zklock.transaction.FencedTransactions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A holder that is held up at a point of its body, while the next holder is at work; and
 * many holders, most of which lose their lock and go on. {@code -Dfence.rounds} and
 * {@code -Dfence.seed} set how many and which.
 */
abstract class AbstractFenceTests {

	private static final int ROUNDS = Integer.getInteger("fence.rounds", 180);

	private static final long SEED = Long.getLong("fence.seed", 42);

	private static final long BOUND_SECONDS = 60;

	private final PlainLockHandle earlier = lock(1);

	private final PlainLockHandle later = lock(2);

	private final CountDownLatch raised = new CountDownLatch(1);

	private final FencedTransactions.Listener onRaise = new FencedTransactions.Listener() {

		@Override
		public void raised(LockHandle handle) {
			if (handle == AbstractFenceTests.this.later) {
				AbstractFenceTests.this.raised.countDown();
			}
		}

	};

	abstract TestDatabase database();

	abstract List<String> isolations();

	private static PlainLockHandle lock(long token) {
		return new PlainLockHandle("account", LockMode.EXCLUSIVE, token);
	}

	@ParameterizedTest
	@CsvSource({ "BEFORE_RAISE,READ_MODIFY_WRITE", "AFTER_RAISE,READ_MODIFY_WRITE", "AFTER_READ,READ_MODIFY_WRITE",
			"AFTER_WRITE,READ_MODIFY_WRITE", "BEFORE_CHECK,READ_MODIFY_WRITE", "BEFORE_RAISE,INSERT",
			"AFTER_RAISE,INSERT", "AFTER_READ,INSERT", "AFTER_WRITE,INSERT", "BEFORE_CHECK,INSERT" })
	void earlierHolderIsRefusedAndTheLaterOneCommits(Point point, Body body) throws Exception {
		try (Bank bank = new Bank(database(), "READ_COMMITTED", true, this.onRaise)) {
			CompletableFuture<Boolean> next = new CompletableFuture<>();
			Pause pause = once(point, () -> {
				start(bank, this.later, body, next);
				await(this.raised);
			});
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> bank.run(this.earlier, body, pause))
				.satisfies((ex) -> assertThat(ex.getKey()).isEqualTo("account"));
			assertThat(next.get(BOUND_SECONDS, TimeUnit.SECONDS)).isFalse();
			assertThat(stored(bank, body)).isOne();
		}
	}

	@ParameterizedTest
	@CsvSource({ "READ_MODIFY_WRITE", "INSERT" })
	void laterHolderWaitsForACommitThatWasChecked(Body body) throws Exception {
		try (Bank bank = new Bank(database(), "READ_COMMITTED", true, this.onRaise)) {
			CompletableFuture<Boolean> next = new CompletableFuture<>();
			boolean late = bank.run(this.earlier, body,
					once(Point.BEFORE_COMMIT, () -> start(bank, this.later, body, next)));
			assertThat(late).isFalse();
			assertThat(next.get(BOUND_SECONDS, TimeUnit.SECONDS)).isFalse();
			assertThat(stored(bank, body)).isEqualTo(2);
		}
	}

	@ParameterizedTest
	@EnumSource
	void noCommitIsLateAndNoUpdateIsLost(Body body) throws Exception {
		for (String isolation : isolations()) {
			try (Bank bank = new Bank(database(), isolation, true)) {
				Result result = new FenceStress(bank, body).run(ROUNDS, SEED);
				assertThat(result).as(isolation).isEqualTo(new Result(result.commits(), 0, 0, 0));
				assertThat(result.commits()).isPositive();
				assertThat(bank.tokens()).isSorted();
			}
		}
	}

	@Test
	void readersAndWritersOfSeveralKeysAreInTheOrderOfTheirTokens() throws Exception {
		for (String isolation : isolations()) {
			try (Bank bank = new Bank(database(), isolation, true)) {
				assertThat(new FenceHistory(bank).run(ROUNDS, SEED)).as(isolation).isEmpty();
				assertThat(bank.seen()).as("of readers and of writers")
					.anyMatch(Seen::wrote)
					.anyMatch((seen) -> !seen.wrote());
			}
		}
	}

	// What the tests before are worth.
	@Test
	void readersAndWritersAreNotInOrderWithoutTheFence() {
		try (Bank bank = new Bank(database(), "READ_COMMITTED", false)) {
			Pause pause = once(Point.AFTER_READ, () -> CompletableFuture.runAsync(() -> bank.run(writer(2), (point) -> {
			})).orTimeout(BOUND_SECONDS, TimeUnit.SECONDS).join());
			bank.run(writer(1), pause);
			assertThat(FenceHistory.outOfOrder(bank.seen())).hasSize(1);
		}
	}

	@Test
	void commitIsLateIfItsCheckOnlyReads() {
		try (Bank bank = new Bank(database(), "READ_COMMITTED", true, ReadingFences::new)) {
			Pause pause = once(Point.BEFORE_COMMIT, () -> runApart(bank, this.later, Body.INSERT));
			assertThat(bank.run(this.earlier, Body.INSERT, pause)).isTrue();
			assertThat(stored(bank, Body.INSERT)).as("two entries at one place").isOne();
		}
	}

	@ParameterizedTest
	@CsvSource({ "READ_MODIFY_WRITE", "INSERT" })
	void earlierHolderCommitsLateWithoutTheFence(Body body) throws Exception {
		try (Bank bank = new Bank(database(), "READ_COMMITTED", false)) {
			boolean late = bank.run(this.earlier, body, once(Point.AFTER_READ, () -> runApart(bank, this.later, body)));
			assertThat(late).isTrue();
			assertThat(stored(bank, body)).as("one of two updates is lost").isOne();
		}
	}

	@Test
	void readersDoNotFenceEachOther() {
		try (Bank bank = new Bank(database(), "READ_COMMITTED", true)) {
			LockHandle one = new PlainLockHandle("account", LockMode.READ, 3);
			LockHandle other = new PlainLockHandle("account", LockMode.READ, 4);
			bank.run(one, Body.INSERT, once(Point.AFTER_READ, () -> runApart(bank, other, Body.INSERT)));
			assertThat(bank.tokens()).containsExactly(3L, 4L);
		}
	}

	@ParameterizedTest
	@CsvSource({ "READ,WRITE", "WRITE,READ", "READ,EXCLUSIVE", "EXCLUSIVE,READ" })
	void readersAndWritersFenceEachOther(LockMode earlier, LockMode later) {
		try (Bank bank = new Bank(database(), "READ_COMMITTED", true)) {
			LockHandle one = new PlainLockHandle("account", earlier, 3);
			LockHandle other = new PlainLockHandle("account", later, 4);
			Pause pause = once(Point.AFTER_READ, () -> runApart(bank, other, Body.INSERT));
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> bank.run(one, Body.INSERT, pause));
			assertThat(bank.tokens()).containsExactly(4L);
		}
	}

	// Of the account that each bank has.
	private static List<LockHandle> writer(long token) {
		return List.of(new PlainLockHandle("1", LockMode.WRITE, token));
	}

	private static void runApart(Bank bank, LockHandle lock, Body body) {
		CompletableFuture<Boolean> end = new CompletableFuture<>();
		start(bank, lock, body, end);
		assertThat(end.orTimeout(BOUND_SECONDS, TimeUnit.SECONDS).join()).isFalse();
	}

	private static void start(Bank bank, LockHandle lock, Body body, CompletableFuture<Boolean> end) {
		Thread thread = new Thread(() -> {
			try {
				end.complete(bank.run(lock, body, (point) -> {
				}));
			}
			catch (Throwable ex) {
				end.completeExceptionally(ex);
			}
		}, "later holder");
		thread.setDaemon(true);
		thread.start();
	}

	private static Pause once(Point point, Runnable action) {
		return (reached) -> {
			if (reached == point) {
				action.run();
			}
		};
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(BOUND_SECONDS, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static long stored(Bank bank, Body body) {
		return (body == Body.INSERT) ? bank.places() : bank.balance();
	}

}
