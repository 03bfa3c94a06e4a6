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
import java.util.List;

import io.github.zklock.benchmarks.server.ServerCounts;
import io.github.zklock.benchmarks.server.ServerCpu;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * What an operation costs the servers. They are named by the parameter {@code servers} of
 * the benchmark.
 *
 * @since 0.1.0
 */
public final class ServerProfiler implements InternalProfiler {

	/**
	 * The name of the time that the servers spend on a processor.
	 */
	public static final String CPU = "cpu.servers";

	private ServerCounts before;

	private long cpuBefore;

	@Override
	public void beforeIteration(BenchmarkParams benchmarkParams, IterationParams iterationParams) {
		this.before = ServerCounts.of(benchmarkParams.getParam("servers"));
		this.cpuBefore = cpu(benchmarkParams);
	}

	@Override
	public Collection<? extends Result<?>> afterIteration(BenchmarkParams benchmarkParams,
			IterationParams iterationParams, IterationResult result) {
		double cpu = cpu(benchmarkParams) - this.cpuBefore;
		ServerCounts counts = ServerCounts.of(benchmarkParams.getParam("servers")).since(this.before);
		double operations = Math.max(1, result.getMetadata().getAllOps());
		return List.of(result("reads", counts.reads() / operations), result("writes", counts.writes() / operations),
				result("events", counts.events() / operations), result("round trips", counts.roundTrips() / operations),
				new ScalarResult(CPU, cpu / operations, "ns/op", AggregationPolicy.AVG));
	}

	@Override
	public String getDescription() {
		return "Requests and watch events, counted by the servers, and their CPU time";
	}

	private static long cpu(BenchmarkParams benchmarkParams) {
		return new ServerCpu(benchmarkParams.getParam("servers")).nanos();
	}

	private static ScalarResult result(String name, double value) {
		return new ScalarResult(name, value, "1/op", AggregationPolicy.AVG);
	}

}
