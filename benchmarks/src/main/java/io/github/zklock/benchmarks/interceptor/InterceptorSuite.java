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

package io.github.zklock.benchmarks.interceptor;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.zklock.benchmarks.Suite;
import io.github.zklock.benchmarks.SuiteOptions;
import io.github.zklock.benchmarks.jmh.JmhFork;
import io.github.zklock.benchmarks.jmh.ThreadCpuProfiler;
import io.github.zklock.benchmarks.report.Environment;
import io.github.zklock.benchmarks.report.Page;
import io.github.zklock.benchmarks.report.Samples;
import io.github.zklock.benchmarks.report.Spread;

import org.springframework.boot.SpringBootVersion;

/**
 * The cost of the annotation, with its limits.
 *
 * @since 0.1.0
 */
public final class InterceptorSuite implements Suite {

	private static final double MOST_NANOS = 5000;

	private static final double MOST_BYTES = 3 * 1024;

	private static final String TIME = "score";

	private static final String BYTES = "gc.alloc.rate.norm";

	private static final Map<String, String> CALLS = Map.of("direct", "template, request at hand", "directWithRequest",
			"template, request per call", "literal", "`\"order:42\"`", "variable", "`\"#id\"`", "template",
			"`\"order:#{#order.id}\"`");

	private static final List<String> METHODS = List.of("direct", "directWithRequest", "literal", "variable",
			"template");

	/**
	 * Create the suite.
	 */
	public InterceptorSuite() {
	}

	@Override
	public String name() {
		return "interceptor";
	}

	@Override
	public void run(SuiteOptions options) throws Exception {
		Environment environment = new Environment();
		Samples samples = new Samples();
		List<String> order = new ArrayList<>();
		for (String method : METHODS) {
			order.add(method + "/cglib");
			order.add(method + "/jdk");
		}
		for (int round = 0; round < options.rounds(); round++) {
			for (String series : order) {
				String[] parts = series.split("/");
				Map<String, Double> values = new JmhFork(InterceptorBenchmark.class, parts[0],
						Map.of("proxy", parts[1]))
					.run();
				samples.add(series, values);
				System.out.printf(Locale.ROOT, "round %d %-24s %6.0f ns %6.0f ns CPU %6.0f B%n", round + 1, series,
						values.get(TIME), values.get(ThreadCpuProfiler.NAME), values.get(BYTES));
			}
			Collections.reverse(order);
		}
		page(environment, samples, options).write(options.into().resolve("interceptor.md"));
	}

	private Page page(Environment environment, Samples samples, SuiteOptions options) {
		return new Page("What the annotation costs")
			.text("The page compares one call of a method with `@DistributedLock` with the same call of `LockTemplate`. "
					+ "The lock is free, in `InMemoryLockProvider`. So the difference is the annotation: Spring's proxy, "
					+ "the lookup of the declaration, and the key. Its limit is 5 microseconds and 3 KiB. "
					+ "A lock in ZooKeeper takes 850.")
			.text(verdict(samples))
			.section("Result")
			.text("These are medians of " + options.rounds()
					+ " rounds, each of which runs every line once in a JVM of its own. "
					+ "\"more\" is the median of the differences to the first line of the same proxy in the same round. CPU is "
					+ "the processor time of the calling thread. Other work on the machine lengthens it less than the time on "
					+ "the clock.")
			.table(List.of("call", "proxy", "ns", "more ns", "CPU ns", "more CPU ns", "bytes", "more bytes"), METHODS
				.stream()
				.flatMap((method) -> List.of("cglib", "jdk").stream().map((proxy) -> row(samples, method, proxy)))
				.toList())
			.section("Environment")
			.table(List.of("what", "value"),
					environment.rows("benchmarks/run interceptor --rounds=" + options.rounds()))
			.text("Spring Boot " + SpringBootVersion.getVersion()
					+ ". `InterceptorAllocationTests` holds the bytes in every build.");
	}

	private static List<String> row(Samples samples, String method, String proxy) {
		List<String> row = new ArrayList<>(List.of(CALLS.get(method), proxy));
		for (String value : List.of(TIME, ThreadCpuProfiler.NAME, BYTES)) {
			String series = method + "/" + proxy;
			row.add(number(samples.of(series, value).median()));
			row.add(method.equals("direct") ? ""
					: number(samples.difference(series, "direct/" + proxy, value).median()));
		}
		return row;
	}

	private static String verdict(Samples samples) {
		double nanos = greatest(samples, TIME);
		double cpu = greatest(samples, ThreadCpuProfiler.NAME);
		double bytes = greatest(samples, BYTES);
		return String.format(Locale.ROOT,
				"The most expensive of the declarations below costs %.0f ns of processor time and %.0f bytes more, "
						+ "and %.0f ns on the clock of a machine with other work. The limits are **%s**.",
				cpu, bytes, nanos, (cpu <= MOST_NANOS && bytes <= MOST_BYTES) ? "kept" : "NOT kept");
	}

	private static double greatest(Samples samples, String value) {
		return METHODS.stream()
			.filter((method) -> !method.startsWith("direct"))
			.flatMap((method) -> List.of("cglib", "jdk")
				.stream()
				.map((proxy) -> samples.difference(method + "/" + proxy, "direct/" + proxy, value)))
			.mapToDouble(Spread::median)
			.max()
			.orElseThrow();
	}

	private static String number(double value) {
		return String.format(Locale.ROOT, "%.0f", value);
	}

}
