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

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.github.zklock.core.LockTick;
import io.github.zklock.zookeeper.node.TickRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers when the time of each mark beside a queue ends, be it a stamp or the record
 * of a periodic run. It counts from the first sight, by the monotonic clock of this
 * process; no clock of another machine is used. A forgotten mark counts from the next
 * sight, so its key is kept for longer, never for less. Marks are forgotten only after
 * their end, and of the ended ones, which may be gone already, not more than 10,000 are
 * remembered for long.
 */
public final class MarkMemory {

	/**
	 * A warning is logged when a schedule uses this many keys.
	 */
	static final int MANY_KEYS = 1000;

	private static final Logger logger = LoggerFactory.getLogger(MarkMemory.class);

	private static final int MANY = 10_000;

	private static final int MOST_COUNTS = 1000;

	private final LongSupplier clock;

	private final Map<String, Long> ends = new HashMap<>();

	private final SplittableRandom random = new SplittableRandom(0);

	private int most = MANY;

	private final Map<String, Integer> counts = new HashMap<>();

	/**
	 * Create an instance.
	 * @param clock the clock, in nanoseconds
	 */
	public MarkMemory(LongSupplier clock) {
		this.clock = clock;
	}

	/**
	 * Return for how many nanoseconds a mark still keeps its key.
	 * @param name the name of its node
	 * @param nanos how long it does in all
	 */
	long remaining(String name, long nanos) {
		return remaining(name, nanos, this.clock.getAsLong());
	}

	synchronized long remaining(String name, long nanos, long now) {
		Long end = this.ends.get(name);
		if (end == null) {
			end = now + nanos;
			this.ends.put(name, end);
		}
		if (this.ends.size() > this.most) {
			forgetSome(now);
		}
		return end - now;
	}

	// At random: in a fixed order, a process that uses more keys in turn than are
	// remembered would find each of them forgotten, and wait for ever.
	private void forgetSome(long now) {
		this.ends.values().removeIf((end) -> end - now <= 0 && this.random.nextBoolean());
		this.most = Math.max(MANY, this.ends.size() + this.ends.size() / 2);
	}

	synchronized void forget(String name) {
		this.ends.remove(name);
	}

	public synchronized int size() {
		return this.ends.size();
	}

	/**
	 * Warn of wrong clocks and of many keys. Called when a run was recorded.
	 * @param tick its tick
	 * @param record its record
	 * @param first whether it is the only record of its schedule and key
	 */
	void recorded(LockTick tick, TickRecord record, boolean first) {
		if (record.isAhead() && count(record.schedule() + " ahead") == 1) {
			logger.warn(
					"{} is {} s ahead of the clock of the ZooKeeper servers, so it may run twice: set the clocks "
							+ "of this machine and of the servers",
					tick, TimeUnit.MILLISECONDS.toSeconds(record.millis() - record.leaderMillis()));
		}
		if (first && count(record.schedule()) == MANY_KEYS) {
			logger.warn("{} uses {} different keys: each of them leaves a small node in ZooKeeper for good, so use "
					+ "few keys for a job, or no ticks", tick, MANY_KEYS);
		}
	}

	private synchronized int count(String what) {
		boolean counted = this.counts.size() < MOST_COUNTS || this.counts.containsKey(what);
		return counted ? this.counts.merge(what, 1, Integer::sum) : 0;
	}

}
