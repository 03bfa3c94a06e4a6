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

package io.github.zklock.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for what {@link InMemoryLockProvider} offers beyond the contract of all
 * providers.
 */
class InMemoryLockProviderTests {

	private final InMemoryLockProvider provider = new InMemoryLockProvider();

	@Test
	void losesEveryLock() {
		List<LockHandle> told = new ArrayList<>();
		LockHandle first = this.provider.acquire(LockRequest.of("first"));
		LockHandle reader = this.provider.acquire(LockRequest.of("second").withMode(LockMode.READ));
		LockHandle other = this.provider.acquire(LockRequest.of("second").withMode(LockMode.READ).withOwner("other"));
		first.onLost(told::add);
		reader.onLost(told::add);
		this.provider.loseAll();
		assertThat(List.of(first, reader, other)).extracting(LockHandle::state).containsOnly(LockState.LOST);
		assertThat(told).containsExactlyInAnyOrder(first, reader);
		assertThat(this.provider.keysInUse()).isZero();
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.provider.acquire(LockRequest.of("first")));
		first.release();
		assertThat(this.provider.acquire(LockRequest.of("first")).isHeld()).isTrue();
	}

	@Test
	void tellsALossAlthoughTheLockIsGivenBackMeanwhile() {
		LockHandle first = this.provider.acquire(LockRequest.of("first"));
		LockHandle second = this.provider.acquire(LockRequest.of("second"));
		List<LockHandle> told = new ArrayList<>();
		first.onLost((lost) -> {
			told.add(lost);
			second.release();
		});
		second.onLost((lost) -> {
			told.add(lost);
			first.release();
		});
		this.provider.loseAll();
		assertThat(told).containsExactlyInAnyOrder(first, second);
	}

	@Test
	void givesALostLockToTheNext() {
		LockHandle lost = this.provider.acquire(LockRequest.of("key"));
		LockHandle kept = this.provider.acquire(LockRequest.of("another"));
		CompletableFuture<LockHandle> next = this.provider.acquireAsync(LockRequest.of("key"));
		assertThat(next).isNotDone();
		this.provider.lose("key");
		assertThat(next).succeedsWithin(Duration.ofSeconds(30))
			.satisfies((handle) -> assertThat(handle.fencingToken()).isGreaterThan(lost.fencingToken()));
		assertThat(kept.isHeld()).isTrue();
		lost.release();
		assertThat(next.join().isHeld()).isTrue();
	}

	@Test
	void keepsNothingOfAKeyThatIsNotInUse() {
		LockHandle handle = this.provider.acquire(LockRequest.of("key"));
		CompletableFuture<LockHandle> cancelled = this.provider.acquireAsync(LockRequest.of("key"));
		CompletableFuture<LockHandle> late = this.provider
			.acquireAsync(LockRequest.of("key").withWait(Duration.ofMillis(10)));
		cancelled.cancel(false);
		assertThat(late).failsWithin(Duration.ofSeconds(30));
		assertThat(this.provider.keysInUse()).isEqualTo(1);
		handle.release();
		Awaitility.await().untilAsserted(() -> assertThat(this.provider.keysInUse()).isZero());
	}

}
