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

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

import io.github.zklock.core.LockTick;

/**
 * Which planned runs have taken place that may be repeated: each as often as it may, in
 * their order, and never again after its end.
 */
final class AttemptBook {

	private final Map<String, TreeMap<Instant, Attempt>> attempts = new HashMap<>();

	// What was asked for last.
	private final Map<String, Instant> latest = new HashMap<>();

	private TreeMap<Instant, Attempt> of(String key) {
		return this.attempts.computeIfAbsent(key, (unknown) -> new TreeMap<>());
	}

	/**
	 * A caller asks for a run.
	 */
	void asked(String key, LockTick tick) {
		this.latest.merge(key, time(tick), (one, other) -> one.isAfter(other) ? one : other);
	}

	/**
	 * A caller has a run.
	 * @return whether it may: a repetition counts on, and repeats no run that has ended
	 */
	boolean granted(String key, LockTick tick, int number) {
		TreeMap<Instant, Attempt> before = of(key);
		Attempt last = before.get(time(tick));
		// The grant by a node that was deleted by hand may come after a later attempt.
		if (last == null || number >= last.number()) {
			before.put(time(tick), new Attempt(number, State.BEGUN));
		}
		boolean inOrder = before.tailMap(time(tick), false).isEmpty();
		return inOrder && number <= tick.maxAttempts()
				&& (last == null || (number > last.number() && last.state() != State.ENDED));
	}

	/**
	 * A run has ended, and nothing can have kept its end from being written.
	 */
	void ended(String key, LockTick tick, int number) {
		become(key, tick, number, State.ENDED);
	}

	/**
	 * The process of a run is gone in its middle, or the run was interrupted.
	 */
	void died(String key, LockTick tick, int number) {
		become(key, tick, number, State.DIED);
	}

	// Another attempt may have begun since, if the lock of this one was lost.
	private void become(String key, LockTick tick, int number, State state) {
		of(key).computeIfPresent(time(tick),
				(time, run) -> (run.number() == number) ? new Attempt(number, state) : run);
	}

	/**
	 * A caller is told that a run has taken place.
	 * @return whether it may have: no run has died that could be repeated
	 */
	boolean refused(String key, LockTick tick) {
		Attempt last = of(key).get(time(tick));
		boolean isLatest = !this.latest.get(key).isAfter(time(tick));
		return !isLatest || last == null || last.state() != State.DIED;
	}

	int repetitions() {
		return this.attempts.values()
			.stream()
			.flatMap((runs) -> runs.values().stream())
			.mapToInt((run) -> run.number() - 1)
			.sum();
	}

	private static Instant time(LockTick tick) {
		Instant time = tick.time();
		if (time == null) {
			throw new IllegalArgumentException("A periodic run is not repeated: " + tick);
		}
		return time;
	}

	private enum State {

		BEGUN, ENDED, DIED

	}

	private record Attempt(int number, State state) {

	}

}
