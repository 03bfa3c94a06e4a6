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

package io.github.zklock.sample;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A lock that a node holds for as long as a test wants.
 */
final class HeldLock implements AutoCloseable {

	private static final long PATIENCE = 60;

	// A test may look at a lock that waits, or is held, for minutes.
	private static final Duration LONGEST = Duration.ofMinutes(10);

	private final CountDownLatch granted = new CountDownLatch(1);

	private final CountDownLatch end = new CountDownLatch(1);

	private final AtomicLong token = new AtomicLong();

	private final CompletableFuture<Void> done;

	private HeldLock(LockOperations node, String key) {
		LockRequest request = LockRequest.of(key).withWait(LONGEST);
		this.done = CompletableFuture.runAsync(() -> node.execute(request, (lock) -> {
			this.token.set(lock.fencingToken());
			this.granted.countDown();
			return awaitEnd();
		}), (task) -> new Thread(task, "held-lock").start());
	}

	/**
	 * Ask for a lock.
	 * @param nodes the nodes
	 * @param index which of them asks
	 * @param key the key of the lock
	 * @return the lock, which the node may still wait for
	 */
	static HeldLock of(SampleNodes nodes, int index, String key) {
		return new HeldLock(nodes.node(index).getBean(LockOperations.class), key);
	}

	long token() throws InterruptedException {
		assertThat(this.granted.await(PATIENCE, TimeUnit.SECONDS)).as("granted").isTrue();
		return this.token.get();
	}

	@Override
	public void close() {
		this.end.countDown();
		try {
			this.done.orTimeout(PATIENCE, TimeUnit.SECONDS).join();
		}
		catch (CompletionException ex) {
			assertThat(ex).as("all that may end the lock of a test").hasCauseInstanceOf(LockLostException.class);
		}
	}

	private boolean awaitEnd() {
		try {
			return this.end.await(LONGEST.toSeconds(), TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

}
