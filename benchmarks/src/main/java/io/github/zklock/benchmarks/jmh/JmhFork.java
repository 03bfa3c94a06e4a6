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

package io.github.zklock.benchmarks.jmh;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.profile.Profiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * One benchmark method in one JVM of its own. JMH itself would run all forks of a method
 * before it goes on to the next. Other load on the machine meanwhile would look like a
 * difference between the methods.
 *
 * @since 0.1.0
 */
public final class JmhFork {

	private final ChainedOptionsBuilder options;

	/**
	 * Choose what to run.
	 * @param benchmark the class
	 * @param method the method
	 * @param parameters the values of the parameters of the class
	 */
	public JmhFork(Class<?> benchmark, String method, Map<String, String> parameters) {
		this.options = new OptionsBuilder().include("^" + Pattern.quote(benchmark.getName() + "." + method) + "$")
			.forks(1)
			.shouldFailOnError(true)
			.verbosity(VerboseMode.SILENT)
			.jvmArgs("-Xms512m", "-Xmx512m", "-XX:+UseSerialGC");
		parameters.forEach(this.options::param);
	}

	/**
	 * Let several threads call the method.
	 * @param threads how many
	 * @return this fork
	 */
	public JmhFork threads(int threads) {
		this.options.threads(threads);
		return this;
	}

	/**
	 * Say how long it runs, unless as long as the class itself says.
	 * @param times how long
	 * @return this fork
	 */
	public JmhFork times(Times times) {
		this.options.warmupIterations(times.warmUpSeconds())
			.warmupTime(TimeValue.seconds(1))
			.measurementIterations(times.iterations())
			.measurementTime(TimeValue.milliseconds(times.millis()));
		return this;
	}

	/**
	 * Add a profiler.
	 * @param profiler the class
	 * @return this fork
	 */
	public JmhFork profiler(Class<? extends Profiler> profiler) {
		this.options.addProfiler(profiler);
		return this;
	}

	/**
	 * Run it.
	 * @return what was measured by its name: {@code score}, its percentiles {@code p50}
	 * and {@code p99}, and what the profilers say
	 * @throws RunnerException if it failed
	 */
	public Map<String, Double> run() throws RunnerException {
		// The last ones, and so the innermost: they must not see what others do.
		this.options.addProfiler(GCProfiler.class).addProfiler(ThreadCpuProfiler.class);
		Collection<RunResult> results = new Runner(this.options.build()).run();
		RunResult result = List.copyOf(results).get(0);
		Map<String, Double> values = new HashMap<>();
		values.put("score", result.getPrimaryResult().getScore());
		values.put("p50", result.getPrimaryResult().getStatistics().getPercentile(50));
		values.put("p99", result.getPrimaryResult().getStatistics().getPercentile(99));
		for (Map.Entry<String, ? extends Result> secondary : result.getSecondaryResults().entrySet()) {
			values.put(secondary.getKey(), secondary.getValue().getScore());
		}
		return values;
	}

}
