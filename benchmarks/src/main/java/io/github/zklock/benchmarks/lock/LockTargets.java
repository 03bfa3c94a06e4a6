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
 * What this project wants to reach in one JVM.
 */
final class LockTargets {

	static final List<Target> ALL = List.of(
			latency("free key, sync release: latency, times Curator's mutex", Backend.SYNC, Peer.ZK_LOCK, 0.85),
			latency("free key, sync release, +1 ms: latency, times Curator's mutex", Backend.DISTANT, Peer.ZK_LOCK,
					0.70),
			latency("free key, sync release, follower: latency, times Curator's mutex", Backend.ENSEMBLE, Peer.ZK_LOCK,
					0.85),
			limit("free key, sync release: latency, times create + delete", Backend.SYNC),
			limit("free key, sync release, +1 ms: latency, times create + delete", Backend.DISTANT),
			limit("free key, sync release, follower: latency, times create + delete", Backend.ENSEMBLE),
			trips("free key: blocking round trips to lock and unlock, of which the release is 1", Scenario.UNCONTENDED,
					Peer.ZK_LOCK, 2),
			latency("free key, async release: latency, times Curator's mutex", Backend.SYNC, Peer.ASYNC_RELEASE, 0.60),
			latency("free key, async release, +1 ms: latency, times Curator's mutex", Backend.DISTANT,
					Peer.ASYNC_RELEASE, 0.36),
			latency("free key, async release, follower: latency, times Curator's mutex", Backend.ENSEMBLE,
					Peer.ASYNC_RELEASE, 0.60),
			trips("free key, async release: blocking round trips to lock and unlock", Scenario.UNCONTENDED,
					Peer.ASYNC_RELEASE, 1),
			faster("cold key: throughput, times Curator's mutex", Scenario.COLD_KEY, Peer.ZK_LOCK, Peer.MUTEX_FRESH,
					2.4),
			faster("10,000 keys used again, 8 threads: throughput, times Curator's mutex", Scenario.USED_KEYS,
					Peer.ZK_LOCK, Peer.MUTEX_FRESH, 1.3),
			count("10,000 keys used again, 8 threads: writes", Scenario.USED_KEYS, "writes", 2),
			count("cold key: reads", Scenario.COLD_KEY, "reads", 1),
			count("cold key: writes", Scenario.COLD_KEY, "writes", 3),
			trips("cold key: blocking round trips to lock and unlock, of which the release is 1", Scenario.COLD_LATENCY,
					Peer.ZK_LOCK, 2),
			sameKey("one key, 8 threads: throughput, times Curator's mutex", Scenario.SAME_KEY_8),
			sameKey("one key, 32 threads: throughput, times Curator's mutex", Scenario.SAME_KEY_32),
			sameKey("one key, 128 threads: throughput, times Curator's mutex", Scenario.SAME_KEY_128),
			noCollapse("one key, 32 threads: throughput, as a multiple of 8 threads (no collapse)",
					Scenario.SAME_KEY_32, Scenario.SAME_KEY_8),
			noCollapse("one key, 128 threads: throughput, as a multiple of 32 threads (no collapse)",
					Scenario.SAME_KEY_128, Scenario.SAME_KEY_32),
			faster("95 % readers, 32 threads: throughput, times Curator's read-write lock", Scenario.READ_MOSTLY,
					Peer.ZK_LOCK, Peer.READ_WRITE, 5),
			count("failed try: writes", Scenario.FAILED_TRY, "writes", 0),
			failedTry("failed try: tries per second, times Curator's mutex", Backend.SYNC),
			failedTry("failed try, follower: tries per second, times Curator's mutex", Backend.ENSEMBLE),
			faster("cached lock: throughput, times Curator's mutex", Scenario.REPEATED, Peer.CACHED, Peer.MUTEX_FRESH,
					1000),
			faster("1,024 keys, 64 threads: throughput, times Curator's mutex", Scenario.MANY_KEYS, Peer.ZK_LOCK,
					Peer.MUTEX_FRESH, 5),
			faster("1,024 keys, 64 threads: throughput, times create + delete", Scenario.MANY_KEYS, Peer.ZK_LOCK,
					Peer.RAW, 1));

	// What a hundred threads may cost beside few before it counts as a collapse.
	private static final double NO_COLLAPSE = 0.5;

	private LockTargets() {
	}

	private static Target latency(String title, Backend backend, Peer peer, double bound) {
		return Target.atMost(title, Scenario.UNCONTENDED.series(backend, peer),
				Scenario.UNCONTENDED.series(backend, Peer.MUTEX_FRESH), Scenario.UNCONTENDED.value(), bound);
	}

	private static Target limit(String title, Backend backend) {
		return Target.atMost(title, Scenario.UNCONTENDED.series(backend, Peer.ZK_LOCK),
				Scenario.UNCONTENDED.series(backend, Peer.RAW), Scenario.UNCONTENDED.value(), 1.15);
	}

	private static Target trips(String title, Scenario scenario, Peer peer, double bound) {
		return Target.count(title, scenario.series(Backend.DISTANT, peer), "round trips", bound);
	}

	private static Target faster(String title, Scenario scenario, Peer peer, Peer base, double bound) {
		return Target.atLeast(title, scenario.series(Backend.SYNC, peer), scenario.series(Backend.SYNC, base),
				scenario.value(), bound);
	}

	private static Target sameKey(String title, Scenario scenario) {
		return faster(title, scenario, Peer.ZK_LOCK, Peer.MUTEX_FRESH, 60);
	}

	private static Target noCollapse(String title, Scenario many, Scenario few) {
		return Target.atLeast(title, many.series(Backend.SYNC, Peer.ZK_LOCK), few.series(Backend.SYNC, Peer.ZK_LOCK),
				many.value(), NO_COLLAPSE);
	}

	// One thread's tries per second are one by its latency; the median leaves out the
	// stalls of the machine.
	private static Target failedTry(String title, Backend backend) {
		return Target.atLeast(title, Scenario.FAILED_TRY.series(backend, Peer.MUTEX_FRESH),
				Scenario.FAILED_TRY.series(backend, Peer.ZK_LOCK), Scenario.FAILED_TRY.value(), 5);
	}

	private static Target count(String title, Scenario scenario, String value, double bound) {
		return Target.count(title, scenario.series(Backend.SYNC, Peer.ZK_LOCK), value, bound);
	}

}
