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

package io.github.zklock.zookeeper;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * The verdict on a request, and how its thread waits for it: asleep, until the verdict is
 * there or {@linkplain #expect() near}, and then for a moment awake, since going to sleep
 * and waking up takes longer than many a lock is held.
 */
final class PendingVerdict {

	static final long LONGEST_AWAKE = TimeUnit.MICROSECONDS.toNanos(100);

	private final CompletableFuture<LockVerdict> verdict = new CompletableFuture<>();

	private final CompletableFuture<@Nullable Void> near = new CompletableFuture<>();

	private final Runnable pause;

	/**
	 * Create an instance.
	 * @param pause lets other threads run, since there may be more than processors
	 */
	PendingVerdict(Runnable pause) {
		this.pause = pause;
	}

	/**
	 * Return the verdict, for those who do not wait.
	 */
	CompletableFuture<LockVerdict> future() {
		return this.verdict;
	}

	/**
	 * The verdict is likely to be there in a moment.
	 */
	void expect() {
		this.near.complete(null);
	}

	/**
	 * The verdict is there.
	 * @return whether it is the first one, which counts
	 */
	boolean decide(LockVerdict result) {
		boolean first = this.verdict.complete(result);
		expect();
		return first;
	}

	/**
	 * Wait for the verdict on the calling thread.
	 * @param left returns how long it may still wait, in nanoseconds
	 */
	LockVerdict await(LongSupplier left) throws InterruptedException, TimeoutException, ExecutionException {
		get(this.near, left);
		awaitAwake();
		return get(this.verdict, left);
	}

	private void awaitAwake() {
		if (!this.verdict.isDone()) {
			long begin = System.nanoTime();
			while (!this.verdict.isDone() && System.nanoTime() - begin < LONGEST_AWAKE) {
				this.pause.run();
			}
		}
	}

	private static <T extends @Nullable Object> T get(CompletableFuture<T> result, LongSupplier left)
			throws InterruptedException, TimeoutException, ExecutionException {
		long nanos = left.getAsLong();
		return (nanos == Long.MAX_VALUE) ? result.get() : result.get(nanos, TimeUnit.NANOSECONDS);
	}

}
