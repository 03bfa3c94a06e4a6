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
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.zklock.benchmarks.Suite;
import io.github.zklock.benchmarks.SuiteOptions;
import io.github.zklock.benchmarks.report.BarChart;
import io.github.zklock.benchmarks.report.Environment;
import io.github.zklock.benchmarks.report.Page;
import io.github.zklock.benchmarks.report.Samples;
import io.github.zklock.benchmarks.report.Spread;
import io.github.zklock.benchmarks.server.Backend;

/**
 * Our locks and those of others, wanted by several JVMs at once.
 *
 * @since 0.1.0
 */
public final class FleetSuite implements Suite {

	/**
	 * Create the suite.
	 */
	public FleetSuite() {
	}

	@Override
	public String name() {
		return "fleet";
	}

	@Override
	public void run(SuiteOptions options) throws Exception {
		Environment environment = new Environment();
		Samples samples = new Samples();
		for (Backend backend : Backend.values()) {
			List<FleetRun> runs = new ArrayList<>();
			for (Fleet fleet : Fleet.values()) {
				if (fleet.backends.contains(backend) && (fleet + "/" + backend).contains(options.only())) {
					fleet.peers.forEach((peer) -> runs.add(new FleetRun(fleet, backend, peer)));
				}
			}
			if (!runs.isEmpty()) {
				try (Backend.Running running = backend.start()) {
					measure(runs, running, samples, options.rounds());
				}
				// After each, so that a run that is interrupted was not for nothing.
				page(environment, samples, options);
			}
		}
	}

	private static void measure(List<FleetRun> runs, Backend.Running running, Samples samples, int rounds)
			throws Exception {
		for (int round = 0; round < rounds; round++) {
			for (FleetRun run : runs) {
				Map<String, Double> values = run.run(running);
				samples.add(run.series(), values);
				System.out.printf(Locale.ROOT,
						"round %d %-45s %8.0f /s, least share %.1f %%, longest wait %.0f ms, %.2f "
								+ "reads, %.2f writes, %.2f events%n",
						round + 1, run.series(), values.get("throughput"), values.get("least share"),
						values.get("longest wait"), values.get("reads"), values.get("writes"), values.get("events"));
			}
			Collections.reverse(runs);
		}
	}

	private static void page(Environment environment, Samples samples, SuiteOptions options) throws IOException {
		Page page = new Page("What a lock costs when several JVMs want it")
			.text("Every JVM has one ZooKeeper session; its threads lock and unlock one key without a pause, and do nothing "
					+ "under the lock unless said. *ms per lock* is the time in which nobody held the lock, divided by the number of "
					+ "locks: what a hand-off takes. *Ratio* is the median over " + options.rounds()
					+ " rounds of the ratio of the throughputs within a round, least and greatest behind it. *Least share* is "
					+ "that of the JVM which got the fewest locks. Reads, writes and watch events are per lock, counted by the "
					+ "servers.")
			.text(environment.caution())
			.section("Targets")
			.text("Where this version stands. What is not met yet waits for one node per JVM and key, and for the hand-off "
					+ "without a second look.")
			.table(List.of("case", "must", "measured", "met"), FleetTargets.rows(samples));
		for (Fleet fleet : Fleet.values()) {
			for (Backend backend : Backend.values()) {
				if (samples.has(fleet.series(backend, fleet.base()))) {
					result(page, samples, options, fleet, backend);
				}
			}
		}
		page.section("Environment")
			.table(List.of("what", "value"), environment.rows("benchmarks/run fleet --rounds=" + options.rounds()))
			.write(options.into().resolve("fleet.md"));
	}

	private static void result(Page page, Samples samples, SuiteOptions options, Fleet fleet, Backend backend)
			throws IOException {
		String file = ("fleet_" + fleet + "-" + backend).toLowerCase(Locale.ROOT) + ".svg";
		BarChart chart = new BarChart("locks/s (more is better)");
		List<List<String>> rows = new ArrayList<>();
		for (Peer peer : fleet.peers) {
			String series = fleet.series(backend, peer);
			Spread ratio = samples.ratio(series, fleet.series(backend, fleet.base()), "throughput");
			List<String> row = new ArrayList<>(List
				.of(peer.label(), median(samples, series, "throughput", "%.0f"), (peer == fleet.base()) ? "1"
						: String.format(Locale.ROOT, "%.2f [%.2f..%.2f]", ratio.median(), ratio.min(), ratio.max())));
			row.add(median(samples, series, "hand-off", "%.2f"));
			for (String value : List.of("least share", "p99", "longest wait")) {
				row.add(median(samples, series, value, "%.1f"));
			}
			for (String value : List.of("reads", "writes", "events")) {
				row.add(median(samples, series, value, "%.2f"));
			}
			rows.add(row);
			chart.bar(peer.label().replace("`", ""), samples.of(series, "throughput").median(), peer == Peer.ZK_LOCK);
		}
		chart.write(options.into().resolve(file));
		page.section(fleet.title + ": " + backend.description())
			.table(List.of("", "locks/s", "ratio", "ms per lock", "least share %", "p99 ms", "longest wait ms", "reads",
					"writes", "events"), rows)
			.text("![" + fleet.title + "](" + file + ")");
	}

	private static String median(Samples samples, String series, String value, String format) {
		return String.format(Locale.ROOT, format, samples.of(series, value).median());
	}

}
