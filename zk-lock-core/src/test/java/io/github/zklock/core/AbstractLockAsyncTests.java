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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Bodies that end after they have returned: who re-enters their locks, and what ends
 * them.
 */
public abstract class AbstractLockAsyncTests extends AbstractLockContract {

	private final CompletableFuture<String> stage = new CompletableFuture<>();

	@Test
	void threadLendsItsLockButNotToItsLaterTasks() {
		AtomicReference<CompletableFuture<String>> lent = new AtomicReference<>();
		template().execute(request(), (outer) -> {
			CompletableFuture<String> inner = template().executeAsync(request(), (handle) -> {
				assertThat(handle.fencingToken()).isEqualTo(outer.fencingToken());
				return this.stage;
			});
			eventually().until(this.stage::getNumberOfDependents, (dependents) -> dependents > 0);
			lent.set(inner);
			return null;
		});
		assertTaken(LockMode.READ);
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> backend().first().acquire(request().withWait(Duration.ZERO)));
		this.stage.complete("done");
		assertThat(lent.get()).succeedsWithin(Duration.ofSeconds(30)).isEqualTo("done");
		assertFree();
	}

	@Test
	void threadThatWaitsForACallUnderItsOwnLockGetsTheResult() {
		String result = template().execute(request(),
				(outer) -> template()
					.executeAsync(request(), (handle) -> CompletableFuture.completedFuture("inner " + handle.key()))
					.join());
		assertThat(result).isEqualTo("inner " + key());
		assertFree();
	}

	@Test
	void lockThatWasAcquiredAsynchronouslyNeverBelongsToAThread() {
		LockHandle handle = get(backend().first().acquireAsync(request().withOwner(Thread.currentThread())));
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> backend().first().acquire(request().withWait(Duration.ZERO)));
		handle.release();
	}

	@Test
	void bodyNeverRunsOnTheThreadOfItsCaller() {
		CompletableFuture<Thread> alone = template().executeAsync(request(),
				(handle) -> CompletableFuture.completedFuture(Thread.currentThread()));
		assertThat(alone).succeedsWithin(Duration.ofSeconds(30)).isNotSameAs(Thread.currentThread());
		CompletableFuture<Thread> nested = template().execute(request(), (outer) -> template().executeAsync(request(),
				(handle) -> CompletableFuture.completedFuture(Thread.currentThread())));
		assertThat(nested).succeedsWithin(Duration.ofSeconds(30)).isNotSameAs(Thread.currentThread());
		assertFree();
	}

	@Test
	void bodyReentersALockThatItsCallerHasLentAndLeft() {
		CountDownLatch left = new CountDownLatch(1);
		CompletableFuture<String> lent = template().execute(request(),
				(outer) -> template().executeAsync(request(), (handle) -> {
					await(left);
					return template().executeAsync(request().withWait(Duration.ZERO),
							(inner) -> CompletableFuture.completedFuture("nested"));
				}));
		left.countDown();
		assertThat(lent).succeedsWithin(Duration.ofSeconds(30)).isEqualTo("nested");
		assertFree();
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void bodyReentersItsLockUntilItReturns() throws Exception {
		CompletableFuture<String> result = template().executeAsync(request(), (outer) -> {
			String sync = template().execute(request().withWait(Duration.ZERO),
					(inner) -> "sync " + (inner.fencingToken() == outer.fencingToken()));
			return template().executeAsync(request(), (inner) -> CompletableFuture
				.completedFuture(sync + " async " + (inner.fencingToken() == outer.fencingToken())));
		});
		assertThat(result.get(30, TimeUnit.SECONDS)).isEqualTo("sync true async true");
		assertFree();
	}

	@Test
	void bodyReentersALockThatIsToBelongToAThread() {
		for (Thread owner : new Thread[] { Thread.currentThread(), new Thread(() -> {
		}) }) {
			LockRequest named = request().withOwner(owner);
			CompletableFuture<Boolean> staged = template().executeAsync(named,
					(outer) -> CompletableFuture.completedFuture(reenters(outer)));
			assertThat(staged).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(true);
			boolean reentered = template().execute(named, this::reenters);
			assertThat(reentered).isTrue();
			assertFree();
		}
	}

	private boolean reenters(LockHandle outer) {
		return template().execute(request().withWait(Duration.ZERO),
				(inner) -> inner.fencingToken() == outer.fencingToken());
	}

	@Test
	void callsSideBySideExcludeEachOther() throws Exception {
		CompletableFuture<String> first = new CompletableFuture<>();
		CompletableFuture<String> second = new CompletableFuture<>();
		LockRequest around = LockRequest.of(key() + "/around");
		CompletableFuture<Void> both = template().executeAsync(around, (outer) -> {
			CompletableFuture<String> one = template().executeAsync(request(), (handle) -> first);
			CompletableFuture<String> two = template().executeAsync(request(), (handle) -> second);
			return CompletableFuture.allOf(one, two);
		});
		backend().awaitMembers(key(), 2);
		eventually().until(() -> first.getNumberOfDependents() + second.getNumberOfDependents() > 0);
		assertThat(first.getNumberOfDependents() + second.getNumberOfDependents()).isEqualTo(1);
		first.complete("first");
		second.complete("second");
		both.get(30, TimeUnit.SECONDS);
		assertFree();
	}

	@Test
	void cancelLeavesTheLockToTheWorkThatGoesOn() throws Exception {
		CountDownLatch finish = new CountDownLatch(1);
		CompletableFuture<CompletableFuture<String>> body = new CompletableFuture<>();
		CompletableFuture<String> result = template().executeAsync(request(), (handle) -> {
			CompletableFuture<String> work = CompletableFuture.supplyAsync(() -> doneAfter(finish));
			body.complete(work);
			return work;
		});
		CompletableFuture<String> work = resultOf(body);
		result.cancel(true);
		assertThat(result).isCancelled();
		assertThat(work).isNotDone();
		assertTaken(LockMode.READ);
		finish.countDown();
		assertThat(work).succeedsWithin(Duration.ofSeconds(30)).isEqualTo("done");
		assertFree();
	}

	@Test
	void stageThatIsCancelledByTheBodyReleasesTheLock() {
		CompletableFuture<String> result = template().executeAsync(request(), (handle) -> this.stage);
		eventually().until(() -> this.stage.getNumberOfDependents() > 0);
		this.stage.cancel(true);
		assertFree();
		assertThat(result).failsWithin(Duration.ofSeconds(30));
	}

	@Test
	void timeoutOfTheCallerWithdrawsTheRequest() {
		LockHandle holder = second(LockMode.WRITE);
		CompletableFuture<String> result = template().executeAsync(request().withWait(LockRequest.FOREVER),
				(handle) -> this.stage);
		backend().awaitMembers(key(), 2);
		result.completeExceptionally(new IllegalStateException("too late"));
		backend().awaitMembers(key(), 1);
		holder.release();
		assertFree();
	}

	@Test
	void timeoutOfTheCallerLeavesTheLockToTheBody() {
		CompletableFuture<String> result = template().executeAsync(request(), (handle) -> this.stage);
		eventually().until(() -> this.stage.getNumberOfDependents() > 0);
		result.completeExceptionally(new IllegalStateException("too late"));
		assertThat(this.stage).isNotDone();
		assertTaken(LockMode.READ);
		this.stage.complete("done");
		assertFree();
	}

	@Test
	void alternativeRunsWithoutTheLock() throws Exception {
		LockHandle holder = second(LockMode.WRITE);
		CompletableFuture<String> result = template().executeAsync(List.of(request().withWait(Duration.ZERO)),
				(handle) -> this.stage,
				(refused) -> CompletableFuture.completedFuture("instead of " + refused.getKey()));
		assertThat(result.get(30, TimeUnit.SECONDS)).isEqualTo("instead of " + key());
		holder.release();
	}

	@Test
	void refusalOfAnotherLockInsideTheBodyIsNotMistakenForItsOwn() {
		LockNotAcquiredException other = new LockNotAcquiredException(request(), Duration.ZERO, null);
		CompletableFuture<String> result = template().executeAsync(List.of(request()),
				(handle) -> CompletableFuture.failedFuture(other),
				(refused) -> CompletableFuture.completedFuture("alternative"));
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> result.get(30, TimeUnit.SECONDS))
			.havingCause()
			.isSameAs(other);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void lossCancelsTheStageOnRequest(boolean interrupt) throws Exception {
		LossPolicy onLost = interrupt ? LossPolicy.INTERRUPT : LossPolicy.IGNORE;
		CompletableFuture<String> result = template().executeAsync(request().withOnLost(onLost), (handle) -> {
			if (!interrupt) {
				handle.onLost((lost) -> CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS)
					.execute(() -> this.stage.complete("kept")));
			}
			return this.stage;
		});
		eventually().until(() -> this.stage.getNumberOfDependents() > 0);
		backend().loseFirst();
		if (interrupt) {
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> result.get(30, TimeUnit.SECONDS))
				.withCauseInstanceOf(LockLostException.class);
			assertThat(this.stage).isCancelled();
		}
		else {
			assertThat(result.get(30, TimeUnit.SECONDS)).isEqualTo("kept");
		}
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

	private LockTemplate template() {
		return new LockTemplate(backend().first());
	}

	private LockRequest request() {
		return request(LockMode.EXCLUSIVE, Duration.ofSeconds(5));
	}

}
