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
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import org.jspecify.annotations.Nullable;

/**
 * Which tick of each key and schedule has run last. Changes under the monitor of the
 * queues only. Periodic runs have no entry: they keep out other nodes, and there are
 * none.
 */
final class InMemoryTicks {

	private final Map<Place, Run> last = new HashMap<>();

	/**
	 * Return the run that a request for a tick comes too late for, if there is one.
	 */
	@Nullable Run before(LockRequest request) {
		LockTick tick = request.tick();
		Run run = (tick != null) ? this.last.get(new Place(request.key(), tick.schedule())) : null;
		if (tick == null || run == null || tick.isPeriodic() || tick.call().equals(run.tick().call())) {
			return null;
		}
		return (millis(tick) <= millis(run.tick())) ? run : null;
	}

	/**
	 * A lock is granted: its tick has run.
	 */
	void add(LockRequest request, LockHolder runner) {
		LockTick tick = request.tick();
		if (tick != null && !tick.isPeriodic()) {
			this.last.put(new Place(request.key(), tick.schedule()), new Run(tick, runner, System.nanoTime()));
		}
	}

	private static long millis(LockTick tick) {
		Instant time = tick.time();
		return (time != null) ? time.toEpochMilli() : 0;
	}

	private record Place(String key, String schedule) {
	}

	/**
	 * A tick that has run.
	 *
	 * @param tick the tick
	 * @param holder who ran it
	 * @param at when, by {@link System#nanoTime()}
	 */
	record Run(LockTick tick, LockHolder holder, long at) {

		LockHolder runner() {
			return new LockHolder(this.holder.application(), this.holder.instance(), this.holder.host(),
					this.holder.pid(), this.holder.thread(), this.holder.name(),
					Duration.ofNanos(System.nanoTime() - this.at));
		}

	}

}
