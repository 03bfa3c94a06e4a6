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

package io.github.zklock.zookeeper.tasks;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.support.CapturedOutput;
import io.github.zklock.support.OutputCaptureExtension;
import io.github.zklock.zookeeper.tasks.RetryingTasks.Retry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RetryingTasks}.
 */
@ExtendWith(OutputCaptureExtension.class)
class RetryingTasksTests {

	private static final int MANY = 30;

	private static final int EVER = 5000;

	private final IdleTasks idle = new IdleTasks();

	private final Queue<Runnable> soon = this.idle.scheduled();

	private final RetryingTasks tasks = new RetryingTasks(this.idle);

	private int failures;

	private int successes;

	private final Retry retry = this.tasks.retried(() -> {
		if (this.failures > 0) {
			this.failures--;
			throw new IllegalStateException("the step has failed");
		}
		this.successes++;
	});

	@Test
	void stepThatFailsOnceInAWhileIsAlwaysRepeatedSoon() {
		for (int i = 1; i <= MANY; i++) {
			this.failures = 1;
			this.retry.run();
			assertThat(this.soon).hasSize(1);
			this.soon.remove().run();
			assertThat(this.successes).isEqualTo(i);
		}
	}

	@Test
	void stepAfterAFutureIsRepeatedWhenItFails() {
		CompletableFuture<String> future = new CompletableFuture<>();
		this.failures = 2;
		this.tasks.whenEnded(future, () -> {
			if (this.failures-- > 0) {
				throw new StackOverflowError("injected");
			}
			this.successes++;
		});
		future.completeExceptionally(new IllegalStateException("the future has failed"));
		repeatFailed(2);
		assertThat(this.successes).isOne();
	}

	@Test
	void periodicCheckThatHasNotEndedIsNotBegunAgain() {
		Queue<Runnable> rounds = new ArrayDeque<>();
		Queue<Runnable> checks = new ArrayDeque<>();
		new RetryingTasks(new Periodic(rounds, checks)).repeatBlocking(() -> this.successes++, 1, TimeUnit.SECONDS);
		rounds.element().run();
		rounds.element().run();
		assertThat(checks).hasSize(1);
		checks.remove().run();
		rounds.element().run();
		assertThat(checks).hasSize(1);
		assertThat(this.successes).isOne();
	}

	@Test
	void stepThatFailsAgainAndAgainIsLeftToThePeriodicLook() {
		this.failures = MANY;
		this.retry.run();
		int repeated = 0;
		while (!this.soon.isEmpty()) {
			this.soon.remove().run();
			repeated++;
		}
		assertThat(repeated).isLessThan(MANY);
		for (int i = repeated; i < MANY; i++) {
			this.tasks.repeatFailed();
		}
		assertThat(this.successes).isOne();
	}

	@Test
	void stepThatFailsByABugIsGivenUpInTheEnd() {
		this.failures = Integer.MAX_VALUE;
		this.retry.run();
		repeatFailed(EVER);
		assertThat(Integer.MAX_VALUE - this.failures).isLessThan(EVER);
	}

	@Test
	void stepThatFailsForLackOfMemoryIsNeverGivenUp() {
		AtomicInteger calls = new AtomicInteger();
		this.tasks.retried(() -> {
			calls.incrementAndGet();
			throw new OutOfMemoryError("injected");
		}).run();
		repeatFailed(EVER);
		assertThat(calls).hasValue(EVER + 1);
	}

	@Test
	void deleteIsNeverGivenUp() {
		AtomicInteger calls = new AtomicInteger();
		this.tasks.retriedForEver(() -> {
			calls.incrementAndGet();
			throw new IllegalStateException("the step has failed");
		}).run();
		repeatFailed(EVER);
		assertThat(calls).hasValue(EVER + 1);
	}

	@Test
	void failureThatLastsIsLoggedEachMinute(CapturedOutput output) {
		this.failures = Integer.MAX_VALUE;
		this.retry.run();
		for (int i = 0; i < 90; i++) {
			this.idle.passes(Duration.ofSeconds(2));
			this.tasks.repeatFailed();
		}
		assertThat(output.toString().lines().filter((line) -> line.contains("A step of the lock engine"))).hasSize(3);
	}

	private void repeatFailed(int times) {
		for (int i = 0; i < times; i++) {
			this.tasks.repeatFailed();
		}
	}

	/**
	 * Leaves it to the test when a round begins and when a check runs.
	 */
	private record Periodic(Queue<Runnable> rounds, Queue<Runnable> checks) implements Tasks {

		@Override
		public long nanoTime() {
			return 0;
		}

		@Override
		public Future<?> schedule(Runnable action, long delay) {
			return new CompletableFuture<>();
		}

		@Override
		public void repeat(Runnable action, long pause) {
			this.rounds.add(action);
		}

		@Override
		public void callBack(Runnable code) {
		}

		@Override
		public void handOver(Runnable step) {
			this.checks.add(step);
		}

		@Override
		public boolean isReplyThread() {
			return false;
		}

		@Override
		public void stop() {
		}

	}

}
