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

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.github.zklock.benchmarks.report.Samples;
import io.github.zklock.benchmarks.server.Backend;

/**
 * What this project wants to reach, and where it stands.
 */
final class Targets {

	private static final List<Target> TARGETS = List.of(
			atMost("latency, free key", Scenario.UNCONTENDED, Backend.SYNC, Peer.MUTEX_FRESH, 0.85),
			atMost("latency, free key, +1 ms", Scenario.UNCONTENDED, Backend.DISTANT, Peer.MUTEX_FRESH, 0.70),
			atMost("latency, free key, ensemble", Scenario.UNCONTENDED, Backend.ENSEMBLE, Peer.MUTEX_FRESH, 0.85),
			atMost("latency, free key, against create + delete", Scenario.UNCONTENDED, Backend.SYNC, Peer.RAW, 1.15),
			atLeast("throughput, cold keys", Scenario.COLD_KEY, Backend.SYNC, Peer.MUTEX_FRESH, 2.4),
			count("reads, cold key", Scenario.COLD_KEY, "reads", 1),
			count("writes, cold key", Scenario.COLD_KEY, "writes", 3),
			atMost("latency, failed try", Scenario.FAILED_TRY, Backend.SYNC, Peer.MUTEX_FRESH, 0.2),
			count("writes, failed try", Scenario.FAILED_TRY, "writes", 0),
			atLeast("throughput, one key, 8 threads", Scenario.SAME_KEY_8, Backend.SYNC, Peer.MUTEX_FRESH, 100),
			atLeast("throughput, one key, 32 threads", Scenario.SAME_KEY_32, Backend.SYNC, Peer.MUTEX_FRESH, 100),
			atLeast("throughput, one key, 128 threads", Scenario.SAME_KEY_128, Backend.SYNC, Peer.MUTEX_FRESH, 100),
			atLeast("throughput, 95 % readers", Scenario.READ_MOSTLY, Backend.SYNC, Peer.READ_WRITE, 5),
			atLeast("throughput, 1,024 keys", Scenario.MANY_KEYS, Backend.SYNC, Peer.MUTEX_FRESH, 5),
			atLeast("throughput, 1,024 keys, against create + delete", Scenario.MANY_KEYS, Backend.SYNC, Peer.RAW, 1));

	private Targets() {
	}

	static List<List<String>> rows(Samples samples) {
		List<List<String>> rows = new ArrayList<>();
		for (Target target : TARGETS) {
			String ours = target.scenario().series(target.backend(), Peer.ZK_LOCK);
			boolean counted = target.base() == Peer.ZK_LOCK;
			if (samples.has(ours)) {
				double value = counted ? samples.of(ours, target.value()).median()
						: samples.ratio(ours, target.scenario().series(target.backend(), target.base()), target.value())
							.median();
				// Other requests of the session, like pings, are counted as well.
				boolean met = target.most() ? value <= target.bound() + (counted ? 0.05 : 0) : value >= target.bound();
				rows.add(List.of(target.title(), (target.most() ? "at most " : "at least ") + target.bound(),
						String.format(Locale.ROOT, "%.2f", value), met ? "yes" : "**no**"));
			}
		}
		return rows;
	}

	private static Target atMost(String title, Scenario scenario, Backend backend, Peer base, double bound) {
		return new Target(title, scenario, backend, base, scenario.value(), bound, true);
	}

	private static Target atLeast(String title, Scenario scenario, Backend backend, Peer base, double bound) {
		return new Target(title, scenario, backend, base, scenario.value(), bound, false);
	}

	private static Target count(String title, Scenario scenario, String value, double bound) {
		return new Target(title, scenario, Backend.SYNC, Peer.ZK_LOCK, value, bound, true);
	}

	/**
	 * One of them. The base is ourselves for a bound on a count.
	 */
	private record Target(String title, Scenario scenario, Backend backend, Peer base, String value, double bound,
			boolean most) {
	}

}
