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

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.zklock.benchmarks.SuiteOptions;
import io.github.zklock.benchmarks.report.Environment;
import io.github.zklock.benchmarks.report.ProcessorTime;
import io.github.zklock.benchmarks.report.Samples;
import io.github.zklock.benchmarks.server.Backend;

/**
 * Everything that is compared, once in every round and in an order that is reversed from
 * round to round. The servers run all the time and work before the first round, so that
 * each round finds them warm.
 */
final class Rounds {

	// Until servers have started, and a client has connected.
	private static final double START_SECONDS = 5;

	private final List<Run> runs;

	private final int rounds;

	private final Environment environment;

	private final CalmRuns calm;

	private final Map<Backend, Backend.Running> backends = new EnumMap<>(Backend.class);

	Rounds(List<Run> plan, SuiteOptions options, Environment environment) {
		this.runs = new ArrayList<>(plan.stream().filter((run) -> run.series().contains(options.only())).toList());
		this.rounds = options.rounds();
		this.environment = environment;
		this.calm = new CalmRuns(environment, ProcessorTime::now);
	}

	/**
	 * Measure.
	 * @param samples where to remember it
	 * @param page writes the page after each round, so that a run that is interrupted was
	 * not for nothing
	 * @throws Exception if a run fails twice
	 */
	void measure(Samples samples, AfterRound page) throws Exception {
		System.out.printf(Locale.ROOT, "%d runs in each of %d rounds, about %.0f minutes in all%n", this.runs.size(),
				this.rounds, Math.ceil(seconds() / 60));
		try {
			start();
			long start = System.nanoTime();
			for (int round = 1; round <= this.rounds; round++) {
				ProcessorTime before = ProcessorTime.now();
				round(round, samples);
				double stolen = ProcessorTime.now().since(before).stolenPercent();
				this.environment.look();
				page.write(round);
				double minutes = (System.nanoTime() - start) / 6e10;
				System.out.printf(Locale.ROOT,
						"round %d of %d done after %.1f minutes, about %.1f to go; the hypervisor took %.1f %%%n",
						round, this.rounds, minutes, minutes / round * (this.rounds - round), stolen);
			}
		}
		finally {
			for (Backend.Running running : this.backends.values()) {
				running.close();
			}
		}
	}

	/**
	 * Return about how long all of it takes.
	 * @return seconds
	 */
	double seconds() {
		double warmUp = START_SECONDS + ServerWarmUp.PEERS.size() * ServerWarmUp.MILLIS / 1e3;
		return this.runs.stream().map(Run::backend).distinct().count() * warmUp
				+ this.runs.stream().mapToDouble(Run::seconds).sum() * this.rounds;
	}

	private void start() throws Exception {
		for (Run run : this.runs) {
			if (!this.backends.containsKey(run.backend())) {
				this.backends.put(run.backend(), run.backend().start());
			}
		}
		for (Backend.Running running : this.backends.values()) {
			ServerWarmUp.of(running, ServerWarmUp.MILLIS);
		}
	}

	private void round(int round, Samples samples) throws Exception {
		for (Run run : this.runs) {
			Map<String, Double> values = this.calm.measure(run, this.backends.get(run.backend()));
			samples.add(run.series(), values);
			System.out.printf(Locale.ROOT, "round %d %-45s %s%n", round, run.series(), run.describe(values));
		}
		Collections.reverse(this.runs);
	}

	/**
	 * Writes the page.
	 */
	interface AfterRound {

		void write(int rounds) throws IOException;

	}

}
