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
import java.util.function.LongSupplier;

import io.github.zklock.zookeeper.node.AtLeastStamp;

/**
 * Remembers when the time of each stamp ends. It counts from the first sight, by the
 * monotonic clock of this process; no clock of another machine is used. A forgotten stamp
 * counts from the next sight, so its key is kept for longer, never for less. Stamps are
 * forgotten only after their end, and of the ended ones, which may be gone already, not
 * more than 10,000 are remembered for long.
 */
public final class StampMemory {

	private static final int MANY = 10_000;

	private final LongSupplier clock;

	private final Map<String, Long> ends = new HashMap<>();

	private final SplittableRandom random = new SplittableRandom(0);

	private int most = MANY;

	/**
	 * Create an instance.
	 * @param clock the clock, in nanoseconds
	 */
	StampMemory(LongSupplier clock) {
		this.clock = clock;
	}

	/**
	 * Return for how many nanoseconds a stamp still keeps its key.
	 */
	long remaining(AtLeastStamp stamp) {
		return remaining(stamp, this.clock.getAsLong());
	}

	long remaining(AtLeastStamp stamp, long now) {
		return seen(stamp, now) - now;
	}

	/**
	 * Remember a stamp.
	 * @param stamp the stamp
	 * @param now the time, by the clock
	 * @return when its time is over
	 */
	synchronized long seen(AtLeastStamp stamp, long now) {
		long end = now + stamp.nanos();
		Long before = this.ends.putIfAbsent(stamp.name(), end);
		if (this.ends.size() > this.most) {
			forgetSome(now);
		}
		return (before != null) ? before : end;
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

}
