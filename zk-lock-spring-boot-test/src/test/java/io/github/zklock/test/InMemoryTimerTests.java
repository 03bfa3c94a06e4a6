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
import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What locks in memory leave behind.
 */
class InMemoryTimerTests {

	private static final Duration WAIT = Duration.ofSeconds(60);

	@Test
	void threadOfTheTimerEndsWhenNothingWaits() {
		// All locks in memory of a JVM share it, and another test may have left a waiter.
		Awaitility.await().atMost(WAIT).until(() -> !isTimerAlive());
		InMemoryLockProvider locks = new InMemoryLockProvider();
		LockHandle held = locks.acquire(LockRequest.of("key"));
		CompletableFuture<LockHandle> waiting = locks
			.acquireAsync(LockRequest.of("key").withWait(WAIT).withOwner(new Object()));
		assertThat(isTimerAlive()).isTrue();
		held.release();
		waiting.join().release();
		Awaitility.await().atMost(WAIT).until(() -> !isTimerAlive());
	}

	private static boolean isTimerAlive() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.anyMatch((thread) -> thread.getName().equals("zk-lock-in-memory-timer"));
	}

}
