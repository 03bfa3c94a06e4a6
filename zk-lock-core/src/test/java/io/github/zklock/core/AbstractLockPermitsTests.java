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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Keys that several may hold at once.
 */
public abstract class AbstractLockPermitsTests extends AbstractLockContract {

	private static final Duration LONG = Duration.ofSeconds(30);

	@Test
	void asManyHoldAsThereArePermits() {
		List<LockHandle> holders = hold(3, 3);
		assertThat(holders).allMatch(LockHandle::isHeld).extracting(LockHandle::fencingToken).doesNotHaveDuplicates();
		assertThat(Refusal.of(() -> backend().first().acquire(request(3, Duration.ZERO).withOwner("fourth"))))
			.hasMessageStartingWith("Lock '" + key() + "' (EXCLUSIVE) not acquired at once; held by ");
		Refusal.of(() -> get(backend().second().acquireAsync(request(3, Duration.ofMillis(50)))));
		release(holders);
	}

	@Test
	void neverMoreHoldThanThereArePermits() throws Exception {
		AtomicInteger inside = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		CountDownLatch full = new CountDownLatch(3);
		List<Future<?>> threads = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			LockProvider provider = (i % 2 == 0) ? backend().first() : backend().second();
			threads.add(onOtherThread(() -> {
				for (int n = 0; n < 25; n++) {
					LockHandle handle = provider.acquire(request(3, LONG));
					most.accumulateAndGet(inside.incrementAndGet(), Math::max);
					full.countDown();
					assertThat(full.await(30, TimeUnit.SECONDS)).isTrue();
					inside.decrementAndGet();
					handle.release();
				}
				return null;
			}));
		}
		for (Future<?> thread : threads) {
			thread.get(30, TimeUnit.SECONDS);
		}
		assertThat(most).hasValue(3);
	}

	@ParameterizedTest(name = "holder {0} of 0..2")
	@ValueSource(ints = { 0, 1, 2 })
	void anyHolderThatReleasesWakesTheFirstThatWaits(int leaving) {
		List<LockHandle> holders = hold(3, 3);
		CompletableFuture<LockHandle> one = backend().second().acquireAsync(request(3, LONG));
		backend().awaitMembers(key(), 4);
		CompletableFuture<LockHandle> two = backend().first().acquireAsync(request(3, LONG));
		backend().awaitMembers(key(), 5);
		holders.remove(leaving).release();
		LockHandle next = get(one);
		assertThat(next.fencingToken()).isGreaterThan(holders.get(1).fencingToken());
		assertThat(two).isNotDone();
		holders.remove(0).release();
		holders.add(get(two));
		assertThat(holders).allMatch(LockHandle::isHeld);
		release(holders);
		next.release();
	}

	@Test
	void whoGivesUpDoesNotStandInTheWay() {
		List<LockHandle> holders = hold(2, 2);
		CompletableFuture<LockHandle> one = backend().first().acquireAsync(request(2, LONG));
		backend().awaitMembers(key(), 3);
		CompletableFuture<LockHandle> two = backend().second().acquireAsync(request(2, LONG));
		backend().awaitMembers(key(), 4);
		one.cancel(true);
		backend().awaitMembers(key(), 3);
		holders.remove(0).release();
		holders.add(get(two));
		release(holders);
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 4 })
	void otherNumberOfPermitsIsRefusedAtOnce(int other) {
		List<LockHandle> holders = hold(3, 1);
		assertThatExceptionOfType(LockPermitsException.class)
			.isThrownBy(() -> backend().second().acquire(request(other, LONG).withOwner("other")))
			.withMessage("Lock '" + key() + "' (EXCLUSIVE) refused: it asks for " + other
					+ " permits, but the key is in use with 3 permits; give all requests for the key the same number, "
					+ "or this one a key of its own. If all have that number, another client of ZooKeeper has created "
					+ "a node with another one")
			.satisfies((refused) -> {
				assertThat(refused.getPermits()).isEqualTo(other);
				assertThat(refused.getPermitsInUse()).isEqualTo(3);
				assertThat(refused.getKey()).isEqualTo(key());
			});
		assertThatExceptionOfType(LockPermitsException.class)
			.isThrownBy(() -> get(backend().second().acquireAsync(request(other, Duration.ZERO))));
		backend().awaitMembers(key(), 1);
		holders.addAll(hold(3, 2));
		release(holders);
	}

	@ParameterizedTest
	@EnumSource(LockMode.class)
	void permitsAndOneHolderAreRefusedBesideEachOther(LockMode mode) {
		List<LockHandle> holders = hold(2, 1);
		assertThatExceptionOfType(LockPermitsException.class).isThrownBy(() -> second(mode))
			.withMessageContaining("it asks for 1 permit, but the key is in use with 2 permits");
		release(holders);
		LockHandle holder = first(mode);
		assertThatExceptionOfType(LockPermitsException.class).isThrownBy(() -> hold(2, 1))
			.withMessageContaining("it asks for 2 permits, but the key is in use with 1 permit;");
		holder.release();
		release(hold(5, 5));
	}

	@Test
	void nestedRequestTakesNoFurtherPermit() {
		LockRequest mine = request(2, Duration.ofSeconds(5)).withOwner("first");
		LockHandle outer = backend().first().acquire(mine);
		LockHandle inner = backend().first().acquire(mine);
		assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
		LockHandle other = backend().second().acquire(request(2, Duration.ofSeconds(5)).withOwner("second"));
		inner.release();
		assertThat(outer.isHeld()).isTrue();
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> backend().first().acquire(request(2, Duration.ZERO).withOwner("third")));
		outer.release();
		other.release();
	}

	@Test
	void nestedRequestWithAnotherNumberOfPermitsIsRefused() {
		LockRequest mine = request(2, Duration.ofSeconds(5)).withOwner("first");
		LockHandle holder = backend().first().acquire(mine);
		for (LockRequest nested : List.of(mine.withPermits(3), mine.withPermits(1),
				mine.withPermits(1).withMode(LockMode.READ))) {
			assertThatExceptionOfType(LockPermitsException.class).isThrownBy(() -> backend().first().acquire(nested))
				.withMessageContaining("in use with 2 permits");
		}
		assertThat(holder.isHeld()).isTrue();
		holder.release();
		LockHandle alone = first(LockMode.EXCLUSIVE);
		assertThatExceptionOfType(LockPermitsException.class).isThrownBy(() -> backend().first().acquire(mine));
		alone.release();
	}

	private LockRequest request(int permits, Duration wait) {
		return request(LockMode.EXCLUSIVE, wait).withPermits(permits);
	}

	private List<LockHandle> hold(int permits, int holders) {
		List<LockHandle> handles = new ArrayList<>();
		for (int i = 0; i < holders; i++) {
			LockProvider provider = (i % 2 == 0) ? backend().first() : backend().second();
			handles.add(get(provider.acquireAsync(request(permits, LONG))));
		}
		return handles;
	}

	private static void release(List<LockHandle> handles) {
		handles.forEach(LockHandle::release);
	}

}
