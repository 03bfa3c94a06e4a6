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

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LossPolicy;
import io.github.zklock.core.NotAcquiredPolicy;
import io.github.zklock.core.internal.NoOpLockProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.scheduling.annotation.Async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Methods that return a stage or a future.
 */
class StageMethodTests {

	private final GuardedProxy proxy = new GuardedProxy();

	private final LockEvents events = this.proxy.events();

	private final Orders orders = this.proxy.of(new Orders());

	private final CompletableFuture<String> stage = new CompletableFuture<>();

	@Test
	void lockIsHeldUntilTheStageCompletes() {
		CompletableFuture<Void> result = this.orders.future(() -> this.stage)
			.thenAccept((value) -> this.events.add("told " + value));
		awaitCall();
		assertThat(this.events.list()).containsExactly("lock future", "call");
		this.stage.complete("done");
		assertThat(result).succeedsWithin(Duration.ofSeconds(30));
		assertThat(this.events.list()).containsExactly("lock future", "call", "unlock", "told done");
	}

	@Test
	void callerDoesNotWaitForTheLock() {
		LockHandle other = this.proxy.holdByAnother("stage");
		CompletionStage<String> result = this.orders.stage(() -> CompletableFuture.completedFuture("done"));
		assertThat(this.events.list()).isEmpty();
		other.release();
		assertThat(result.toCompletableFuture()).succeedsWithin(Duration.ofSeconds(30)).isEqualTo("done");
		assertThat(this.events.list()).containsExactly("lock stage", "call", "unlock");
	}

	@ParameterizedTest
	@MethodSource
	void exceptionOfTheMethodFailsTheFuture(Body body, Class<? extends Throwable> expected) {
		CompletableFuture<String> result = this.orders.future(body);
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> result.get(30, TimeUnit.SECONDS))
			.withCauseInstanceOf(expected);
		assertThat(this.events.list()).containsExactly("lock future", "call", "unlock");
	}

	static Stream<Arguments> exceptionOfTheMethodFailsTheFuture() {
		Body throwing = () -> {
			throw new IOException("body");
		};
		Body failing = () -> CompletableFuture.failedFuture(new IOException("stage"));
		Body nothing = () -> null;
		return Stream.of(Arguments.of(throwing, IOException.class), Arguments.of(failing, IOException.class),
				Arguments.of(nothing, NullPointerException.class));
	}

	@Test
	void refusalFailsTheFutureOrIsSkipped() {
		LockHandle other = this.proxy.holdByAnother("once");
		CompletableFuture<String> thrown = this.orders.once(() -> this.stage);
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> thrown.get(30, TimeUnit.SECONDS))
			.withCauseInstanceOf(LockNotAcquiredException.class);
		assertThat(this.orders.skip(() -> this.stage)).succeedsWithin(Duration.ofSeconds(30)).isNull();
		assertThat(this.events.list()).containsExactly("refused once", "refused once");
		other.release();
		CompletableFuture<String> inside = this.orders.skip(() -> CompletableFuture
			.failedFuture(new LockNotAcquiredException(this.events.requests().get(0), Duration.ZERO, null)));
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> inside.get(30, TimeUnit.SECONDS))
			.withCauseInstanceOf(LockNotAcquiredException.class);
	}

	@Test
	void cancelWhileWaitingWithdrawsTheRequest() {
		LockHandle other = this.proxy.holdByAnother("future");
		this.orders.future(() -> this.stage).cancel(true);
		other.release();
		assertThat(this.proxy.provider().keysInUse()).isZero();
		assertThat(this.events.list()).isEmpty();
	}

	@Test
	void cancelLeavesTheLockToTheWorkThatGoesOn() throws Exception {
		CountDownLatch finish = new CountDownLatch(1);
		AtomicReference<CompletableFuture<String>> work = new AtomicReference<>();
		CompletableFuture<String> result = this.orders.future(() -> {
			work.set(CompletableFuture.supplyAsync(() -> doneAfter(finish)));
			return work.get();
		});
		awaitCall();
		Awaitility.await().until(() -> work.get() != null);
		result.cancel(true);
		assertThat(result).isCancelled();
		assertThat(this.events.list()).containsExactly("lock future", "call");
		assertThat(this.proxy.provider().keysInUse()).isOne();
		finish.countDown();
		assertThat(work.get()).succeedsWithin(Duration.ofSeconds(30));
		Awaitility.await().until(() -> this.proxy.provider().keysInUse() == 0);
	}

	@Test
	void lossFailsTheFuture() {
		CompletableFuture<String> result = this.orders.future(() -> this.stage);
		awaitCall();
		this.proxy.provider().loseAll();
		this.stage.complete("done");
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> result.get(30, TimeUnit.SECONDS))
			.withCauseInstanceOf(LockLostException.class);
	}

	@Test
	void asyncMethodHoldsTheLockOnItsThreadUntilItsFutureIsDone() throws Exception {
		for (Future<String> inner : new Future[] { this.stage, new FutureTask<>(() -> "done") }) {
			Future<Future<String>> outer = ForkJoinPool.commonPool().submit(() -> this.orders.async(() -> inner));
			Awaitility.await().until(() -> this.proxy.provider().keysInUse() == 1);
			assertThat(outer).isNotDone();
			this.stage.complete("done");
			if (inner instanceof FutureTask<?> task) {
				task.run();
			}
			assertThat(outer.get(30, TimeUnit.SECONDS)).isSameAs(inner);
			assertThat(this.proxy.provider().keysInUse()).isZero();
		}
	}

	@Test
	void asyncMethodFailsAsItsFutureDoes() {
		this.stage.completeExceptionally(new IOException("stage"));
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.orders.async(() -> this.stage))
			.withMessage("stage");
	}

	@Test
	void asyncMethodThatIsInterruptedKeepsTheLockUntilItsFutureIsDone() throws Exception {
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		Thread caller = new Thread(() -> {
			try {
				this.orders.async(() -> this.stage);
				interrupted.complete(Thread.currentThread().isInterrupted());
			}
			catch (Throwable ex) {
				interrupted.completeExceptionally(ex);
			}
		});
		caller.start();
		Awaitility.await().until(() -> this.stage.getNumberOfDependents() > 0);
		caller.interrupt();
		Awaitility.await().until(() -> !caller.isInterrupted());
		assertThat(this.proxy.provider().keysInUse()).isOne();
		this.stage.complete("done");
		assertThat(interrupted.get(30, TimeUnit.SECONDS)).isTrue();
		assertThat(this.proxy.provider().keysInUse()).isZero();
	}

	@Test
	void asyncMethodThatLosesItsLockStopsWaitingOnRequest() throws Exception {
		Future<Future<String>> outer = ForkJoinPool.commonPool()
			.submit(() -> this.orders.interruptedAsync(() -> this.stage));
		Awaitility.await().until(() -> this.stage.getNumberOfDependents() > 0);
		this.proxy.provider().loseAll();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> outer.get(30, TimeUnit.SECONDS));
		assertThat(this.stage).isNotDone();
	}

	@Test
	void bodyRunsOnTheThreadOfItsCallerWhileLocksAreTurnedOff() {
		Orders off = this.proxy.of(new Orders(), new NoOpLockProvider());
		AtomicReference<Thread> thread = new AtomicReference<>();
		off.future(() -> {
			thread.set(Thread.currentThread());
			return this.stage;
		});
		assertThat(thread).hasValue(Thread.currentThread());
	}

	private void awaitCall() {
		Awaitility.await().until(() -> this.events.list().contains("call"));
	}

	private static String doneAfter(CountDownLatch finish) {
		try {
			finish.await();
			return "done";
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	interface Body {

		CompletableFuture<String> call() throws Exception;

	}

	interface FutureBody {

		Future<String> call() throws Exception;

	}

	static class Orders {

		@DistributedLock("future")
		CompletableFuture<String> future(Body body) {
			return call(body);
		}

		@DistributedLock("stage")
		CompletionStage<String> stage(Body body) {
			return call(body);
		}

		@DistributedLock(key = "once", waitMs = 0)
		CompletableFuture<String> once(Body body) {
			return call(body);
		}

		@DistributedLock(key = "once", waitMs = 0, onNotAcquired = NotAcquiredPolicy.SKIP)
		CompletableFuture<String> skip(Body body) {
			return call(body);
		}

		@Async
		@DistributedLock("async")
		Future<String> async(FutureBody body) throws Exception {
			return body.call();
		}

		@Async
		@DistributedLock(key = "async", onLost = LossPolicy.INTERRUPT)
		Future<String> interruptedAsync(FutureBody body) throws Exception {
			return body.call();
		}

		private static CompletableFuture<String> call(Body body) {
			try {
				return body.call();
			}
			catch (Exception ex) {
				throw sneaky(ex);
			}
		}

		@SuppressWarnings("unchecked")
		private static <E extends Throwable> E sneaky(Throwable ex) throws E {
			throw (E) ex;
		}

	}

}
