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

package io.github.zklock.benchmarks.job;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.benchmarks.Suite;
import io.github.zklock.benchmarks.SuiteOptions;
import io.github.zklock.benchmarks.report.Environment;
import io.github.zklock.benchmarks.report.Page;
import io.github.zklock.benchmarks.report.Spread;

/**
 * The same job with three items, run by ElasticJob and by zk-lock, with real processes
 * and a real server for each repetition.
 *
 * @since 0.1.0
 */
public final class JobSuite implements Suite {

	// Each waits most of the time.
	private static final int AT_ONCE = 4;

	private static final int ATTEMPTS = 3;

	private final Map<JobFault, Map<JobPeer, List<JobOutcome>>> outcomes = new EnumMap<>(JobFault.class);

	private final AtomicInteger failed = new AtomicInteger();

	/**
	 * Create the suite.
	 */
	public JobSuite() {
	}

	@Override
	public String name() {
		return "jobs";
	}

	@Override
	public void run(SuiteOptions options) throws Exception {
		Environment environment = new Environment();
		ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
		try {
			for (int round = 0; round < options.rounds(); round++) {
				round(options, round, threads);
				write(options, environment);
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	private void round(SuiteOptions options, int round, ExecutorService threads) throws Exception {
		List<Future<?>> all = new ArrayList<>();
		for (JobFault fault : JobFault.values()) {
			for (JobPeer peer : JobPeer.values()) {
				if ((fault.name() + "/" + peer).contains(options.only()) && peer.takesPartIn(fault)) {
					all.add(threads.submit(() -> tryOnce(fault, peer, round)));
				}
			}
		}
		for (Future<?> each : all) {
			each.get();
		}
	}

	// What does not test what it should is tried again.
	private void tryOnce(JobFault fault, JobPeer peer, int round) {
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			try {
				add(fault, peer, fault.tryOnce(peer, round % JobPlan.ITEMS));
				return;
			}
			catch (Exception | AssertionError ex) {
				System.out.println(fault + " " + peer + " failed: " + ex);
				this.failed.incrementAndGet();
			}
		}
	}

	private synchronized void add(JobFault fault, JobPeer peer, JobOutcome outcome) {
		System.out.println(fault + " " + peer + " " + outcome);
		this.outcomes.computeIfAbsent(fault, (key) -> new EnumMap<>(JobPeer.class))
			.computeIfAbsent(peer, (key) -> new ArrayList<>())
			.add(outcome);
	}

	private synchronized void write(SuiteOptions options, Environment environment) throws IOException {
		List<List<String>> rows = new ArrayList<>();
		this.outcomes.forEach((fault, peers) -> peers.forEach((peer, each) -> rows.add(row(fault, peer, each))));
		new Page("A job with three items beside ElasticJob")
			.text("""
					Three processes, one ZooKeeper, a job with three items. A repetition starts all of them anew. The records of
					all runs in one file are the judge. An overlap is two runs of one item that work at once. An item is missed if
					no run of it begins before the next planned time, and ends. An earlier run that is in the way gives it a period more.
					Repeated are runs that end where another run of the item has ended for the same planned time.""")
			.table(List.of("what happens", "library", "repetitions", "with an overlap", "longest overlap",
					"missed items", "repeated", "median time until the item runs again", "begun in the pause"), rows)
			.text((this.failed.get() > 0) ? this.failed + " repetitions failed, were not counted, and done again." : "")
			.section("Settings")
			.table(List.of("what", "value"), List.of(List.of("ElasticJob 3.0.4",
					"`failover(true)`, `misfire(true)`, `monitorExecution(true)`, `reconcileIntervalMinutes(10)`"),
					List.of("zk-lock",
							"`@OncePerTick(shards = \"3\", recoverWithin = \"10m\")`, `zk-lock.try-timeout=5s`"),
					List.of("both",
							"session timeout " + JobPeer.SESSION_MILLIS / 1000
									+ " s, tick of the server 500 ms, Curator 5.9.0, `-Xmx96m -XX:+UseSerialGC`")))
			.section("Where and when")
			.table(List.of("what", "value"), environment.rows(options.command(name())))
			.text(environment.caution())
			.write(options.into().resolve("jobs.md"));
	}

	private static List<String> row(JobFault fault, JobPeer peer, List<JobOutcome> outcomes) {
		double longest = outcomes.stream()
			.flatMap((outcome) -> outcome.overlaps().stream())
			.mapToDouble(Long::doubleValue)
			.max()
			.orElse(0);
		double[] again = outcomes.stream()
			.flatMapToLong((outcome) -> outcome.again().stream())
			.asDoubleStream()
			.toArray();
		return List.of(fault.description(), peer.label(), "" + outcomes.size(),
				"" + outcomes.stream().filter((outcome) -> !outcome.overlaps().isEmpty()).count(), seconds(longest),
				outcomes.stream().mapToInt(JobOutcome::missed).sum() + " of "
						+ outcomes.stream().mapToInt(JobOutcome::planned).sum(),
				"" + outcomes.stream().mapToInt(JobOutcome::repeated).sum(),
				(again.length > 0) ? seconds(Spread.of(again).median()) : "-",
				(fault == JobFault.PAUSE) ? "" + outcomes.stream().mapToInt(JobOutcome::paused).sum() : "-");
	}

	private static String seconds(double nanos) {
		return (nanos > 0) ? String.format(Locale.ROOT, "%.1f s", nanos / 1e9) : "-";
	}

}
