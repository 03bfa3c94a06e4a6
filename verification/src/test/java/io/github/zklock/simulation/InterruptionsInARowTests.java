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
import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockState;
import io.github.zklock.zookeeper.SimulatedProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Interruptions that follow each other, as when servers are restarted one after the
 * other. The session outlives all of them.
 */
class InterruptionsInARowTests {

	private static final Duration TIMEOUT = Duration.ofMillis(CalmWorld.SESSION_TIMEOUT_MS);

	private static final Duration RESTART = TIMEOUT.dividedBy(4);

	// What the page on operations promises.
	private static final Duration LONGEST = TIMEOUT.multipliedBy(4).dividedBy(10);

	private static final Duration BETWEEN = TIMEOUT.dividedBy(2);

	private final CalmWorld world = new CalmWorld(3, 1);

	private final SimulatedProcess process = this.world.clients().get(0);

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 20, 40 })
	void lockThatIsGrantedBetweenTwoOfThemIsKept(int idleSeconds) {
		this.world.pass(Duration.ofMinutes(3));
		release(acquire("earlier"));
		this.world.pass(Duration.ofSeconds(idleSeconds));
		interrupt(RESTART);
		this.world.pass(Duration.ofSeconds(3));
		LockHandle handle = acquire("between");
		this.world.pass(Duration.ofSeconds(1));
		interrupt(RESTART);
		this.world.pass(Duration.ofSeconds(1));
		assertThat(handle.state()).isEqualTo(LockState.HELD);
		release(handle);
	}

	@Test
	void lockIsKeptThroughAnyNumberOfThemHalfASessionTimeoutApart() {
		LockHandle handle = acquire("kept");
		for (int i = 0; i < 10; i++) {
			this.world.pass(BETWEEN);
			interrupt(LONGEST);
			assertThat(handle.state()).as("after interruption " + i).isNotEqualTo(LockState.LOST);
		}
		this.world.pass(Duration.ofSeconds(1));
		assertThat(handle.state()).isEqualTo(LockState.HELD);
		release(handle);
	}

	private void interrupt(Duration length) {
		this.process.handle().link().refuse(true);
		this.process.handle().link().cut();
		this.world.pass(length);
		this.process.handle().link().refuse(false);
		this.world.until(() -> this.process.isConnectedFor(Duration.ZERO));
	}

	// A release that blocks would wait in real time, in which nothing answers.
	private void release(LockHandle handle) {
		this.world.until(handle.releaseAsync().toCompletableFuture()::isDone);
	}

	private LockHandle acquire(String key) {
		CompletableFuture<LockHandle> lock = CalmWorld.ask(this.process, key, key);
		this.world.until(lock::isDone);
		return lock.join();
	}

}
