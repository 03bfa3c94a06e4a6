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
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.zklock.benchmarks.Suite;
import io.github.zklock.benchmarks.SuiteOptions;
import io.github.zklock.benchmarks.jmh.JmhFork;
import io.github.zklock.benchmarks.jmh.ServerProfiler;
import io.github.zklock.benchmarks.report.Environment;
import io.github.zklock.benchmarks.report.Samples;
import io.github.zklock.benchmarks.server.Backend;

/**
 * Our locks and those of others, on real servers.
 *
 * @since 0.1.0
 */
public final class LockSuite implements Suite {

	/**
	 * Create the suite.
	 */
	public LockSuite() {
	}

	@Override
	public String name() {
		return "locks";
	}

	@Override
	public void run(SuiteOptions options) throws Exception {
		Environment environment = new Environment();
		Samples samples = new Samples();
		for (Backend backend : Backend.values()) {
			List<Fork> forks = forks(backend, options.only());
			if (!forks.isEmpty()) {
				try (Backend.Running running = backend.start()) {
					measure(forks, running, samples, options.rounds());
				}
				// After each, so that a run that is interrupted was not for nothing.
				new LockPage(samples, options).write(environment);
			}
		}
	}

	private static List<Fork> forks(Backend backend, String only) {
		List<Fork> forks = new ArrayList<>();
		for (Scenario scenario : Scenario.values()) {
			if (scenario.backends.contains(backend) && (scenario + "/" + backend).contains(only)) {
				scenario.peers.forEach((peer) -> forks.add(new Fork(scenario, backend, peer)));
			}
		}
		return forks;
	}

	private static void measure(List<Fork> forks, Backend.Running running, Samples samples, int rounds)
			throws Exception {
		for (int round = 0; round < rounds; round++) {
			for (Fork fork : forks) {
				Map<String, Double> values = fork.run(running);
				samples.add(fork.series(), values);
				System.out.printf(Locale.ROOT, "round %d %-45s %10.1f %s, %.2f reads, %.2f writes, %.2f events%n",
						round + 1, fork.series(), values.get(fork.scenario().value()),
						fork.scenario().latency ? "us" : "/s", values.get("reads"), values.get("writes"),
						values.get("events"));
			}
			Collections.reverse(forks);
		}
	}

	private record Fork(Scenario scenario, Backend backend, Peer peer) {

		Map<String, Double> run(Backend.Running running) throws Exception {
			return new JmhFork(LockBenchmark.class, this.scenario.method,
					Map.of("peer", this.peer.name(), "client", running.client(), "servers", running.servers()))
				.threads(this.scenario.threads)
				.profiler(ServerProfiler.class)
				.run();
		}

		String series() {
			return this.scenario.series(this.backend, this.peer);
		}

	}

}
