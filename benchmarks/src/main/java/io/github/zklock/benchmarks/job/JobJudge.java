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

package io.github.zklock.benchmarks.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Judges from outside what the nodes of a cluster did.
 */
final class JobJudge {

	// A scheduler may be early by the rounding of its clock.
	private static final long EARLY = TimeUnit.MILLISECONDS.toNanos(200);

	private final List<ItemRun> runs;

	JobJudge(List<ItemRun> runs) {
		this.runs = runs;
	}

	/**
	 * Return how long two runs of one item worked at once, for each two that did.
	 * @return the nanoseconds
	 */
	List<Long> overlaps() {
		List<Long> found = new ArrayList<>();
		for (int earlier = 0; earlier < this.runs.size(); earlier++) {
			for (int later = earlier + 1; later < this.runs.size(); later++) {
				ItemRun one = this.runs.get(earlier);
				ItemRun other = this.runs.get(later);
				long together = (one.item() == other.item()) ? one.together(other) : 0;
				if (together > 0) {
					found.add(together);
				}
			}
		}
		return found;
	}

	/**
	 * Count the items of planned times that were missed. An item is not missed if a run
	 * of it begins before the next planned time, and ends. An earlier run that is in the
	 * way gives it a period more.
	 * @param ticks the planned times
	 * @param period the time from one to the next
	 * @return the number
	 */
	int missed(List<Long> ticks, Duration period) {
		int missed = 0;
		for (long tick : ticks) {
			for (int item = 0; item < JobPlan.ITEMS; item++) {
				if (isMissed(item, tick - EARLY, period.toNanos())) {
					missed++;
				}
			}
		}
		return missed;
	}

	private boolean isMissed(int item, long tick, long period) {
		long free = this.runs.stream()
			.filter((run) -> run.item() == item && run.begin() < tick && run.last() >= tick)
			.mapToLong(ItemRun::last)
			.max()
			.orElse(tick);
		return this.runs.stream()
			.noneMatch(
					(run) -> run.item() == item && run.ended() && run.begin() >= tick && run.begin() < free + period);
	}

	/**
	 * Count the runs that repeat an item: another run of it began in the same period, and
	 * ended as well.
	 * @param ticks the planned times
	 * @param period the time from one to the next
	 * @return the number
	 */
	int repeated(List<Long> ticks, Duration period) {
		int repeated = 0;
		for (long tick : ticks) {
			for (int each = 0; each < JobPlan.ITEMS; each++) {
				int item = each;
				long ended = this.runs.stream()
					.filter((run) -> run.item() == item && run.ended() && run.begin() >= tick - EARLY
							&& run.begin() < tick - EARLY + period.toNanos())
					.count();
				repeated += (int) Math.max(0, ended - 1);
			}
		}
		return repeated;
	}

	/**
	 * Return when an item begins again.
	 * @param item the number of the item
	 * @param since the time at which it was killed
	 * @return the time until the next begin, in nanoseconds
	 */
	OptionalLong again(int item, long since) {
		return this.runs.stream()
			.filter((run) -> run.item() == item && run.begin() > since)
			.mapToLong((run) -> run.begin() - since)
			.min();
	}

	/**
	 * Count the runs that begin in a pause.
	 * @param from when the pause was asked for and answered
	 * @param to when its end was asked for
	 * @return the number
	 */
	int begunBetween(long from, long to) {
		return (int) this.runs.stream().filter((run) -> run.begin() > from && run.begin() < to).count();
	}

}
