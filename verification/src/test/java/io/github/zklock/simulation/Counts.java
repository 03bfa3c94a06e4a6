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

import java.util.Map;
import java.util.TreeMap;

/**
 * What has happened in schedules, in numbers.
 */
final class Counts {

	long schedules;

	long steps;

	long grants;

	long nested;

	long losses;

	long refusals;

	long unavailable;

	long cancels;

	long rejected;

	long excused;

	long ticks;

	long pauses;

	long repetitions;

	long recoveries;

	long madeUp;

	long lateWakes;

	long longestExcess;

	long longestSleep;

	long virtualNanos;

	final Map<String, Long> faults = new TreeMap<>();

	void fault(Fault.Kind kind) {
		this.faults.merge(kind.name(), 1L, Long::sum);
	}

	void add(Counts other) {
		this.schedules += other.schedules;
		this.steps += other.steps;
		this.grants += other.grants;
		this.nested += other.nested;
		this.losses += other.losses;
		this.refusals += other.refusals;
		this.unavailable += other.unavailable;
		this.cancels += other.cancels;
		this.rejected += other.rejected;
		this.excused += other.excused;
		this.ticks += other.ticks;
		this.pauses += other.pauses;
		this.repetitions += other.repetitions;
		this.recoveries += other.recoveries;
		this.madeUp += other.madeUp;
		this.lateWakes += other.lateWakes;
		this.longestExcess = Math.max(this.longestExcess, other.longestExcess);
		this.longestSleep = Math.max(this.longestSleep, other.longestSleep);
		this.virtualNanos += other.virtualNanos;
		other.faults.forEach((kind, count) -> this.faults.merge(kind, count, Long::sum));
	}

	@Override
	public String toString() {
		return this.schedules + " schedules, " + this.steps + " steps, " + this.virtualNanos / 1_000_000_000
				+ " s of virtual time, " + this.grants + " grants, " + this.nested + " nested, " + this.losses
				+ " losses, " + this.refusals + " refusals, " + this.unavailable + " unavailable, " + this.cancels
				+ " cancels, " + this.ticks + " ticks, " + this.pauses + " pauses, " + this.repetitions
				+ " repeated runs, " + this.recoveries + " of recovery with " + this.madeUp + " made up for, "
				+ this.rejected + " stale writes rejected, " + this.excused + " excused overlaps, " + this.lateWakes
				+ " late wakes after faults; longest excess of a wait " + this.longestExcess / 1_000_000
				+ " ms, longest sleep beside a free lock in calm schedules " + this.longestSleep / 1_000_000 + " ms";
	}

}
