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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.zklock.benchmarks.server.ServerCounts;

/**
 * What is taken from a run of several JVMs.
 */
final class FleetValues {

	static final String THROUGHPUT = "throughput";

	static final String FREE = "free";

	static final String HAND_OFF = "hand-off";

	static final String LEAST_SHARE = "least share";

	static final String P99 = "p99";

	static final String LONGEST_WAIT = "longest wait";

	static final String REMOTE_WAIT = "remote wait";

	static final String LONGEST_RUN = "longest run";

	static final String LONGEST_GAP = "longest gap";

	static final String REQUESTS = "requests";

	static final String PER_TURN = " per turn";

	private static final double MILLI = TimeUnit.MILLISECONDS.toNanos(1);

	private FleetValues() {
	}

	static Map<String, Double> of(List<WorkerProcess.Result> results, ServerCounts counts) {
		double grants = Math.max(1, results.stream().mapToLong(WorkerProcess.Result::grants).sum());
		double seconds = seconds(results);
		double least = results.stream().mapToLong(WorkerProcess.Result::grants).min().orElse(0);
		double longest = results.stream().mapToLong(WorkerProcess.Result::maxNanos).max().orElse(0);
		double p99 = results.stream().mapToLong(WorkerProcess.Result::p99Nanos).max().orElse(0);
		double held = results.stream().mapToLong(WorkerProcess.Result::heldNanos).sum() / 1e9;
		double remote = results.get(results.size() - 1).p50Nanos();
		Turns turns = Turns.of(results.stream().map(WorkerProcess.Result::times).toList());
		Map<String, Double> values = new HashMap<>(Map.of(THROUGHPUT, grants / seconds, FREE,
				1000 * (seconds - held) / Math.max(1, grants - 1), LEAST_SHARE, 100 * least / grants, P99, p99 / MILLI,
				LONGEST_WAIT, longest / MILLI, REMOTE_WAIT, remote / MILLI, LONGEST_RUN, (double) turns.longestRun(),
				LONGEST_GAP, turns.longestGapMillis(), REQUESTS, (counts.reads() + counts.writes()) / grants));
		values.put(HAND_OFF, medianHandOff(results) / MILLI);
		double changes = Math.max(1, turns.count());
		Map.of("reads", counts.reads(), "writes", counts.writes(), "events", counts.events()).forEach((name, count) -> {
			values.put(name, count / grants);
			values.put(name + PER_TURN, count / changes);
		});
		return values;
	}

	// From when the first got the lock until the last let it go: neither the start nor
	// the end of the JVMs' work. Between them are one hand-off less than locks.
	private static double seconds(List<WorkerProcess.Result> results) {
		long first = lucky(results).mapToLong(WorkerProcess.Result::firstNanos).min().orElse(0);
		long last = lucky(results).mapToLong(WorkerProcess.Result::lastNanos).max().orElse(0);
		return Math.max(1, last - first) / 1e9;
	}

	// At most one holds the lock, so the locks end in the order in which they were
	// granted.
	private static double medianHandOff(List<WorkerProcess.Result> results) {
		long[] grants = sorted(results, WorkerProcess.Result::times);
		long[] ends = sorted(results, WorkerProcess.Result::ends);
		long[] free = IntStream.range(1, grants.length).mapToLong((i) -> grants[i] - ends[i - 1]).sorted().toArray();
		return (free.length > 0) ? free[free.length / 2] : 0;
	}

	private static long[] sorted(List<WorkerProcess.Result> results, Function<WorkerProcess.Result, long[]> times) {
		return results.stream().map(times).flatMapToLong(Arrays::stream).sorted().toArray();
	}

	private static Stream<WorkerProcess.Result> lucky(List<WorkerProcess.Result> results) {
		return results.stream().filter((result) -> result.grants() > 0);
	}

}
