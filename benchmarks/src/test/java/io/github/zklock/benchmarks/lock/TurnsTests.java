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

package io.github.zklock.benchmarks.lock;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Turns}.
 */
class TurnsTests {

	@Test
	void aTurnBeginsWithTheGrantOfAnotherJvm() {
		Turns turns = Turns.of(List.of(new long[] { 10, 20, 60, 70, 80, 100 }, new long[] { 30, 50, 90 }));
		assertThat(turns.count()).isEqualTo(4);
		assertThat(turns.longestGapNanos()).isEqualTo(40);
	}

	@Test
	void onlyWhileAllAreThereDoesARunKeepOthersWaiting() {
		Turns turns = Turns
			.of(List.of(new long[] { 1, 2, 3, 4, 10, 20, 40 }, new long[] { 5, 30, 31, 32, 50, 60, 70 }));
		assertThat(turns.longestRun()).isEqualTo(3);
	}

	@Test
	void whoGetsNothingHasNoTurn() {
		assertThat(Turns.of(List.of(new long[0], new long[] { 1, 2 }))).isEqualTo(new Turns(0, 2, 1));
		assertThat(Turns.of(List.of(new long[0]))).isEqualTo(new Turns(0, 0, 0));
	}

	@Test
	void whatAWorkerReportsIsReadAsItWas() {
		WorkerProcess.Result result = new WorkerProcess.Result(3, 4, 5, 6, 7, 8, 9, new long[] { 10, 11, 12 },
				new long[] { 13, 14, 15 });
		assertThat(WorkerProcess.Result.parse(result.format())).usingRecursiveComparison().isEqualTo(result);
	}

	@Test
	void whatAWorkerIsToldIsReadAsItWas() {
		WorkerProcess.Order order = new WorkerProcess.Order(3, 4, true);
		assertThat(WorkerProcess.Order.parse(order.format())).isEqualTo(order);
	}

}
