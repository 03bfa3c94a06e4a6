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
import java.util.function.ToDoubleFunction;

import io.github.zklock.benchmarks.report.Samples;
import io.github.zklock.benchmarks.server.Backend;

/**
 * What this project wants to reach between JVMs, and where it stands.
 */
final class FleetTargets {

	private static final List<Target> TARGETS = List.of(faster("throughput, 4 x 8", Fleet.FOUR_BY_EIGHT, 7),
			new Target("requests per grant, 4 x 8", Fleet.FOUR_BY_EIGHT, Backend.SYNC, 1, true,
					(samples) -> ours(samples, Fleet.FOUR_BY_EIGHT, "reads")
							+ ours(samples, Fleet.FOUR_BY_EIGHT, "writes")),
			new Target("least share of a JVM in %, 4 x 8", Fleet.FOUR_BY_EIGHT, Backend.SYNC, 15, false,
					(samples) -> ours(samples, Fleet.FOUR_BY_EIGHT, "least share")),
			new Target("share of the single thread in %, 1 beside 32", Fleet.ONE_BESIDE_MANY, Backend.SYNC, 25, false,
					(samples) -> ours(samples, Fleet.ONE_BESIDE_MANY, "least share")),
			faster("throughput, 95 % readers, 4 x 8", Fleet.READ_MOSTLY, 2),
			count("reads per hand-off, 1,000 waiters", Fleet.THOUSAND_WAITERS, "reads", 2),
			count("writes per hand-off, 1,000 waiters", Fleet.THOUSAND_WAITERS, "writes", 2),
			count("events per hand-off, 1,000 waiters", Fleet.THOUSAND_WAITERS, "events", 1),
			latency("latency of a hand-off", Backend.SYNC, 0.75),
			latency("latency of a hand-off, +1 ms", Backend.DISTANT, 0.55),
			latency("latency of a hand-off, ensemble", Backend.ENSEMBLE, 0.75),
			count("reads per hand-off", Fleet.HAND_OFF, "reads", 2),
			count("writes per hand-off", Fleet.HAND_OFF, "writes", 2),
			count("events per hand-off", Fleet.HAND_OFF, "events", 1));

	private FleetTargets() {
	}

	static List<List<String>> rows(Samples samples) {
		List<List<String>> rows = new ArrayList<>();
		for (Target target : TARGETS) {
			if (samples.has(target.fleet().series(target.backend(), Peer.ZK_LOCK))) {
				double value = target.value().applyAsDouble(samples);
				// Other requests of the sessions, like pings, are counted as well.
				boolean met = target.most() ? value <= target.bound() + (target.counted() ? 0.05 : 0)
						: value >= target.bound();
				rows.add(List.of(target.title(), (target.most() ? "at most " : "at least ") + target.bound(),
						String.format(Locale.ROOT, "%.2f", value), met ? "yes" : "**no**"));
			}
		}
		return rows;
	}

	private static Target faster(String title, Fleet fleet, double bound) {
		return new Target(title, fleet, Backend.SYNC, bound, false,
				(samples) -> samples
					.ratio(fleet.series(Backend.SYNC, Peer.ZK_LOCK), fleet.series(Backend.SYNC, fleet.base()),
							"throughput")
					.median());
	}

	private static Target latency(String title, Backend backend, double bound) {
		return new Target(title, Fleet.HAND_OFF, backend, bound, true,
				(samples) -> samples
					.ratio(Fleet.HAND_OFF.series(backend, Peer.ZK_LOCK),
							Fleet.HAND_OFF.series(backend, Peer.MUTEX_FRESH), "hand-off")
					.median());
	}

	private static Target count(String title, Fleet fleet, String value, double bound) {
		return new Target(title, fleet, Backend.SYNC, bound, true, (samples) -> ours(samples, fleet, value));
	}

	private static double ours(Samples samples, Fleet fleet, String value) {
		return samples.of(fleet.series(Backend.SYNC, Peer.ZK_LOCK), value).median();
	}

	private record Target(String title, Fleet fleet, Backend backend, double bound, boolean most,
			ToDoubleFunction<Samples> value) {

		// Only bounds on counts are whole numbers that must not be exceeded.
		boolean counted() {
			return this.bound == Math.rint(this.bound);
		}

	}

}
