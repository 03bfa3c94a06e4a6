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

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockTick;
import org.jspecify.annotations.Nullable;

/**
 * The last run of each key and schedule. Changes under the monitor of the queues only.
 */
final class InMemoryTicks {

	private static final double PART_OF_A_PERIOD = 0.9;

	private final InMemoryClock clock;

	private final Map<Place, Run> last = new HashMap<>();

	InMemoryTicks(InMemoryClock clock) {
		this.clock = clock;
	}

	/**
	 * Return the run for which a request with a tick comes too late, if any.
	 */
	@Nullable Run before(InMemoryLockHandle handle) {
		LockTick tick = handle.request().tick();
		Run run = (tick != null) ? this.last.get(Place.of(handle, tick)) : null;
		if (tick == null || run == null || tick.call().equals(run.tick().call())) {
			return null;
		}
		boolean excludes = tick.isPeriodic()
				? run.runner().node() != handle.node() && isInPeriod(this.clock.nanoTime() - run.last(), tick)
				: millis(tick) <= millis(run.tick());
		return excludes ? run : null;
	}

	/**
	 * Record the tick of a granted lock as run.
	 */
	void add(InMemoryLockHandle handle) {
		LockTick tick = handle.request().tick();
		if (tick != null) {
			long now = this.clock.nanoTime();
			this.last.put(Place.of(handle, tick), new Run(tick, handle, now, now));
		}
	}

	/**
	 * Let the period begin again. Called when a lock is released.
	 */
	void ended(InMemoryLockHandle handle) {
		LockTick tick = handle.request().tick();
		if (tick != null) {
			this.last.computeIfPresent(Place.of(handle, tick), (place, run) -> (run.runner() == handle)
					? new Run(tick, handle, run.at(), this.clock.nanoTime()) : run);
		}
	}

	LockException refusal(InMemoryLockHandle late, Run run) {
		return LockNotAcquiredException.hasRun(late.request(), late.waited(), run.tick(), runner(run));
	}

	void clear() {
		this.last.clear();
	}

	private LockHolder runner(Run run) {
		return run.runner().holder().withHeldFor(this.clock.since(run.at()));
	}

	private static boolean isInPeriod(long nanos, LockTick tick) {
		return nanos < tick.period().toNanos() * PART_OF_A_PERIOD;
	}

	private static long millis(LockTick tick) {
		Instant time = tick.time();
		return (time != null) ? time.toEpochMilli() : 0;
	}

	private record Place(String key, String schedule, boolean periodic) {

		static Place of(InMemoryLockHandle handle, LockTick tick) {
			return new Place(handle.key(), tick.schedule(), tick.isPeriodic());
		}

	}

	/**
	 * A tick that has run.
	 *
	 * @param tick the tick
	 * @param runner the lock under which it ran
	 * @param at when, by the clock
	 * @param last when it began or, once it is over, ended
	 */
	record Run(LockTick tick, InMemoryLockHandle runner, long at, long last) {
	}

}
