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
 * Until when each stamp counts that this process has seen. Its own monotonic clock
 * decides from the first sight on; no clock of another machine is asked. What was
 * forgotten, or was there before this process, counts from now: the key is then kept for
 * longer, never for less. Those whose time is not over are never forgotten, and of the
 * others not more than 10,000 are remembered for long: they may be gone already.
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
	 * Return how many nanoseconds are left until nobody can rely on a stamp any more.
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
	 * @param now when, by the clock
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

	// By chance, since in a fixed order somebody who looks at more keys in turn than are
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
