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
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobJudge}, with times in seconds.
 */
class JobJudgeTests {

	private final List<ItemRun> runs = new ArrayList<>();

	@Test
	void runsOfOneItemThatWorkAtOnceOverlap() {
		run(0, 10, 16, true);
		run(0, 14, 20, true);
		run(1, 12, 18, true);
		assertThat(judge().overlaps()).containsExactly(seconds(1));
	}

	@Test
	void runThatBeginsWhereAnotherEndsDoesNotOverlap() {
		run(0, 10, 16, true);
		run(0, 16, 20, true);
		assertThat(judge().overlaps()).isEmpty();
	}

	@Test
	void stoppedRunDoesNotWorkUntilItGoesOn() {
		this.runs.add(new ItemRun(0, 1, List.of(seconds(10), seconds(11), seconds(30), seconds(32)), true));
		run(0, 20, 25, true);
		assertThat(judge().overlaps()).isEmpty();
		run(0, 26, 35, true);
		assertThat(judge().overlaps()).containsExactly(seconds(2));
	}

	@Test
	void itemIsMissedIfItDoesNotEnd() {
		run(0, 10, 16, true);
		run(1, 10, 16, true);
		run(2, 10, 12, false);
		assertThat(missed(10)).isOne();
		run(2, 25, 31, true);
		assertThat(missed(10)).isZero();
	}

	@Test
	void itemIsMissedIfItsRunBeginsAtTheNextPlannedTime() {
		run(0, 10, 16, true);
		run(1, 10, 16, true);
		run(2, 30, 36, true);
		assertThat(missed(10)).isOne();
	}

	@Test
	void runThatIsInTheWayGivesTheItemOnePeriodMore() {
		run(0, 31, 36, true);
		run(1, 31, 36, true);
		run(2, 10, 45, true);
		run(2, 64, 70, true);
		assertThat(missed(30)).isZero();
		run(2, 31, 47, false);
		assertThat(missed(30)).isZero();
	}

	@Test
	void runThatBeganBeforeThePlannedTimeIsNotItsRun() {
		run(0, 31, 36, true);
		run(1, 31, 36, true);
		run(2, 29, 35, true);
		assertThat(missed(30)).isOne();
	}

	@Test
	void secondRunThatEndsInOnePeriodRepeatsTheItem() {
		run(0, 10, 12, false);
		run(0, 20, 26, true);
		run(1, 10, 16, true);
		run(1, 31, 36, true);
		assertThat(repeated(10)).isZero();
		run(1, 17, 23, true);
		assertThat(repeated(10)).isOne();
	}

	@Test
	void itemBeginsAgainAfterItsNodeWasKilled() {
		run(0, 10, 12, false);
		run(1, 13, 19, true);
		assertThat(judge().again(0, seconds(12))).isEmpty();
		run(0, 20, 26, true);
		assertThat(judge().again(0, seconds(12))).hasValue(seconds(8));
	}

	@Test
	void runsThatBeginInAPauseAreCounted() {
		run(0, 10, 16, true);
		run(1, 12, 18, true);
		run(0, 20, 26, true);
		assertThat(judge().begunBetween(seconds(11), seconds(19))).isOne();
	}

	@Test
	void recordsOfSeveralProcessesAreReadAsRuns() {
		assertThat(
				ItemRun.parse(List.of("begin 2 - 7 1 100", "begin 2 - 8 1 101", "step 2 - 7 1 102", "end 2 - 7 1 103")))
			.containsExactly(new ItemRun(2, 7, List.of(100L, 102L, 103L), true),
					new ItemRun(2, 8, List.of(101L), false));
	}

	private int missed(long tick) {
		return judge().missed(List.of(seconds(tick)), Duration.ofSeconds(20));
	}

	private int repeated(long tick) {
		return judge().repeated(List.of(seconds(tick)), Duration.ofSeconds(20));
	}

	private JobJudge judge() {
		return new JobJudge(this.runs);
	}

	private void run(int item, long begin, long last, boolean ended) {
		this.runs.add(new ItemRun(item, 1,
				LongStream.rangeClosed(begin, last).map(JobJudgeTests::seconds).boxed().toList(), ended));
	}

	private static long seconds(long seconds) {
		return Duration.ofSeconds(seconds).toNanos();
	}

}
