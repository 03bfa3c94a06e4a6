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
import java.util.Map;

import io.github.zklock.benchmarks.jmh.JmhFork;
import io.github.zklock.benchmarks.jmh.ServerProfiler;
import io.github.zklock.benchmarks.server.Backend;

/**
 * One JVM that locks for some seconds.
 *
 * @param scenario what for
 * @param backend on which servers
 * @param peer with whose locks
 */
record LockRun(Scenario scenario, Backend backend, Peer peer) implements Run {

	static List<Run> plan(boolean all) {
		List<Run> runs = new ArrayList<>();
		for (Backend backend : Backend.values()) {
			for (Scenario scenario : Scenario.values()) {
				scenario.peers(backend, all).forEach((peer) -> runs.add(new LockRun(scenario, backend, peer)));
			}
		}
		return runs;
	}

	@Override
	public String series() {
		return this.scenario.series(this.backend, this.peer);
	}

	@Override
	public double seconds() {
		return this.scenario.times(this.peer).seconds();
	}

	@Override
	public Map<String, Double> run(Backend.Running running) throws Exception {
		return new JmhFork(LockBenchmark.class, this.scenario.method,
				Map.of("peer", this.peer.name(), "client", running.client(), "servers", running.servers()))
			.threads(this.scenario.threads)
			.times(this.scenario.times(this.peer))
			.profiler(ServerProfiler.class)
			.run();
	}

	@Override
	public String describe(Map<String, Double> values) {
		return String.format(Locale.ROOT, "%10.1f %s, %.2f reads, %.2f writes, %.2f events, %.2f round trips",
				values.get(this.scenario.value()), this.scenario.latency ? "us" : "/s", values.get("reads"),
				values.get("writes"), values.get("events"), values.get("round trips"));
	}

}
