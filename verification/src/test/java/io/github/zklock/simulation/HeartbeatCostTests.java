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

package io.github.zklock.simulation;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockState;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the lease costs: one write per process now and then, and only while a lock is held
 * for long.
 */
class HeartbeatCostTests {

	private static final Duration SESSION_TIMEOUT = Duration.ofMillis(CalmWorld.SESSION_TIMEOUT_MS);

	private static final Duration INTERVAL = SESSION_TIMEOUT.dividedBy(6);

	private final CalmWorld world = new CalmWorld(1, 1);

	@Test
	void shortLocksSendNone() {
		Traffic.Totals before = this.world.traffic();
		for (int i = 0; i < 50; i++) {
			release(acquire(1));
		}
		assertThat(this.world.traffic().since(before).heartbeats()).isZero();
		assertThat(this.world.pass(INTERVAL.multipliedBy(3)).heartbeats()).isLessThanOrEqualTo(1);
	}

	@Test
	void oneIsEnoughForAllLocksAndTheLastReleaseEndsThem() {
		List<LockHandle> handles = acquire(50);
		long intervals = 12;
		long sent = this.world.pass(INTERVAL.multipliedBy(intervals)).heartbeats();
		assertThat(sent).isBetween(intervals - 2, intervals + 2);
		assertThat(handles).allMatch((handle) -> handle.state() == LockState.HELD);
		release(handles);
		assertThat(this.world.pass(INTERVAL.multipliedBy(intervals)).heartbeats()).isLessThanOrEqualTo(1);
	}

	private List<LockHandle> acquire(int number) {
		List<CompletableFuture<LockHandle>> locks = IntStream.range(0, number)
			.mapToObj((i) -> CalmWorld.ask(this.world.clients().get(0), "key-" + i, "thread-" + i))
			.toList();
		this.world.until(() -> locks.stream().allMatch(CompletableFuture::isDone));
		return locks.stream().map(CompletableFuture::join).toList();
	}

	private void release(List<LockHandle> handles) {
		List<CompletableFuture<Void>> released = handles.stream().map(LockHandle::releaseAsync).toList();
		this.world.until(() -> released.stream().allMatch(CompletableFuture::isDone));
	}

}
