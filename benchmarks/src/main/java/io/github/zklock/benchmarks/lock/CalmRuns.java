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
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

import io.github.zklock.benchmarks.report.Environment;
import io.github.zklock.benchmarks.report.ProcessorTime;
import io.github.zklock.benchmarks.server.Backend;

/**
 * Measures again what the hypervisor disturbed, and takes the run that it disturbed
 * least. What was measured has no say in that.
 */
final class CalmRuns {

	/**
	 * How often something is measured at most.
	 */
	static final int TRIES = 3;

	/**
	 * What the hypervisor may take of a run, in percent of all processors.
	 */
	static final double MOST_STOLEN = 1.5;

	private final Environment environment;

	private final Supplier<ProcessorTime> processors;

	CalmRuns(Environment environment, Supplier<ProcessorTime> processors) {
		this.environment = environment;
		this.processors = processors;
	}

	Map<String, Double> measure(Run run, Backend.Running running) throws Exception {
		List<Attempt> attempts = new ArrayList<>();
		do {
			attempts.add(attempt(run, running));
		}
		while (attempts.size() < TRIES && attempts.get(attempts.size() - 1).stolen() > MOST_STOLEN);
		attempts.sort(Comparator.comparingDouble(Attempt::stolen));
		attempts.stream().skip(1).map(Attempt::spent).forEach(this.environment::disregard);
		return attempts.get(0).values();
	}

	private Attempt attempt(Run run, Backend.Running running) throws Exception {
		ProcessorTime before = this.processors.get();
		Map<String, Double> values = valuesOfTwo(run, running);
		Attempt attempt = new Attempt(values, this.processors.get().since(before));
		if (attempt.stolen() > MOST_STOLEN) {
			System.out.printf(Locale.ROOT, "the hypervisor took %.1f %% of %-36s %s%n", attempt.stolen(), run.series(),
					run.describe(values));
		}
		return attempt;
	}

	private Map<String, Double> valuesOfTwo(Run run, Backend.Running running) throws Exception {
		try {
			return run.run(running);
		}
		catch (Exception ex) {
			System.out.println(run.series() + " failed and is repeated once: " + ex);
			return run.run(running);
		}
	}

	/**
	 * What was measured once.
	 *
	 * @param values the values
	 * @param spent what the processors did meanwhile
	 */
	private record Attempt(Map<String, Double> values, ProcessorTime spent) {

		double stolen() {
			return this.spent.stolenPercent();
		}

	}

}
