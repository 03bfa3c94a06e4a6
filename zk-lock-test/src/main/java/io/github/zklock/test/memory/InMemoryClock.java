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

package io.github.zklock.test.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;

import org.jspecify.annotations.Nullable;

/**
 * The clock of locks in memory. It follows the clock of the JVM, and a test can move it
 * on.
 */
final class InMemoryClock {

	// Far enough, and far from an overflow.
	private static final long LONGEST = Long.MAX_VALUE / 4;

	private static final Instant START = Instant.parse("2100-01-01T00:00:00Z");

	private final long start = System.nanoTime();

	private final Set<Alarm> pending = new LinkedHashSet<>();

	private volatile long ahead;

	long nanoTime() {
		return System.nanoTime() + this.ahead;
	}

	/** Return a time for people, which begins at the same instant in each test. */
	Instant instant() {
		return START.plus(since(this.start));
	}

	Duration since(long start) {
		return Duration.ofNanos(nanoTime() - start);
	}

	/**
	 * Run an action when a time is over, on the thread of a timer or on the one that
	 * moves the clock. The action must be quick.
	 */
	synchronized Alarm alarm(Runnable action, long nanos) {
		Alarm alarm = new Alarm(action, nanoTime() + Math.min(nanos, LONGEST));
		this.pending.add(alarm);
		alarm.start();
		return alarm;
	}

	/**
	 * Move the time on. All actions that are due have run when this returns.
	 */
	void advance(Duration time) {
		due(time.toNanos()).forEach(Alarm::ring);
	}

	/**
	 * Forget all actions.
	 */
	synchronized void clear() {
		this.pending.forEach(Alarm::stop);
		this.pending.clear();
	}

	private synchronized List<Alarm> due(long nanos) {
		this.ahead += nanos;
		this.pending.forEach(Alarm::start);
		return this.pending.stream()
			.filter((alarm) -> alarm.left() <= 0)
			.sorted(Comparator.comparingLong(Alarm::left))
			.toList();
	}

	private synchronized boolean remove(Alarm alarm) {
		return this.pending.remove(alarm);
	}

	/**
	 * An action that runs once at a time.
	 */
	final class Alarm {

		private final Runnable action;

		private final long time;

		private @Nullable Future<?> timer;

		private Alarm(Runnable action, long time) {
			this.action = action;
			this.time = time;
		}

		private long left() {
			return this.time - nanoTime();
		}

		private void start() {
			stop();
			this.timer = Delay.run(this::ring, left());
		}

		private void stop() {
			if (this.timer != null) {
				this.timer.cancel(false);
			}
		}

		private void ring() {
			if (remove(this)) {
				this.action.run();
			}
		}

		void cancel() {
			synchronized (InMemoryClock.this) {
				remove(this);
				stop();
			}
		}

	}

}
