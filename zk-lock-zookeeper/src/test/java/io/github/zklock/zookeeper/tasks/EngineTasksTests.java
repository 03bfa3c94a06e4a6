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

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.github.zklock.support.DelegatingTasks;
import io.github.zklock.support.OutputCaptureExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EngineTasks}.
 */
@ExtendWith(OutputCaptureExtension.class)
class EngineTasksTests {

	private final IdleTasks idle = new IdleTasks();

	private final Queue<Runnable> soon = this.idle.scheduled();

	private final EngineTasks tasks = new EngineTasks(this.idle);

	private int failures;

	private int successes;

	private void step() {
		if (this.failures-- > 0) {
			throw new StackOverflowError("injected");
		}
		this.successes++;
	}

	@Test
	void failedStepEndsTheGenerationAndIsNotRepeated() {
		Generation first = this.tasks.generation();
		this.failures = 1;
		this.tasks.run(this::step);
		assertThat(first.isBroken()).isTrue();
		assertThat(this.soon).as("checks that are planned").hasSize(1);
		this.tasks.nextGeneration();
		assertThat(this.tasks.generation().isBroken()).isFalse();
		assertThat(this.successes).isZero();
	}

	@Test
	void failureOfAnEarlierGenerationDoesNotEndTheNextOne() {
		Generation first = this.tasks.generation();
		first.failed(new OutOfMemoryError("injected"));
		this.tasks.nextGeneration();
		first.run(() -> {
			throw new IllegalStateException("injected");
		});
		assertThat(this.tasks.generation().isBroken()).isFalse();
	}

	@Test
	void answerToTheApplicationIsRepeatedUntilItSucceeds() {
		CompletableFuture<String> future = new CompletableFuture<>();
		this.failures = 2;
		this.tasks.startPeriodicCheck(() -> {
		}, 1, TimeUnit.SECONDS);
		this.tasks.whenEnded(future, this::step);
		future.completeExceptionally(new IllegalStateException("the future has failed"));
		for (int i = 0; i < 2; i++) {
			this.soon.remove().run();
		}
		assertThat(this.successes).isOne();
		assertThat(this.tasks.generation().isBroken()).isFalse();
	}

	@Test
	void answerThatHasFailedIsRepeatedAtTheStop() {
		this.failures = 1;
		this.tasks.untilDone(this::step);
		this.tasks.stop();
		assertThat(this.successes).isOne();
	}

	@Test
	void answerThatFailsAfterTheStopIsRepeatedOnce() {
		this.tasks.stop();
		this.failures = 1;
		this.tasks.untilDone(this::step);
		assertThat(this.successes).isOne();
		this.failures = Integer.MAX_VALUE;
		this.tasks.untilDone(this::step);
		assertThat(this.failures).isEqualTo(Integer.MAX_VALUE - 2);
	}

	@Test
	void checkThatCannotBeginIsRepeated() {
		Queue<Runnable> rounds = new ArrayDeque<>();
		Queue<Runnable> checks = new ArrayDeque<>();
		Periodic periodic = new Periodic(rounds, checks);
		new EngineTasks(new DelegatingTasks(periodic) {

			@Override
			public void onStepThread(Runnable step) {
				step();
				super.onStepThread(step);
			}

		}).startPeriodicCheck(() -> this.successes = 10, 1, TimeUnit.SECONDS);
		this.failures = 1;
		rounds.element().run();
		assertThat(checks).isEmpty();
		rounds.element().run();
		checks.remove().run();
		assertThat(this.successes).isEqualTo(10);
	}

	@Test
	void periodicCheckThatHasNotEndedIsNotBegunAgain() {
		Queue<Runnable> rounds = new ArrayDeque<>();
		Queue<Runnable> checks = new ArrayDeque<>();
		new EngineTasks(new Periodic(rounds, checks)).startPeriodicCheck(() -> this.successes++, 1, TimeUnit.SECONDS);
		rounds.element().run();
		rounds.element().run();
		assertThat(checks).hasSize(1);
		checks.remove().run();
		rounds.element().run();
		assertThat(checks).hasSize(1);
		assertThat(this.successes).isOne();
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
		public void onStepThread(Runnable step) {
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
