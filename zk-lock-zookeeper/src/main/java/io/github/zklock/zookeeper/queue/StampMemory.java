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

/**
 * When the time of each stamp ends, as this process knows it.
 * <p>
 * The time counts from the first sight, by the monotonic clock of this process; no clock
 * of another machine is used. A forgotten stamp counts from the next sight, so its key is
 * kept for longer, never for less. Stamps are forgotten after their end, and of the ended
 * ones, which may be gone already, not more than 10,000 are remembered for long. Of more
 * than 100,000 the ones that end last are forgotten first, since another client may
 * create as many as it likes.
 */
public final class StampMemory {

	/**
	 * More stamps than this are not remembered.
	 */
	static final int MOST_STAMPS = 100_000;

	private static final int MANY = 10_000;

	private final LongSupplier clock;

	private final Map<String, Long> ends = new HashMap<>();

	private final SplittableRandom random = new SplittableRandom(0);

	private int most = MANY;

	StampMemory(LongSupplier clock) {
		this.clock = clock;
	}

	/**
	 * Return for how many nanoseconds a stamp still keeps its key.
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
		if (this.ends.size() > Math.min(this.most, MOST_STAMPS)) {
			forgetSome(now);
		}
		return end - now;
	}

	// At random: a process may use more keys in turn than are remembered. In a fixed
	// order it would find each of them forgotten, and wait for ever.
	private void forgetSome(long now) {
		this.ends.values().removeIf((end) -> end - now <= 0 && this.random.nextBoolean());
		if (this.ends.size() > MOST_STAMPS) {
			long[] left = this.ends.values().stream().mapToLong((end) -> end - now).sorted().toArray();
			this.ends.values().removeIf((end) -> end - now >= left[left.length / 2]);
		}
		this.most = Math.max(MANY, this.ends.size() + this.ends.size() / 2);
	}

	synchronized void forget(String name) {
		this.ends.remove(name);
	}

	public synchronized int size() {
		return this.ends.size();
	}

}
