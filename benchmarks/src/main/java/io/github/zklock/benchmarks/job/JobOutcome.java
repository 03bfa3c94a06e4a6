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

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * What one repetition has shown.
 *
 * @param overlaps how long each two runs of one item worked at once, in nanoseconds
 * @param missed how many items of planned times were missed
 * @param repeated how many runs repeated an item of a planned time
 * @param planned how many items were planned
 * @param again the time until the item of a killed or stopped node began again, in
 * nanoseconds
 * @param paused how many runs began in a pause
 */
record JobOutcome(List<Long> overlaps, int missed, int repeated, int planned, OptionalLong again, int paused) {

	static JobOutcome of(JobCluster cluster, List<Long> ticks) throws IOException {
		JobJudge judge = new JobJudge(cluster.runs());
		Duration period = cluster.plan().period();
		return new JobOutcome(judge.overlaps(), judge.missed(ticks, period), judge.repeated(ticks, period),
				ticks.size() * JobPlan.ITEMS, OptionalLong.empty(), 0);
	}

	JobOutcome andAgain(JobCluster cluster, int item, long since) throws IOException {
		return new JobOutcome(this.overlaps, this.missed, this.repeated, this.planned,
				new JobJudge(cluster.runs()).again(item, since), this.paused);
	}

	JobOutcome andPaused(JobCluster cluster, long from, long to) throws IOException {
		return new JobOutcome(this.overlaps, this.missed, this.repeated, this.planned, this.again,
				new JobJudge(cluster.runs()).begunBetween(from, to));
	}

}
