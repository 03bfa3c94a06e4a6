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

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Wakes up somebody who waits in a local queue before it is its turn, as long as the lock
 * goes on faster than a thread wakes up. Guarded by the lock of the queue.
 */
final class EarlyCall {

	private static final long BRISK = TimeUnit.MICROSECONDS.toNanos(50);

	// While that one wakes up, those before it have the lock.
	private static final int PLACES = 3;

	private final Waiters waiters;

	private final LongSupplier clock;

	private long last;

	/**
	 * Create an instance.
	 * @param waiters those who wait
	 * @param clock the time in nanoseconds, from any origin
	 */
	EarlyCall(Waiters waiters, LongSupplier clock) {
		this.waiters = waiters;
		this.clock = clock;
		this.last = clock.getAsLong() - BRISK;
	}

	/**
	 * The lock goes on to the next holder.
	 * @return whom to wake up, if anybody; whoever is before that one was called before
	 */
	@Nullable LockAttempt next() {
		long now = this.clock.getAsLong();
		boolean brisk = now - this.last < BRISK;
		this.last = now;
		return (brisk && !this.waiters.isEmpty()) ? this.waiters.lastOfFirst(PLACES) : null;
	}

}
