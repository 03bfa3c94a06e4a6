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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.github.zklock.benchmarks.server.Backend;
import io.github.zklock.benchmarks.server.ServerCounts;

/**
 * Several JVMs for some seconds.
 *
 * @param fleet which JVMs
 * @param backend on which servers
 * @param peer with whose locks
 */
record FleetRun(Fleet fleet, Backend backend, Peer peer) {

	private static final long WARM_UP_MILLIS = 1000;

	private static final long MILLIS = 2000;

	String series() {
		return this.fleet.series(this.backend, this.peer);
	}

	Map<String, Double> run(Backend.Running running) throws Exception {
		List<WorkerProcess> workers = new ArrayList<>();
		try {
			for (int threads : this.fleet.threads) {
				workers.add(new WorkerProcess(this.peer, running.client(), threads, this.fleet));
			}
			for (WorkerProcess worker : workers) {
				worker.awaitReady();
			}
			lock(workers, WARM_UP_MILLIS);
			ServerCounts before = ServerCounts.of(running.servers());
			long start = System.nanoTime();
			List<WorkerProcess.Result> results = lock(workers, MILLIS);
			double seconds = (System.nanoTime() - start) / 1e9;
			return values(results, seconds, ServerCounts.of(running.servers()).since(before));
		}
		finally {
			for (WorkerProcess worker : workers) {
				worker.close();
			}
		}
	}

	private static List<WorkerProcess.Result> lock(List<WorkerProcess> workers, long millis) throws Exception {
		workers.forEach((worker) -> worker.go(millis));
		List<WorkerProcess.Result> results = new ArrayList<>();
		for (WorkerProcess worker : workers) {
			results.add(worker.result());
		}
		return results;
	}

	private static Map<String, Double> values(List<WorkerProcess.Result> results, double seconds, ServerCounts counts) {
		double grants = Math.max(1, results.stream().mapToLong(WorkerProcess.Result::grants).sum());
		double least = results.stream().mapToLong(WorkerProcess.Result::grants).min().orElse(0);
		double longest = results.stream().mapToLong(WorkerProcess.Result::maxNanos).max().orElse(0);
		double p99 = results.stream().mapToLong(WorkerProcess.Result::p99Nanos).max().orElse(0);
		double held = results.stream().mapToLong(WorkerProcess.Result::heldNanos).sum() / 1e9;
		double milli = TimeUnit.MILLISECONDS.toNanos(1);
		return Map.of("throughput", grants / seconds, "hand-off", 1000 * (seconds - held) / grants, "least share",
				100 * least / grants, "longest wait", longest / milli, "p99", p99 / milli, "reads",
				counts.reads() / grants, "writes", counts.writes() / grants, "events", counts.events() / grants);
	}

}
