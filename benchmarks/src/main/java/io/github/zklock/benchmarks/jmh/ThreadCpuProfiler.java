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

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Collection;
import java.util.List;

import com.sun.management.OperatingSystemMXBean;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * The time that the calling threads spent on a processor: what an operation costs even
 * when other work keeps the machine busy.
 *
 * @since 0.1.0
 */
public final class ThreadCpuProfiler implements InternalProfiler {

	/**
	 * The name of the time of the calling threads.
	 */
	public static final String NAME = "cpu.norm";

	/**
	 * The name of the time of the whole process, with the threads of the client.
	 */
	public static final String PROCESS = "cpu.process";

	private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

	private final OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

	private long before;

	private long processBefore;

	@Override
	public void beforeIteration(BenchmarkParams benchmarkParams, IterationParams iterationParams) {
		this.before = cpuTime();
		this.processBefore = this.process.getProcessCpuTime();
	}

	@Override
	public Collection<? extends Result<?>> afterIteration(BenchmarkParams benchmarkParams,
			IterationParams iterationParams, IterationResult result) {
		long operations = Math.max(1, result.getMetadata().getAllOps());
		double each = (double) (cpuTime() - this.before) / operations;
		double all = (double) (this.process.getProcessCpuTime() - this.processBefore) / operations;
		return List.of(new ScalarResult(NAME, each, "ns/op", AggregationPolicy.AVG),
				new ScalarResult(PROCESS, all, "ns/op", AggregationPolicy.AVG));
	}

	@Override
	public String getDescription() {
		return "CPU time of the benchmark's threads and of its process";
	}

	private long cpuTime() {
		long sum = 0;
		for (ThreadInfo thread : this.threads.getThreadInfo(this.threads.getAllThreadIds())) {
			if (thread != null && thread.getThreadName().contains("jmh-worker")) {
				sum += Math.max(0, this.threads.getThreadCpuTime(thread.getThreadId()));
			}
		}
		return sum;
	}

}
