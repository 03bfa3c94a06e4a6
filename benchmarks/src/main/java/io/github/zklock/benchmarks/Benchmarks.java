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

package io.github.zklock.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import io.github.zklock.benchmarks.fence.FenceSuite;
import io.github.zklock.benchmarks.interceptor.InterceptorSuite;
import io.github.zklock.benchmarks.job.JobSuite;
import io.github.zklock.benchmarks.lock.FleetSuite;
import io.github.zklock.benchmarks.lock.LockSuite;
import io.github.zklock.benchmarks.service.ServiceSuite;
import org.openjdk.jmh.Main;

/**
 * The one entry to all benchmarks.
 *
 * @since 0.1.0
 */
public final class Benchmarks {

	private static final List<Suite> SUITES = List.of(new InterceptorSuite(), new LockSuite(), new FleetSuite(),
			new FenceSuite(), new ServiceSuite(), new JobSuite());

	private Benchmarks() {
	}

	/**
	 * Run suites.
	 * @param args the names of suites, separated by commas, and their options, or
	 * {@code jmh} and the options of JMH
	 * @throws Exception if it fails
	 */
	public static void main(String[] args) throws Exception {
		String name = (args.length > 0) ? args[0] : "";
		String[] rest = Arrays.copyOfRange(args, Math.min(1, args.length), args.length);
		if (name.equals("jmh")) {
			Main.main(rest);
			return;
		}
		List<String> names = List.of(name.split(","));
		List<Suite> suites = SUITES.stream().filter((suite) -> names.contains(suite.name())).toList();
		if (suites.size() != names.size()) {
			System.err.println("Usage: benchmarks/run "
					+ SUITES.stream().map(Suite::name).collect(Collectors.joining(","))
					+ " (one or several) [--rounds=5] [--into=benchmarks/target/pages] [--only=text] [--all], or benchmarks/run"
					+ " jmh <arguments of JMH>");
			System.exit(2);
			return;
		}
		SuiteOptions options = SuiteOptions.parse(rest);
		for (Suite suite : suites) {
			suite.run(options);
		}
	}

}
