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

import io.github.zklock.benchmarks.report.Target;
import io.github.zklock.benchmarks.server.Backend;

/**
 * What this project wants to reach between JVMs.
 */
final class FleetTargets {

	// What the project promises: eight more holders of one JVM, for 50 ms, and then it is
	// the
	// turn of another.
	private static final int MOST_IN_A_ROW = 9;

	private static final int LONGEST_TURN_MILLIS = 50;

	static final List<Target> ALL = List.of(
			faster("4 x 8 threads: throughput, times Curator's mutex", Fleet.FOUR_BY_EIGHT, 7),
			Target.count("4 x 8 threads: requests per grant", ours(Fleet.FOUR_BY_EIGHT), FleetValues.REQUESTS, 1),
			Target.value("4 x 8 threads: least share of a JVM, %", ours(Fleet.FOUR_BY_EIGHT), FleetValues.LEAST_SHARE,
					15, false),
			Target.value("4 x 8 threads: most holders of one JVM in a row while the others wait",
					ours(Fleet.FOUR_BY_EIGHT), FleetValues.LONGEST_RUN, MOST_IN_A_ROW, true),
			Target.value("4 x 8 threads: longest remote wait in ms, 3 turns of the others", ours(Fleet.FOUR_BY_EIGHT),
					FleetValues.LONGEST_GAP, 3 * LONGEST_TURN_MILLIS, true),
			Target.value("1 thread beside 32: share of the single thread, %", ours(Fleet.ONE_BESIDE_MANY),
					FleetValues.LEAST_SHARE, 10, false),
			faster("95 % readers, 4 x 8 threads: throughput, times Curator's read-write lock", Fleet.READ_MOSTLY, 2),
			waiters("1,000 waiters of 10 JVMs: reads per hand-off between JVMs", "reads", 3),
			waiters("1,000 waiters of 10 JVMs: writes per hand-off between JVMs", "writes", 2),
			waiters("1,000 waiters of 10 JVMs: events per hand-off between JVMs", "events", 1),
			latency("hand-off between two JVMs: latency, times Curator's mutex", Backend.SYNC, 0.75),
			latency("hand-off between two JVMs, +1 ms: latency, times Curator's mutex", Backend.DISTANT, 0.55),
			latency("hand-off between two JVMs, follower: latency, times Curator's mutex", Backend.ENSEMBLE, 0.75),
			Target.count("hand-off between two JVMs: reads", ours(Fleet.HAND_OFF), "reads", 2),
			Target.count("hand-off between two JVMs: writes", ours(Fleet.HAND_OFF), "writes", 2),
			Target.count("hand-off between two JVMs: events", ours(Fleet.HAND_OFF), "events", 1),
			Target.atMost("cached lock that another JVM wants: its wait in round trips, +1 ms",
					Fleet.REVOKE.series(Backend.DISTANT, Peer.CACHED), Fleet.REVOKE.series(Backend.DISTANT, Peer.RAW),
					FleetValues.REMOTE_WAIT, 2));

	private FleetTargets() {
	}

	private static Target faster(String title, Fleet fleet, double bound) {
		return Target.atLeast(title, ours(fleet), fleet.series(Backend.SYNC, fleet.base()), fleet.value(), bound);
	}

	private static Target latency(String title, Backend backend, double bound) {
		return Target.atMost(title, Fleet.HAND_OFF.series(backend, Peer.ZK_LOCK),
				Fleet.HAND_OFF.series(backend, Fleet.HAND_OFF.base()), Fleet.HAND_OFF.value(), bound);
	}

	private static Target waiters(String title, String value, double bound) {
		return Target.count(title, ours(Fleet.THOUSAND_WAITERS), value + FleetValues.PER_TURN, bound);
	}

	private static String ours(Fleet fleet) {
		return fleet.series(Backend.SYNC, Peer.ZK_LOCK);
	}

}
