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

package io.github.zklock.sample.console;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockState;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LockHistory}: each lost lock is counted once.
 */
class LockHistoryTests {

	private final LockHistory history = new LockHistory();

	@Test
	void aLossThatIsSeenOnlyAtTheReturnIsCounted() {
		LockHandle lock = lock(1, LockState.LOST);
		this.history.acquired("node-1", lock);
		this.history.released("node-1", lock);
		assertThat(this.history.counters().losses()).isEqualTo(1);
	}

	@Test
	void aLossThatIsToldTwiceIsCountedOnce() {
		LockHandle lock = lock(1, LockState.LOST);
		this.history.acquired("node-1", lock);
		this.history.lost("node-1", lock);
		this.history.released("node-1", lock);
		assertThat(this.history.counters().losses()).isEqualTo(1);
	}

	@Test
	void aLossThatIsToldAfterTheReturnIsCounted() {
		LockHandle lock = lock(1, LockState.UNCERTAIN);
		this.history.acquired("node-1", lock);
		this.history.released("node-1", lock);
		this.history.lost("node-1", lock);
		assertThat(this.history.counters().losses()).isEqualTo(1);
	}

	@Test
	void aReleaseIsNoLoss() {
		hold(1);
		assertThat(this.history.counters().losses()).isZero();
	}

	private void hold(long token) {
		LockHandle lock = lock(token, LockState.RELEASED);
		this.history.acquired("node-1", lock);
		this.history.released("node-1", lock);
	}

	private static LockHandle lock(long token, LockState state) {
		LockHandle lock = mock();
		given(lock.handles()).willCallRealMethod();
		given(lock.key()).willReturn("busy");
		given(lock.mode()).willReturn(LockMode.READ);
		given(lock.fencingToken()).willReturn(token);
		given(lock.state()).willReturn(state);
		return lock;
	}

}
