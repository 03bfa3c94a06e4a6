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

package io.github.zklock.zookeeper.queue;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

import io.github.zklock.core.LockTick;
import io.github.zklock.zookeeper.node.TickRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this process knows of planned runs: when it first saw the last periodic run of
 * each key, by its own monotonic clock, and how many keys each schedule uses.
 */
public final class TickMemory {

	/**
	 * A warning is logged when a schedule uses this many keys.
	 */
	static final int MANY_KEYS = 1000;

	private static final Logger logger = LoggerFactory.getLogger(TickMemory.class);

	private static final int MOST_RUNS = 10_000;

	private static final int MOST_SCHEDULES = 1000;

	private final LongSupplier clock;

	private final Map<String, Seen> runs = new LinkedHashMap<>(16, 0.75F, true) {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Seen> eldest) {
			return size() > MOST_RUNS;
		}

	};

	private final Map<String, Schedule> schedules = new ConcurrentHashMap<>();

	/**
	 * Create an instance.
	 * @param clock the clock, in nanoseconds
	 */
	public TickMemory(LongSupplier clock) {
		this.clock = clock;
	}

	/**
	 * Return for how long a periodic run has been known here. A forgotten run counts from
	 * now.
	 */
	synchronized Duration since(String directory, TickRecord record) {
		long now = this.clock.getAsLong();
		Seen seen = this.runs.compute(directory + "/" + record.schedule(),
				(run, before) -> (before != null && before.name().equals(record.name())) ? before
						: new Seen(record.name(), now));
		return Duration.ofNanos(now - seen.at());
	}

	/**
	 * Warn of wrong clocks and of many keys. Called when a run was recorded.
	 * @param tick its tick
	 * @param record its record
	 * @param first whether it is the only record of its schedule and key
	 */
	void recorded(LockTick tick, TickRecord record, boolean first) {
		if (this.schedules.size() < MOST_SCHEDULES) {
			this.schedules.putIfAbsent(record.schedule(), new Schedule());
		}
		Schedule schedule = this.schedules.get(record.schedule());
		if (schedule != null) {
			schedule.recorded(tick, record, first);
		}
	}

	/**
	 * A periodic run.
	 *
	 * @param name the name of its record
	 * @param at when it was seen first, by the clock
	 */
	private record Seen(String name, long at) {

	}

	private static final class Schedule {

		private final AtomicInteger keys = new AtomicInteger();

		private final AtomicBoolean warned = new AtomicBoolean();

		void recorded(LockTick tick, TickRecord record, boolean first) {
			if (record.isAhead() && this.warned.compareAndSet(false, true)) {
				logger.warn(
						"{} is {} s ahead of the clock of the ZooKeeper servers, so it may run twice: set the clocks "
								+ "of this machine and of the servers",
						tick, TimeUnit.MILLISECONDS.toSeconds(record.millis() - record.leaderMillis()));
			}
			if (first && this.keys.incrementAndGet() == MANY_KEYS) {
				logger.warn("{} uses {} different keys: each of them leaves a small node in ZooKeeper for good, so use "
						+ "few keys for a job, or no ticks", tick, MANY_KEYS);
			}
		}

	}

}
