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
import java.util.List;
import java.util.Locale;

import io.github.zklock.benchmarks.SuiteOptions;
import io.github.zklock.benchmarks.jmh.ThreadCpuProfiler;
import io.github.zklock.benchmarks.report.BarChart;
import io.github.zklock.benchmarks.report.Environment;
import io.github.zklock.benchmarks.report.Page;
import io.github.zklock.benchmarks.report.Samples;
import io.github.zklock.benchmarks.report.Spread;
import io.github.zklock.benchmarks.server.Backend;

/**
 * The page about locks in one JVM.
 */
final class LockPage {

	private static final String COMMAND = "benchmarks/run locks --rounds=";

	private final Samples samples;

	private final SuiteOptions options;

	private final Page page = new Page("What a lock costs beside others");

	LockPage(Samples samples, SuiteOptions options) {
		this.samples = samples;
		this.options = options;
	}

	void write(Environment environment) throws IOException {
		this.page
			.text("One JVM, one ZooKeeper session, real server processes on the same machine. Every line of a table is a JVM "
					+ "of its own in every round, in an order that is reversed from round to round. *Ratio* is the median over "
					+ this.options.rounds()
					+ " rounds of the ratio within a round to the line marked with 1, least and greatest behind it. Reads, "
					+ "writes and watch events are per lock and counted by the servers; CPU and bytes are those of the client's "
					+ "whole process. Counts and bytes do not depend on the machine, times do.")
			.text(environment.caution())
			.section("Targets")
			.text("Where this version stands. What is not met yet waits for its feature: pipelining and combining of "
					+ "requests, one node per JVM and key, the cheap refusal, the release that does not wait.")
			.table(List.of("case", "must", "measured", "met"), Targets.rows(this.samples));
		for (Scenario scenario : Scenario.values()) {
			for (Backend backend : Backend.values()) {
				if (this.samples.has(scenario.series(backend, scenario.base()))) {
					result(scenario, backend);
				}
			}
		}
		this.page.section("Environment")
			.table(List.of("what", "value"), environment.rows(COMMAND + this.options.rounds()))
			.write(this.options.into().resolve("locks.md"));
	}

	private void result(Scenario scenario, Backend backend) throws IOException {
		String file = (scenario + "-" + backend).toLowerCase(Locale.ROOT) + ".svg";
		BarChart chart = new BarChart(scenario.latency ? "median, µs (less is better)" : "locks/s (more is better)");
		List<List<String>> rows = new ArrayList<>();
		for (Peer peer : scenario.peers) {
			String series = scenario.series(backend, peer);
			rows.add(row(scenario, series, peer, scenario.series(backend, scenario.base())));
			chart.bar(peer.label().replace("`", ""), this.samples.of(series, scenario.value()).median(),
					peer == Peer.ZK_LOCK);
		}
		chart.write(this.options.into().resolve(file));
		this.page.section(scenario.title + ": " + backend.description())
			.table(List.of("", scenario.latency ? "p50 µs" : "locks/s", "ratio", "reads", "writes", "events", "CPU µs",
					"bytes"), rows)
			.text("![" + scenario.title + "](" + file + ")");
	}

	private List<String> row(Scenario scenario, String series, Peer peer, String base) {
		Spread ratio = this.samples.ratio(series, base, scenario.value());
		return List.of(peer.label(), number("%.0f", this.samples.of(series, scenario.value()).median()),
				(peer == scenario.base()) ? "1"
						: String.format(Locale.ROOT, "%.2f [%.2f..%.2f]", ratio.median(), ratio.min(), ratio.max()),
				number("%.2f", this.samples.of(series, "reads").median()),
				number("%.2f", this.samples.of(series, "writes").median()),
				number("%.2f", this.samples.of(series, "events").median()),
				number("%.0f", this.samples.of(series, ThreadCpuProfiler.PROCESS).median() / 1000),
				number("%.0f", this.samples.of(series, "gc.alloc.rate.norm").median()));
	}

	private static String number(String format, double value) {
		return String.format(Locale.ROOT, format, value);
	}

}
