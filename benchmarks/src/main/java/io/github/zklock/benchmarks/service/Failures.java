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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * Four failures of one library, each with a server of its own.
 */
final class Failures {

	static final int LEASE_MILLIS = 6000;

	static final int OUTAGE_SECONDS = 30;

	private static final int LONGEST_SECONDS = 75;

	private final Library library;

	private final int rounds;

	Failures(Library library, int rounds) {
		this.library = library;
		this.rounds = rounds;
	}

	/**
	 * Kill the holder, and measure until a process that waits has the lock.
	 * @return the seconds of each round
	 * @throws Exception if a process fails
	 */
	List<String> killedHolder() throws Exception {
		List<String> seconds = new ArrayList<>();
		for (int round = 0; round < this.rounds; round++) {
			try (ServiceProcess server = new ServiceProcess(this.library.service());
					WorkerJvm holder = worker(server, 0);
					WorkerJvm next = worker(server, 0)) {
				holder.send("hold killed");
				holder.await("held");
				next.send("want killed");
				TimeUnit.SECONDS.sleep(2);
				long killed = System.nanoTime();
				holder.signal("KILL");
				long got = Long.parseLong(next.await("got").split(" ")[0]);
				seconds.add(String.format(Locale.ROOT, "%.1f", (got - killed) / 1e9));
				next.send("end");
			}
		}
		return List.of(this.library.label(), this.library.defaults(), String.join(", ", seconds));
	}

	/**
	 * Stop the holder until the next one holds, and let it go on.
	 * @return what the first holder did after that
	 * @throws Exception if a process fails
	 */
	List<String> pausedHolder() throws Exception {
		List<String> steps = new ArrayList<>();
		List<String> told = new ArrayList<>();
		List<String> tokens = new ArrayList<>();
		List<String> unlocks = new ArrayList<>();
		for (int round = 0; round < this.rounds; round++) {
			try (ServiceProcess server = new ServiceProcess(this.library.service());
					WorkerJvm holder = worker(server, LEASE_MILLIS);
					WorkerJvm next = worker(server, LEASE_MILLIS)) {
				holder.send("hold paused");
				String token = holder.await("held");
				next.send("want paused");
				TimeUnit.SECONDS.sleep(1);
				holder.signal("STOP");
				String[] got = next.await("got").split(" ");
				long resumed = System.nanoTime();
				holder.signal("CONT");
				TimeUnit.SECONDS.sleep(2);
				holder.send("report " + resumed);
				String[] report = holder.await("report").split(" ");
				steps.add(report[0]);
				told.add(report[1].equals("never") ? "never" : report[1] + " ms");
				unlocks.add(report[2]);
				tokens.add(token.equals("-1") ? "none"
						: (Long.parseLong(got[1]) > Long.parseLong(token)) ? "grows" : "**does not grow**");
				next.send("end");
			}
		}
		return List.of(this.library.label(), String.join(", ", steps), String.join(", ", told), distinct(tokens),
				distinct(unlocks));
	}

	/**
	 * Kill the server under a holder, start it again, and let another process try.
	 * @return how many second holders there were
	 * @throws Exception if a process fails
	 */
	List<String> restartedServer() throws Exception {
		int second = 0;
		List<String> told = new ArrayList<>();
		List<String> tokens = new ArrayList<>();
		for (int round = 0; round < this.rounds; round++) {
			try (ServiceProcess server = new ServiceProcess(this.library.service());
					WorkerJvm holder = worker(server, 0)) {
				holder.send("hold restarted");
				String token = holder.await("held");
				TimeUnit.SECONDS.sleep(1);
				long killed = System.nanoTime();
				server.killAndRestart();
				try (WorkerJvm next = worker(server, 0)) {
					next.send("try restarted 1500");
					String[] ended = next.await("ended").split(" ");
					if (ended[1].equals("got")) {
						second++;
						tokens.add(ended[2].equals("-1") ? "none" : token + ", " + ended[2]);
						next.send("end");
					}
				}
				holder.send("report " + killed);
				told.add(holder.await("report").split(" ")[1].equals("never") ? "no" : "yes");
			}
		}
		return List.of(this.library.label(),
				(second > 0) ? "**" + second + "** of " + this.rounds : "0 of " + this.rounds, distinct(tokens),
				distinct(told));
	}

	/**
	 * Stop the server, wait half a second for a free key, and let the server go on.
	 * @return how long the call took, and when another process had the key
	 * @throws Exception if a process fails
	 */
	List<String> stoppedServer() throws Exception {
		List<String> took = new ArrayList<>();
		List<String> outcomes = new ArrayList<>();
		List<String> after = new ArrayList<>();
		for (int round = 0; round < this.rounds; round++) {
			try (ServiceProcess server = new ServiceProcess(this.library.service());
					WorkerJvm caller = worker(server, 0);
					WorkerJvm next = worker(server, 0)) {
				server.stop();
				caller.send("try stopped 500");
				CompletableFuture<String> ended = CompletableFuture.supplyAsync(() -> line(caller, "ended"));
				String[] result = within(ended, OUTAGE_SECONDS).split(" ");
				server.resume();
				took.add((result[0].equals("-") ? "over " + OUTAGE_SECONDS + " s" : result[0] + " ms"));
				outcomes.add(result[1]);
				long resumed = System.nanoTime();
				next.send("want stopped");
				String got = within(CompletableFuture.supplyAsync(() -> line(next, "got")), LONGEST_SECONDS);
				after.add(got.startsWith("-") ? "**over " + LONGEST_SECONDS + " s**" : String.format(Locale.ROOT,
						"%.2f s", Math.max(0, Long.parseLong(got.split(" ")[0]) - resumed) / 1e9));
				next.send("end");
				caller.send("end");
			}
		}
		return List.of(this.library.label(), String.join(", ", took), distinct(outcomes), String.join(", ", after));
	}

	/**
	 * Run an experiment, and say what failed instead of ending the run.
	 * @param experiment the experiment
	 * @param columns how many cells a row has
	 * @return its row
	 */
	List<String> row(Callable<List<String>> experiment, int columns) {
		try {
			List<String> row = experiment.call();
			System.out.println(String.join(" | ", row));
			return row;
		}
		catch (Exception ex) {
			List<String> row = new ArrayList<>(List.of(this.library.label(), "failed: " + ex.getMessage()));
			while (row.size() < columns) {
				row.add("");
			}
			System.out.println(row);
			return row;
		}
	}

	private WorkerJvm worker(ServiceProcess server, int leaseMillis) throws IOException {
		WorkerJvm worker = new WorkerJvm(FailureWorker.class, this.library.name(), server.address(),
				Integer.toString(leaseMillis));
		worker.await("ready");
		return worker;
	}

	private static String line(WorkerJvm worker, String start) {
		try {
			return worker.await(start);
		}
		catch (IOException ex) {
			return "- " + ex.getMessage();
		}
	}

	private static String within(CompletableFuture<String> line, int seconds)
			throws InterruptedException, ExecutionException {
		try {
			return line.get(seconds, TimeUnit.SECONDS);
		}
		catch (TimeoutException ex) {
			return "- waits";
		}
	}

	private static String distinct(List<String> values) {
		return values.stream().distinct().collect(Collectors.joining("; "));
	}

}
