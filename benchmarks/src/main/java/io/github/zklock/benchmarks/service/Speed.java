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

package io.github.zklock.benchmarks.service;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.github.zklock.benchmarks.SuiteOptions;
import io.github.zklock.benchmarks.report.Samples;
import io.github.zklock.benchmarks.report.Spread;

/**
 * Measures the same workloads with all libraries, in an order that is reversed from round
 * to round. All servers run all the time; only one library is at work.
 */
final class Speed implements AutoCloseable {

	private final Map<Service, ServiceProcess> servers = new EnumMap<>(Service.class);

	private final Samples samples = new Samples();

	private final List<Library> libraries;

	private double cycles;

	private long overlaps;

	Speed(List<Library> libraries) throws Exception {
		this.libraries = libraries;
		for (Library library : libraries) {
			if (!this.servers.containsKey(library.service())) {
				this.servers.put(library.service(), new ServiceProcess(library.service()));
			}
		}
	}

	void measure(SuiteOptions options) throws Exception {
		for (int round = 1; round <= options.rounds(); round++) {
			List<Library> order = new ArrayList<>(this.libraries);
			if (round % 2 == 0) {
				Collections.reverse(order);
			}
			for (Workload workload : Workload.values()) {
				for (Library library : order) {
					Map<String, Double> values = run(library, workload);
					this.samples.add(workload + "/" + library, values);
					System.out.printf(Locale.ROOT, "round %d, %s, %s: %.0f/s, p50 %.0f us%n", round, workload, library,
							values.get("rate"), values.get("p50"));
				}
			}
		}
	}

	private Map<String, Double> run(Library library, Workload workload) throws Exception {
		ServiceProcess server = this.servers.get(library.service());
		Path holders = Files.createTempFile("holders", null);
		List<WorkerJvm> workers = new ArrayList<>();
		try {
			for (int i = 0; i < workload.processes(); i++) {
				workers.add(new WorkerJvm(SpeedWorker.class, library.name(), server.address(), workload.name(),
						holders.toString()));
			}
			for (WorkerJvm worker : workers) {
				worker.await("ready");
			}
			long begin = System.nanoTime();
			workers.forEach((worker) -> worker.send(Long.toString(begin)));
			TimeUnit.SECONDS.sleep(workload.warmUpSeconds());
			long cpu = server.cpuNanos();
			TimeUnit.SECONDS.sleep(workload.seconds());
			cpu = server.cpuNanos() - cpu;
			List<double[]> results = new ArrayList<>();
			for (WorkerJvm worker : workers) {
				results
					.add(Arrays.stream(worker.await("result").split(" ")).mapToDouble(Double::parseDouble).toArray());
			}
			return values(results, workload, cpu);
		}
		finally {
			for (WorkerJvm worker : workers) {
				worker.close();
			}
			Files.delete(holders);
		}
	}

	private Map<String, Double> values(List<double[]> results, Workload workload, long serverCpu) {
		double locks = Math.max(1, results.stream().mapToDouble((result) -> result[0]).sum());
		double most = results.stream().mapToDouble((result) -> result[5]).max().orElse(1);
		this.cycles += locks;
		this.overlaps += (long) results.stream().mapToDouble((result) -> result[6]).sum();
		return Map.of("rate", locks / workload.seconds(), "p50", worst(results, 1) / 1e3, "p99",
				worst(results, 2) / 1e3, "client",
				results.stream().mapToDouble((result) -> result[3]).sum() / locks / 1e3, "server",
				serverCpu / locks / 1e3, "fairness",
				results.stream().mapToDouble((result) -> result[4]).min().orElse(0) / Math.max(1, most));
	}

	private static double worst(List<double[]> results, int value) {
		return results.stream().mapToDouble((result) -> result[value]).max().orElse(0);
	}

	List<List<String>> rows(Workload workload) {
		return this.libraries.stream().map((library) -> {
			String series = workload + "/" + library;
			return List.of(library.label(), spread(series, "rate"), spread(series, "p50"), spread(series, "p99"),
					spread(series, "client"), spread(series, "server"), (workload.threads() > 1)
							? String.format(Locale.ROOT, "%.2f", this.samples.of(series, "fairness").median()) : "");
		}).toList();
	}

	String check() {
		return String.format(Locale.ROOT, "A counter for each key, in a file that all processes map, found %d overlaps "
				+ "in %.1f million measured locks.", this.overlaps, this.cycles / 1e6);
	}

	private String spread(String series, String value) {
		Spread spread = this.samples.of(series, value);
		return String.format(Locale.ROOT, "%,.0f [%,.0f..%,.0f]", spread.median(), spread.min(), spread.max());
	}

	@Override
	public void close() throws Exception {
		for (ServiceProcess server : this.servers.values()) {
			server.close();
		}
	}

}
