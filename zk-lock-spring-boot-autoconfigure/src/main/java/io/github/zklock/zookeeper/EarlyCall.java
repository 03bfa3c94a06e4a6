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

import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Wakes up somebody who waits in a local queue before it is its turn, as long as the lock
 * goes on faster than a thread wakes up. Guarded by the lock of the queue.
 */
final class EarlyCall {

	// While that one wakes up, those before it have the lock.
	private static final int PLACES = 3;

	// Then it is still awake when it is its turn.
	private static final long BRISK = PendingVerdict.LONGEST_AWAKE / PLACES;

	private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

	private final Waiters waiters;

	private final boolean useful;

	private final LongSupplier clock;

	private long last;

	EarlyCall(Waiters waiters) {
		this(waiters, PROCESSORS, System::nanoTime);
	}

	/**
	 * Create an instance.
	 * @param waiters those who wait
	 * @param processors how many there are: with a single one nobody wakes up while
	 * another thread runs
	 * @param clock the time in nanoseconds, from any origin
	 */
	EarlyCall(Waiters waiters, int processors, LongSupplier clock) {
		this.waiters = waiters;
		this.useful = processors > 1;
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
		return (brisk && this.useful && !this.waiters.isEmpty()) ? this.waiters.lastOfFirst(PLACES) : null;
	}

}
