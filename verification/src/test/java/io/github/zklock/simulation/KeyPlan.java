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

package io.github.zklock.simulation;

import java.util.SplittableRandom;

/**
 * One key of a schedule, and what is asked for it.
 *
 * @param key the key
 * @param use the kind of requests
 * @param permits how many may hold it at once
 * @param atLeastMillis how long some of the requests keep it taken
 * @param cache whether most requests may use a lock that is kept
 */
record KeyPlan(String key, Use use, int permits, int atLeastMillis, boolean cache) {

	static KeyPlan draw(SplittableRandom random, String key) {
		int die = random.nextInt(100);
		if (die < 8) {
			return new KeyPlan(key, Use.PERMITS, 2 + random.nextInt(2), 0, false);
		}
		if (die < 18) {
			return new KeyPlan(key, Use.TICK, 1, 0, false);
		}
		if (die < 24) {
			return new KeyPlan(key, Use.PERIODIC, 1, 0, false);
		}
		int atLeast = (random.nextInt(6) == 0) ? 1 + random.nextInt(300) : 0;
		boolean cache = random.nextInt(3) == 0;
		return new KeyPlan(key, (die < 60) ? Use.EXCLUSIVE : Use.SHARED, 1, atLeast, cache);
	}

	/**
	 * Return what is a little simpler.
	 */
	KeyPlan simpler() {
		return switch (this.use) {
			case NUMBERS, CACHED -> this;
			case EXCLUSIVE, TICK, PERIODIC -> new KeyPlan(this.key, this.use, 1, 0, false);
			case SHARED -> (this.cache || this.atLeastMillis > 0) ? new KeyPlan(this.key, this.use, 1, 0, false)
					: new KeyPlan(this.key, Use.EXCLUSIVE, 1, 0, false);
			case PERMITS -> new KeyPlan(this.key, this.use, 2, 0, false);
		};
	}

	@Override
	public String toString() {
		return this.key + " " + this.use + ((this.permits > 1) ? " permits " + this.permits : "")
				+ ((this.atLeastMillis > 0) ? " at least " + this.atLeastMillis + "ms" : "")
				+ (this.cache ? " cached" : "");
	}

	/**
	 * What is asked for a key.
	 */
	enum Use {

		EXCLUSIVE,

		/** Readers and writers, and holders without a mode. */
		SHARED,

		PERMITS,

		/** Permits, of which not all callers give the same number. */
		NUMBERS,

		/** Holders without a mode, each of whom may keep the lock for the next one. */
		CACHED,

		/** Planned runs of a time. */
		TICK,

		/** Periodic runs. */
		PERIODIC

	}

}
