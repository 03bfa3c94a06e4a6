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

import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.github.zklock.benchmarks.server.ServerCounts;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@link FleetValues}.
 */
class FleetValuesTests {

	private static final ServerCounts NOTHING = new ServerCounts(0, 0, 0, 0);

	private static final long MILLI = 1_000_000;

	@Test
	void theLockIsFreeBetweenTheFirstGrantAndTheLastRelease() {
		// Held for 10 ms each, at 1000, 1012, 1024 and 1036 ms by turns.
		Map<String, Double> values = FleetValues.of(List.of(result(2, 20, 1000, 1034), result(2, 20, 1012, 1046)),
				NOTHING);
		assertThat(values.get(FleetValues.FREE)).isCloseTo(2, within(0.001));
		assertThat(values.get(FleetValues.THROUGHPUT)).isCloseTo(4 / 0.046, within(0.001));
	}

	@Test
	void oneStallIsInTheMeanAndNotInTheMedian() {
		// Free for 2, 300 and 3 ms.
		Map<String, Double> values = FleetValues
			.of(List.of(result(2, 20, 1000, 1322, millis(1000, 1312), millis(1010, 1322)),
					result(2, 20, 1012, 1335, millis(1012, 1325), millis(1012, 1335))), NOTHING);
		assertThat(values.get(FleetValues.HAND_OFF)).isCloseTo(3, within(0.001));
		assertThat(values.get(FleetValues.FREE)).isGreaterThan(90);
	}

	@Test
	void whoGetsNothingDoesNotCountForTheTime() {
		WorkerProcess.Result none = new WorkerProcess.Result(0, 0, 0, 0, 0, Long.MAX_VALUE, Long.MIN_VALUE, new long[0],
				new long[0]);
		Map<String, Double> values = FleetValues.of(List.of(none, result(2, 20, 1000, 1024)), NOTHING);
		assertThat(values.get(FleetValues.FREE)).isCloseTo(4, within(0.001));
		assertThat(values).containsEntry(FleetValues.LEAST_SHARE, 0.0);
		assertThat(FleetValues.of(List.of(none), NOTHING)).containsEntry(FleetValues.REMOTE_WAIT, 0.0);
	}

	private static WorkerProcess.Result result(long grants, long heldMillis, long firstMillis, long lastMillis) {
		return result(grants, heldMillis, firstMillis, lastMillis, new long[0], new long[0]);
	}

	private static WorkerProcess.Result result(long grants, long heldMillis, long firstMillis, long lastMillis,
			long[] times, long[] ends) {
		return new WorkerProcess.Result(grants, 0, 0, 0, heldMillis * MILLI, firstMillis * MILLI, lastMillis * MILLI,
				times, ends);
	}

	private static long[] millis(long... millis) {
		return Arrays.stream(millis).map((each) -> each * MILLI).toArray();
	}

}
