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
import java.util.stream.IntStream;

/**
 * In which order several JVMs got a lock.
 *
 * @param count how often it went from one JVM to another
 * @param longestRun how many grants one JVM got in a row at most, while all others waited
 * @param longestGapNanos how long one JVM waited at most while others got the lock
 */
record Turns(long count, long longestRun, long longestGapNanos) {

	/**
	 * Merge what the JVMs say.
	 * @param grants when each JVM got the lock, in ascending order and by the one
	 * monotonic clock that all JVMs of a machine share
	 * @return the turns
	 */
	static Turns of(List<long[]> grants) {
		long[][] merged = IntStream.range(0, grants.size())
			.boxed()
			.flatMap((jvm) -> Arrays.stream(grants.get(jvm)).mapToObj((time) -> new long[] { time, jvm }))
			.sorted((left, right) -> Long.compare(left[0], right[0]))
			.toArray(long[][]::new);
		// Only from when all of them are there until the first has gone do all others
		// wait.
		long begin = grants.stream().filter(Turns::isUsed).mapToLong((times) -> times[0]).max().orElse(0);
		long end = grants.stream().filter(Turns::isUsed).mapToLong((times) -> times[times.length - 1]).min().orElse(0);
		long turns = 0;
		long run = 0;
		long most = 0;
		for (int i = 0; i < merged.length; i++) {
			boolean turn = i > 0 && merged[i][1] != merged[i - 1][1];
			turns += turn ? 1 : 0;
			boolean inside = merged[i][0] - begin >= 0 && merged[i][0] - end <= 0;
			run = inside ? (turn ? 1 : run + 1) : 0;
			most = Math.max(most, run);
		}
		return new Turns(turns, most, grants.stream().mapToLong(Turns::longestGap).max().orElse(0));
	}

	double longestGapMillis() {
		return this.longestGapNanos / 1e6;
	}

	private static boolean isUsed(long[] times) {
		return times.length > 0;
	}

	private static long longestGap(long[] times) {
		return IntStream.range(1, times.length).mapToLong((i) -> times[i] - times[i - 1]).max().orElse(0);
	}

}
