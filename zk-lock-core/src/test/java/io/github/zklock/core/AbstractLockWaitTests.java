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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;

import io.github.zklock.support.Refusal;
import io.github.zklock.support.Waited;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * How long a caller waits, and what becomes of those who give up.
 */
public abstract class AbstractLockWaitTests extends AbstractLockContract {

	@Test
	void theWaitIsBounded() throws Exception {
		LockHandle holder = first(LockMode.EXCLUSIVE);
		Duration wait = Duration.ofMillis(300);
		Waited.atLeast(wait, () -> {
			long start = System.nanoTime();
			LockException refused = catchThrowableOfType(LockException.class, () -> second(LockMode.WRITE, wait));
			Duration took = Duration.ofNanos(System.nanoTime() - start);
			assertThat(refused).isInstanceOfAny(LockNotAcquiredException.class, LockUnavailableException.class);
			assertThat(refused.getWaited()).isBetween(wait, took);
		});
		eventually().untilAsserted(() -> assertThat(backend().left(key())).hasSizeLessThanOrEqualTo(1));
		holder.release();
	}

	@Test
	void attemptThatDoesNotWaitIsRefusedByAHolder() throws Exception {
		LockHandle holder = first(LockMode.EXCLUSIVE);
		Waited.notForever(() -> assertTaken(LockMode.EXCLUSIVE));
		holder.release();
		assertFree();
	}

	@Test
	void refusalSaysWhatWasAskedAndWhoHoldsTheLock() {
		LockHandle holder = first(LockMode.WRITE);
		LockNotAcquiredException refused = Refusal.of(() -> second(LockMode.READ, Duration.ofMillis(50)));
		assertThat(refused.getKey()).isEqualTo(key());
		assertThat(refused.getMode()).isEqualTo(LockMode.READ);
		assertThat(refused.getHolder()).isNotNull();
		assertThat(refused.getHolder().pid()).isEqualTo(ProcessHandle.current().pid());
		assertThat(refused.getHolder().thread()).isEqualTo(Thread.currentThread().getName());
		assertThat(refused.getHolder().name()).isEqualTo("orders");
		assertThat(refused).hasMessageStartingWith("Lock '" + key() + "' (READ) not acquired within 50ms; held by ");
		holder.release();
	}

	@Test
	void refusalOfOneTrySaysSo() {
		LockHandle holder = first(LockMode.WRITE);
		assertThat(Refusal.of(() -> second(LockMode.EXCLUSIVE, Duration.ZERO)))
			.hasMessageStartingWith("Lock '" + key() + "' (EXCLUSIVE) not acquired at once; held by ");
		holder.release();
	}

	@Test
	void asynchronousRefusalIsTheSame() {
		LockHandle holder = first(LockMode.EXCLUSIVE);
		LockRequest request = request(LockMode.READ, Duration.ofMillis(100));
		assertThat(Refusal.of(() -> get(backend().second().acquireAsync(request))))
			.hasMessageStartingWith("Lock '" + key() + "' (READ) not acquired within 100ms; held by ");
		holder.release();
		assertFree();
	}

	@Test
	void waitWithoutBoundEndsWithTheLock() throws Exception {
		LockHandle holder = first(LockMode.EXCLUSIVE);
		Future<LockHandle> waiting = onOtherThread(() -> second(LockMode.EXCLUSIVE, LockRequest.FOREVER));
		backend().awaitMembers(key(), 2);
		holder.release();
		resultOf(waiting).release();
	}

	@Test
	void whoGaveUpDoesNotStandInTheWay() {
		LockHandle holder = first(LockMode.READ);
		Refusal.of(() -> second(LockMode.WRITE, Duration.ofMillis(20)));
		second(LockMode.READ).release();
		holder.release();
	}

	@Test
	void interruptEndsTheWaitAndLeavesNothing() throws Exception {
		LockHandle holder = first(LockMode.EXCLUSIVE);
		CompletableFuture<Thread> thread = new CompletableFuture<>();
		Future<Boolean> flag = onOtherThread(() -> {
			thread.complete(Thread.currentThread());
			assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> second(LockMode.WRITE))
				.withMessageContaining(key());
			return Thread.interrupted();
		});
		backend().awaitMembers(key(), 2);
		thread.get().interrupt();
		assertThat(resultOf(flag)).isTrue();
		backend().awaitMembers(key(), 1);
		holder.release();
		assertFree();
	}

	@Test
	void interruptedThreadDoesNotAcquire() throws Exception {
		Future<Boolean> flag = onOtherThread(() -> {
			Thread.currentThread().interrupt();
			assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> first(LockMode.EXCLUSIVE));
			return Thread.interrupted();
		});
		assertThat(resultOf(flag)).isTrue();
		assertFree();
	}

	@Test
	void interruptedThreadReleasesAndKeepsItsFlag() throws Exception {
		Future<Boolean> flag = onOtherThread(() -> {
			LockHandle handle = first(LockMode.EXCLUSIVE);
			Thread.currentThread().interrupt();
			handle.release();
			return Thread.interrupted();
		});
		assertThat(resultOf(flag)).isTrue();
		second(LockMode.EXCLUSIVE).release();
	}

	@Test
	void cancelWithdrawsTheRequest() {
		LockHandle holder = first(LockMode.EXCLUSIVE);
		CompletableFuture<LockHandle> waiting = secondAsync(LockMode.EXCLUSIVE);
		backend().awaitMembers(key(), 2);
		waiting.cancel(true);
		backend().awaitMembers(key(), 1);
		assertThat(waiting).isCancelled();
		holder.release();
		assertFree();
	}

	@Test
	void grantAndCancelInTheSameMomentLeakNothing() throws Exception {
		for (int i = 0; i < 30; i++) {
			LockHandle holder = first(LockMode.EXCLUSIVE);
			CompletableFuture<LockHandle> waiting = secondAsync(LockMode.EXCLUSIVE);
			CountDownLatch start = new CountDownLatch(1);
			Future<Boolean> cancelled = onOtherThread(() -> {
				start.await();
				return waiting.cancel(true);
			});
			start.countDown();
			holder.release();
			if (!resultOf(cancelled)) {
				get(waiting).release();
			}
			second(LockMode.EXCLUSIVE).release();
		}
	}

}
