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
import java.util.Locale;
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
record FleetRun(Fleet fleet, Backend backend, Peer peer) implements Run {

	// Until all JVMs have read when they are to begin.
	private static final long LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	static List<Run> plan(boolean all) {
		List<Run> runs = new ArrayList<>();
		for (Backend backend : Backend.values()) {
			for (Fleet fleet : Fleet.values()) {
				fleet.peers(backend, all).forEach((peer) -> runs.add(new FleetRun(fleet, backend, peer)));
			}
		}
		return runs;
	}

	@Override
	public String series() {
		return this.fleet.series(this.backend, this.peer);
	}

	@Override
	public double seconds() {
		// Who has asked before the end gets the lock after it.
		double waiters = this.fleet.threads.stream().mapToInt(Integer::intValue).sum();
		return this.fleet.times().seconds() + 1 + 0.7 * this.fleet.threads.size() + waiters / 200;
	}

	@Override
	public Map<String, Double> run(Backend.Running running) throws Exception {
		return run(running, this.fleet.threads, this.fleet.times());
	}

	Map<String, Double> run(Backend.Running running, List<Integer> threads, FleetTimes times) throws Exception {
		List<WorkerProcess> workers = new ArrayList<>();
		try {
			for (int i = 0; i < threads.size(); i++) {
				workers.add(new WorkerProcess(this.peer, running.client(), threads.get(i), this.fleet,
						i == threads.size() - 1));
			}
			for (WorkerProcess worker : workers) {
				worker.awaitReady();
			}
			if (times.hurryMillis() > 0) {
				lock(workers, times.hurryMillis(), true);
			}
			lock(workers, times.warmUpMillis(), false);
			ServerCounts before = ServerCounts.of(running.servers());
			List<WorkerProcess.Result> results = lock(workers, times.millis(), false);
			return FleetValues.of(results, ServerCounts.of(running.servers()).since(before));
		}
		finally {
			for (WorkerProcess worker : workers) {
				worker.close();
			}
		}
	}

	@Override
	public String describe(Map<String, Double> values) {
		return String.format(Locale.ROOT,
				"%8.0f /s, %.2f ms without a holder, %.2f in half of the cases, least share %.1f %%, longest wait %.0f ms, "
						+ "%.2f reads, %.2f writes, %.2f events",
				values.get(FleetValues.THROUGHPUT), values.get(FleetValues.FREE), values.get(FleetValues.HAND_OFF),
				values.get(FleetValues.LEAST_SHARE), values.get(FleetValues.LONGEST_WAIT), values.get("reads"),
				values.get("writes"), values.get("events"));
	}

	private static List<WorkerProcess.Result> lock(List<WorkerProcess> workers, long millis, boolean hurry)
			throws Exception {
		long start = System.nanoTime() + LEAD_NANOS;
		WorkerProcess.Order order = new WorkerProcess.Order(start, start + TimeUnit.MILLISECONDS.toNanos(millis),
				hurry);
		workers.forEach((worker) -> worker.go(order));
		List<WorkerProcess.Result> results = new ArrayList<>();
		for (WorkerProcess worker : workers) {
			results.add(worker.result());
		}
		return results;
	}

}
