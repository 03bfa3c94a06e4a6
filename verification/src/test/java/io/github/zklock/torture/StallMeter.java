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

package io.github.zklock.torture;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * Measures how long the machine, or the JVM, stood still: a thread takes naps and adds up
 * by how much it overslept.
 */
final class StallMeter implements AutoCloseable {

	private static final long NAP = TimeUnit.MILLISECONDS.toNanos(2);

	// Nobody wakes up on the nanosecond, and hundreds of naps would make a sum of that.
	private static final long USUAL = TimeUnit.MILLISECONDS.toNanos(5);

	private final LongConsumer sleep;

	private final CountDownLatch awake = new CountDownLatch(1);

	private volatile boolean closed;

	private volatile Nap nap = new Nap(System.nanoTime(), 0);

	/**
	 * Start to measure.
	 */
	StallMeter() {
		this(LockSupport::parkNanos);
	}

	StallMeter(LongConsumer sleep) {
		this.sleep = sleep;
		Thread thread = new Thread(this::takeNaps, "stall-meter");
		thread.setDaemon(true);
		thread.setPriority(Thread.MAX_PRIORITY);
		thread.start();
		try {
			this.awake.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while the stall meter started", ex);
		}
	}

	/**
	 * Return how long the machine stood still.
	 * @return the sum of all stalls until now: what counts is by how much it grows
	 */
	Duration stalled() {
		return Duration.ofNanos(this.nap.stalledAt(System.nanoTime()));
	}

	@Override
	public void close() {
		this.closed = true;
	}

	private void takeNaps() {
		this.nap = new Nap(System.nanoTime(), 0);
		while (!this.closed) {
			this.sleep.accept(NAP);
			long now = System.nanoTime();
			this.nap = new Nap(now, this.nap.stalledAt(now));
			this.awake.countDown();
		}
	}

	private record Nap(long begin, long stalledBefore) {

		// Who asks may wake up from a stall before the thread that naps does.
		long stalledAt(long now) {
			long overslept = now - this.begin - NAP;
			return this.stalledBefore + ((overslept > USUAL) ? overslept : 0);
		}

	}

}
