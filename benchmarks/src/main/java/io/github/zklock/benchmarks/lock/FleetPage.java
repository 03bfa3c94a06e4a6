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
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.zklock.benchmarks.SuiteOptions;
import io.github.zklock.benchmarks.report.BarChart;
import io.github.zklock.benchmarks.report.Environment;
import io.github.zklock.benchmarks.report.Page;
import io.github.zklock.benchmarks.report.Reasons;
import io.github.zklock.benchmarks.report.Samples;
import io.github.zklock.benchmarks.report.Spread;
import io.github.zklock.benchmarks.report.TargetTable;
import io.github.zklock.benchmarks.server.Backend;

/**
 * The page about a lock that several JVMs want.
 */
final class FleetPage {

	private final Samples samples;

	private final SuiteOptions options;

	private final Path file;

	private final TargetTable targets;

	FleetPage(Samples samples, SuiteOptions options) throws IOException {
		this.samples = samples;
		this.options = options;
		this.file = options.into().resolve("fleet.md");
		this.targets = new TargetTable(FleetTargets.ALL, Reasons.of(this.file), options.only().isEmpty());
	}

	void write(Environment environment, int rounds) throws IOException {
		Page page = new Page("What a lock costs when several JVMs want it")
			.text("Every JVM has one ZooKeeper session. Its threads lock and unlock one key without a pause. Unless the title "
					+ "names a time, they do nothing under the lock. *Free ms* is the time in which no client held the lock, divided "
					+ "by the number of hand-overs. *Hand-off ms* is the median of a single one, since one stall of the disk "
					+ "distorts the mean. *Ratio* is the ratio to the line marked with 1 in the same round: the median over "
					+ rounds
					+ " rounds, then the least and the greatest. *Least share* is the share of the JVM with the fewest "
					+ "locks. *Remote wait* is the median of the waits in the last JVM, *longest wait* the longest wait of a thread. "
					+ "*Longest gap* is the longest time in which one JVM got no lock. *In a row* is how many locks one JVM got in "
					+ "a row while all others waited.")
			.text("The servers count reads, writes and watch events. They are given *per lock* and *per turn*. A turn begins "
					+ "when the lock goes from one JVM to another. The counts do not depend on the machine, times do.")
			.text(environment.caution());
		this.targets.write(page, this.samples);
		for (Fleet fleet : Fleet.values()) {
			for (Backend backend : Backend.values()) {
				if (this.samples.has(fleet.series(backend, fleet.base()))) {
					result(page, fleet, backend);
				}
			}
		}
		page.section("Environment")
			.table(List.of("what", "value"), environment.rows(this.options.command("fleet")))
			.text(LeftOut.of(FleetRun.plan(true), FleetRun.plan(this.options.all())))
			.write(this.file);
	}

	private void result(Page page, Fleet fleet, Backend backend) throws IOException {
		String picture = ("fleet_" + fleet + "-" + backend).toLowerCase(Locale.ROOT) + ".svg";
		boolean throughput = fleet.value().equals(FleetValues.THROUGHPUT);
		BarChart chart = new BarChart(throughput ? "locks/s (more is better)" : "µs (less is better)");
		List<List<String>> rows = new ArrayList<>();
		for (Peer peer : fleet.peers(backend, this.options.all())) {
			String series = fleet.series(backend, peer);
			if (this.samples.has(series)) {
				rows.add(row(fleet, backend, peer));
				chart.bar(peer.label().replace("`", ""),
						this.samples.of(series, fleet.value()).median() * (throughput ? 1 : 1000), peer.isOurs());
			}
		}
		chart.write(this.options.into().resolve(picture));
		page.section(fleet.title + ": " + backend.description())
			.text(fleet.times().description() + " The ratio compares *" + fleet.value() + "*.")
			.table(List.of("", "locks/s", "ratio", "free ms", "hand-off ms", "remote wait ms", "p99 ms",
					"longest wait ms", "longest gap ms", "in a row", "least share %",
					"per lock: reads / writes / events", "per turn"), rows)
			.text("![" + fleet.title + "](" + picture + ")");
	}

	private List<String> row(Fleet fleet, Backend backend, Peer peer) {
		String series = fleet.series(backend, peer);
		Spread ratio = this.samples.ratio(series, fleet.series(backend, fleet.base()), fleet.value());
		boolean turns = fleet.hasTurns();
		return List.of(peer.label(), number("%.0f", series, FleetValues.THROUGHPUT),
				(peer == fleet.base()) ? "1"
						: String.format(Locale.ROOT, "%.2f [%.2f..%.2f]", ratio.median(), ratio.min(), ratio.max()),
				fleet.isExclusive(peer) ? number("%.2f", series, FleetValues.FREE) : "",
				(turns && fleet.isExclusive(peer)) ? number("%.2f", series, FleetValues.HAND_OFF) : "",
				number("%.2f", series, FleetValues.REMOTE_WAIT), number("%.1f", series, FleetValues.P99),
				number("%.1f", series, FleetValues.LONGEST_WAIT),
				turns ? number("%.1f", series, FleetValues.LONGEST_GAP) : "",
				turns ? number("%.0f", series, FleetValues.LONGEST_RUN) : "",
				number("%.1f", series, FleetValues.LEAST_SHARE), counts(series, ""),
				turns ? counts(series, FleetValues.PER_TURN) : "");
	}

	private String counts(String series, String suffix) {
		return Stream.of("reads", "writes", "events")
			.map((value) -> number("%.2f", series, value + suffix))
			.collect(Collectors.joining(" / "));
	}

	private String number(String format, String series, String value) {
		return String.format(Locale.ROOT, format, this.samples.of(series, value).median());
	}

}
