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

package io.github.zklock.core.spi.support;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.internal.SharedHold;
import io.github.zklock.core.spi.UnusedRelease;
import io.github.zklock.support.PlainLockHandle;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReentrancyRegistry}.
 */
class ReentrancyRegistryTests {

	private static final LockRequest REQUEST = LockRequest.of("k").withOwner("owner");

	private final ReentrancyRegistry registry = new ReentrancyRegistry();

	@Test
	void aCancelledRequestThatIsDeliveredLateLeavesTheNextLockOfItsOwnerReentrant() {
		LockHandle cancelled = new PlainLockHandle(REQUEST, 1);
		cancelled.releaseAsync();
		LockHandle held = this.registry.registerAsync(new PlainLockHandle(REQUEST, 2), REQUEST);
		UnusedRelease.of(this.registry.registerAsync(cancelled, REQUEST));
		LockHandle nested = this.registry.reenterAsync(REQUEST);
		assertThat(nested).isNotNull();
		assertThat(nested.fencingToken()).isEqualTo(2);
		nested.release();
		held.release();
		assertThat(this.registry.size()).isZero();
	}

	@Test
	void lockThatFollowsAReleasedOneIsReenteredByItsOwner() {
		LockHandle before = this.registry.register(new PlainLockHandle(REQUEST, 1), REQUEST, "owner");
		LockRequest lent = LockRequest.of("k").withOwner(ownerOf(before, false));
		before.release();
		assertIsReentered(this.registry.registerAsync(new PlainLockHandle(lent, 2), lent));
		assertIsReentered(this.registry.register(new PlainLockHandle(lent, 3), lent, ownerOf(before, false)));
		assertThat(this.registry.size()).isZero();
	}

	private void assertIsReentered(LockHandle held) {
		Object owner = ownerOf(held, true);
		LockHandle nested = this.registry.reenter(LockRequest.of("k").withOwner(owner), owner);
		assertThat(nested).isNotNull();
		assertThat(nested.fencingToken()).isEqualTo(held.fencingToken());
		nested.release();
		held.release();
	}

	private static Object ownerOf(LockHandle handle, boolean blocking) {
		Object owner = SharedHold.ownerOf(handle, blocking);
		assertThat(owner).isNotNull();
		return owner;
	}

}
