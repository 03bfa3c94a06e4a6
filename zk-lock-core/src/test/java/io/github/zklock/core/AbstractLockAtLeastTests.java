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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.spi.UnusedRelease;
import io.github.zklock.support.Refusal;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Keys that stay taken for a time, whatever becomes of their holder. The time counts from
 * the grant, so from the request to the next grant it is never less.
 */
public abstract class AbstractLockAtLeastTests extends AbstractLockContract {

	private static final Duration SHORT = Duration.ofMillis(600);

	private static final Duration MINUTE = Duration.ofMinutes(1);

	@Test
	void keyThatIsReleasedEarlyStaysTakenUntilTheTimeIsOver() {
		long start = System.nanoTime();
		LockHandle handle = first(LockMode.EXCLUSIVE, SHORT);
		handle.release();
		assertThat(handle.state()).isEqualTo(LockState.RELEASED);
		LockHandle next = second(LockMode.WRITE);
		assertThat(since(start)).isGreaterThanOrEqualTo(SHORT);
		assertThat(next.fencingToken()).isGreaterThan(handle.fencingToken());
		next.release();
		assertFree();
	}

	@Test
	void sameHoldsForAnAsynchronousRelease() {
		long start = System.nanoTime();
		LockHandle handle = get(backend().first()
			.acquireAsync(request(LockMode.EXCLUSIVE, Duration.ofSeconds(5)).withLockAtLeastFor(SHORT)));
		handle.releaseAsync().orTimeout(30, TimeUnit.SECONDS).join();
		assertThat(handle.state()).isEqualTo(LockState.RELEASED);
		get(secondAsync(LockMode.EXCLUSIVE)).release();
		assertThat(since(start)).isGreaterThanOrEqualTo(SHORT);
	}

	@Test
	void oneTryIsRefusedAndToldWhy() {
		long start = System.nanoTime();
		Duration atLeast = Duration.ofSeconds(6);
		first(LockMode.EXCLUSIVE, atLeast).release();
		assertThat(since(start)).as("the release does not wait").isLessThan(atLeast);
		assertThat(Refusal.of(() -> second(LockMode.EXCLUSIVE, Duration.ZERO)))
			.hasMessageStartingWith("Lock '" + key() + "' (EXCLUSIVE) not acquired at once; held by ")
			.hasMessageEndingWith("; its last holder keeps it at least 6s");
		// Also its own thread asks the backend again.
		assertThat(Refusal.of(() -> backend().first().acquire(request(LockMode.READ, Duration.ofMillis(300)))))
			.hasMessageContaining("keeps it at least 6s");
		second(LockMode.EXCLUSIVE).release();
		assertThat(since(start)).isGreaterThanOrEqualTo(atLeast);
	}

	@Test
	void lockThatIsHeldForLongerIsFreeWhenItIsReleased() {
		LockHandle handle = first(LockMode.EXCLUSIVE, Duration.ofMillis(50));
		assertThat(Refusal.of(() -> second(LockMode.EXCLUSIVE, Duration.ofMillis(600))))
			.hasMessageNotContaining("keeps it");
		handle.release();
		second(LockMode.EXCLUSIVE, Duration.ZERO).release();
	}

	@Test
	void keyOfALostLockStaysTakenUntilTheTimeIsOver() {
		long start = System.nanoTime();
		LockHandle handle = first(LockMode.EXCLUSIVE, SHORT);
		backend().loseFirst();
		eventually().until(() -> handle.state() == LockState.LOST);
		second(LockMode.EXCLUSIVE).release();
		assertThat(since(start)).isGreaterThanOrEqualTo(SHORT);
		handle.release();
		assertFree();
	}

	@Test
	void keptReaderExcludesWritersOnly() {
		long start = System.nanoTime();
		first(LockMode.READ, SHORT).release();
		second(LockMode.READ, Duration.ZERO).release();
		second(LockMode.WRITE).release();
		assertThat(since(start)).isGreaterThanOrEqualTo(SHORT);
	}

	@Test
	void outermostOfNestedRequestsDecides() {
		LockHandle outer = first(LockMode.EXCLUSIVE);
		LockHandle inner = first(LockMode.EXCLUSIVE, MINUTE);
		inner.release();
		outer.release();
		assertFree();
	}

	@Test
	void lockThatNobodyGotKeepsNothing() {
		int cancelled = 0;
		for (int i = 0; i < 20; i++) {
			LockRequest request = LockRequest.of(key() + "/" + i).withWait(Duration.ofSeconds(10));
			LockHandle holder = backend().first().acquire(request.withOwner("first"));
			CompletableFuture<LockHandle> unwanted = backend().second()
				.acquireAsync(request.withLockAtLeastFor(MINUTE));
			// Before it is granted, or at the same time.
			boolean early = i % 2 == 0 && unwanted.cancel(true);
			CompletableFuture<Void> released = holder.releaseAsync();
			boolean gone = early || unwanted.cancel(true);
			released.join();
			if (gone) {
				cancelled++;
				backend().first().acquire(request.withOwner("third")).release();
			}
			else {
				UnusedRelease.of(unwanted.join());
			}
		}
		assertThat(cancelled).isPositive();
	}

	@Test
	void lockThatWasNotUsedIsNotKept() {
		LockHandle unused = first(LockMode.EXCLUSIVE, MINUTE);
		UnusedRelease.of(unused).orTimeout(30, TimeUnit.SECONDS).join();
		assertThat(unused.state()).isEqualTo(LockState.RELEASED);
		assertFree();
		LockHandle lost = first(LockMode.EXCLUSIVE, MINUTE);
		backend().loseFirst();
		eventually().until(() -> lost.state() == LockState.LOST);
		UnusedRelease.of(lost).orTimeout(30, TimeUnit.SECONDS).join();
		assertFree();
	}

	@Test
	void lockThatWasUsedByAnotherHandleIsKept() {
		long start = System.nanoTime();
		LockHandle outer = first(LockMode.EXCLUSIVE, SHORT);
		first(LockMode.EXCLUSIVE, Duration.ZERO).release();
		UnusedRelease.of(outer);
		second(LockMode.EXCLUSIVE).release();
		assertThat(since(start)).isGreaterThanOrEqualTo(SHORT);
	}

	@Test
	void severalPermitsCannotBeKept() {
		LockRequest request = request(LockMode.EXCLUSIVE, Duration.ZERO);
		assertThatIllegalArgumentException().isThrownBy(() -> request.withPermits(2).withLockAtLeastFor(SHORT))
			.withMessage(
					"Lock '" + key() + "': 2 permits and a minimum hold time cannot be combined; " + "use only one");
		assertThatIllegalArgumentException().isThrownBy(() -> request.withLockAtLeastFor(SHORT).withPermits(2));
	}

	private LockHandle first(LockMode mode, Duration atLeast) {
		return backend().first()
			.acquire(request(mode, Duration.ofSeconds(5)).withOwner("first").withLockAtLeastFor(atLeast));
	}

	private static Duration since(long start) {
		return Duration.ofNanos(System.nanoTime() - start);
	}

}
