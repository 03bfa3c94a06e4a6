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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How requests for locks ended and by how much they took longer than they may, added up:
 * a long run has too many of them to keep.
 */
final class Waits {

	private static final int TOLERATED_MILLIS = 500;

	private static final int LONGEST = 60_000;

	private final Map<String, Integer> outcomes = new TreeMap<>();

	private final int[] excess = new int[LONGEST + 1];

	private final List<Attempt> tooLong = new ArrayList<>();

	private int count;

	synchronized void add(Attempt attempt) {
		this.count++;
		this.outcomes.merge(attempt.outcome(), 1, Integer::sum);
		this.excess[(int) Math.max(0, Math.min(attempt.excessMillis(), LONGEST))]++;
		if (attempt.excessMillis() > TOLERATED_MILLIS) {
			this.tooLong.add(attempt);
		}
	}

	synchronized int count() {
		return this.count;
	}

	synchronized Map<String, Integer> outcomes() {
		return new TreeMap<>(this.outcomes);
	}

	/**
	 * Return those that took more than 500 ms longer than they may.
	 */
	synchronized List<Attempt> tooLong() {
		return List.copyOf(this.tooLong);
	}

	/**
	 * Return by how many milliseconds all but a part of the requests took at most longer
	 * than they may.
	 */
	synchronized int excessMillis(double part) {
		long left = (long) (this.count * (1 - part));
		for (int millis = LONGEST; millis > 0; millis--) {
			left -= this.excess[millis];
			if (left < 0) {
				return millis;
			}
		}
		return 0;
	}

}
