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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.github.zklock.benchmarks.SuiteOptions;
import io.github.zklock.benchmarks.jmh.ServerProfiler;
import io.github.zklock.benchmarks.jmh.ThreadCpuProfiler;
import io.github.zklock.benchmarks.jmh.Times;
import io.github.zklock.benchmarks.report.BarChart;
import io.github.zklock.benchmarks.report.Environment;
import io.github.zklock.benchmarks.report.Page;
import io.github.zklock.benchmarks.report.Reasons;
import io.github.zklock.benchmarks.report.Samples;
import io.github.zklock.benchmarks.report.Spread;
import io.github.zklock.benchmarks.report.TargetTable;
import io.github.zklock.benchmarks.server.Backend;

/**
 * The page about locks in one JVM.
 */
final class LockPage {

	private final Samples samples;

	private final SuiteOptions options;

	private final Path file;

	private final TargetTable targets;

	LockPage(Samples samples, SuiteOptions options) throws IOException {
		this.samples = samples;
		this.options = options;
		this.file = options.into().resolve("locks.md");
		this.targets = new TargetTable(LockTargets.ALL, Reasons.of(this.file), options.only().isEmpty());
	}

	void write(Environment environment, int rounds) throws IOException {
		Page page = new Page("What a lock costs beside others")
			.text("The client is one JVM with one ZooKeeper session. Real server processes run on the same machine. Every line of "
					+ "a table is a JVM of its own in every round, in an order that is reversed from round to round. *Ratio* is "
					+ "the ratio to the line marked with 1 in the same round: the median over " + rounds
					+ " rounds, then the least and the greatest. Reads, writes and watch events are per lock and counted by "
					+ "the servers. *Trips* are blocking round trips: how often the client sent something only after an "
					+ "answer, counted on the way. CPU and bytes belong to the whole process of the client, *server CPU* to "
					+ "all servers. Counts and bytes do not depend on the machine, times do.")
			.text(environment.caution());
		this.targets.write(page, this.samples);
		for (Scenario scenario : Scenario.values()) {
			for (Backend backend : Backend.values()) {
				if (this.samples.has(scenario.series(backend, scenario.base()))) {
					result(page, scenario, backend);
				}
			}
		}
		page.section("Environment")
			.table(List.of("what", "value"), environment.rows(this.options.command("locks")))
			.text(LeftOut.of(LockRun.plan(true), LockRun.plan(this.options.all())))
			.write(this.file);
	}

	private void result(Page page, Scenario scenario, Backend backend) throws IOException {
		String picture = (scenario + "-" + backend).toLowerCase(Locale.ROOT) + ".svg";
		BarChart chart = new BarChart(scenario.latency ? "median, µs (less is better)" : "locks/s (more is better)");
		List<List<String>> rows = new ArrayList<>();
		for (Peer peer : scenario.peers(backend, this.options.all())) {
			String series = scenario.series(backend, peer);
			if (this.samples.has(series)) {
				rows.add(row(scenario, backend, peer));
				chart.bar(peer.label().replace("`", ""), this.samples.of(series, scenario.value()).median(),
						peer.isOurs());
			}
		}
		chart.write(this.options.into().resolve(picture));
		page.section(scenario.title + ": " + backend.description())
			.text(times(scenario, backend))
			.table(List.of("", scenario.latency ? "p50 µs" : "locks/s", "ratio", "reads", "writes", "events", "trips",
					"CPU µs", "server CPU µs", "bytes"), rows)
			.text("![" + scenario.title + "](" + picture + ")");
	}

	private String times(Scenario scenario, Backend backend) {
		Times times = scenario.times(scenario.base());
		String cooler = scenario.peers(backend, this.options.all())
			.stream()
			.filter((peer) -> !scenario.times(peer).equals(times))
			.collect(Collectors.groupingBy((peer) -> scenario.times(peer).warmUpSeconds(), TreeMap::new,
					Collectors.mapping(Peer::label, Collectors.joining(", "))))
			.entrySet()
			.stream()
			.map((each) -> each.getKey() + " s for " + each.getValue())
			.collect(Collectors.joining("; "));
		return times.description() + (cooler.isEmpty() ? ""
				: " Peers without a target have a shorter warm-up, so their times are somewhat too long. It takes "
						+ cooler + ".");
	}

	private List<String> row(Scenario scenario, Backend backend, Peer peer) {
		String series = scenario.series(backend, peer);
		Spread ratio = this.samples.ratio(series, scenario.series(backend, scenario.base()), scenario.value());
		boolean countsTrips = backend == Backend.DISTANT && scenario.threads == 1;
		return List.of(peer.label(), number((scenario.latency) ? "%.1f" : "%.0f", series, scenario.value()),
				(peer == scenario.base()) ? "1"
						: String.format(Locale.ROOT, "%.2f [%.2f..%.2f]", ratio.median(), ratio.min(), ratio.max()),
				number("%.2f", series, "reads"), number("%.2f", series, "writes"), number("%.2f", series, "events"),
				countsTrips ? number("%.2f", series, "round trips") : "", micros(series, ThreadCpuProfiler.PROCESS),
				micros(series, ServerProfiler.CPU), number("%.0f", series, "gc.alloc.rate.norm"));
	}

	private String micros(String series, String value) {
		double nanos = this.samples.of(series, value).median();
		return (nanos > 0) ? String.format(Locale.ROOT, "%.1f", nanos / 1000) : "";
	}

	private String number(String format, String series, String value) {
		return String.format(Locale.ROOT, format, this.samples.of(series, value).median());
	}

}
