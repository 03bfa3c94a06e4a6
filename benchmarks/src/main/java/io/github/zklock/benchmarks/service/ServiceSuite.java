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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

import io.github.zklock.benchmarks.Suite;
import io.github.zklock.benchmarks.SuiteOptions;
import io.github.zklock.benchmarks.report.Environment;
import io.github.zklock.benchmarks.report.Page;

/**
 * The same locks on ZooKeeper, Redis and etcd: failures first, then speed. The programs
 * {@code redis-server} and {@code etcd} have to be on the path.
 *
 * @since 0.1.0
 */
public final class ServiceSuite implements Suite {

	private static final int FAILURE_ROUNDS = 3;

	@Override
	public String name() {
		return "services";
	}

	@Override
	public void run(SuiteOptions options) throws Exception {
		List<Library> libraries = Arrays.stream(Library.values())
			.filter((library) -> library.name().contains(options.only()))
			.toList();
		Environment environment = new Environment();
		Page page = new Page("Locks on ZooKeeper, Redis and etcd")
			.text("""
					The same program does the same with all libraries, on one machine, with one server process for each service.
					Real processes are stopped and killed. Read first [how fair it is](#how-fair-it-is).""");
		try (Speed speed = new Speed(libraries)) {
			speed.measure(options);
			failures(page, libraries);
			speed(page, speed);
		}
		page.section("How fair it is")
			.text("""
					* **Durability.** ZooKeeper with `forceSync=yes`, Redis with `appendfsync always` and etcd have a write on disk before they
					  answer. Redis without persistence has it in memory only.
					* **One server each.** With three servers ZooKeeper and etcd wait for a majority. Replicas of Redis are asynchronous, so a
					  failover can lose a lock. Neither is measured.
					* **One key, one process.** zk-lock passes the lock from thread to thread without its server. A lock of the JVM in front of
					  the others would do the same for them. Compare the row with four processes.
					* **Fairness.** zk-lock lets up to eight threads of a process go first. Curator and etcd are served in order. `RLock` has no order.
					* **A call that still waits.** Curator's call is not over after 30 s. It gets the lock when the server goes on, so the
					  key is rightly not free. The calls of Redisson and jetcd are over, and yet the key is locked.
					* **Loopback.** There is no network. With a round trip of 1 ms the number of round trips decides: two for zk-lock, Redisson
					  and etcd, three for Curator.
					* **Two processors** are shared by clients and servers, so the time of the client is a part of the throughput.
					* **Defaults.** No library is tuned. jetcd has no call for one attempt: the row reads the queue only.""")
			.section("Environment")
			.table(List.of("what", "value"), environment.rows(options.command(name())))
			.text(environment.caution())
			.write(options.into().resolve("services.md"));
	}

	private static void failures(Page page, List<Library> libraries) throws Exception {
		page.section("The holder is stopped, and goes on later")
			.text("The holder looks at its lock and works every 5 ms. It is stopped (`SIGSTOP`) until the next process has the lock, and"
					+ " goes on. Session timeout, watchdog and lease are 6 s. Each holder asks before each step: zk-lock its handle, Redisson Redis,"
					+ " Curator the state of its connection (`SUSPENDED` and `LOST`). It is watched for 2 s: about 390 steps mean that it notices nothing.")
			.table(List.of("locks", "steps beside the next holder", "it sees the loss after", "the token",
					"its release says"), all(libraries, (each) -> each.row(each::pausedHolder, 5)));
		page.section("The server is killed, and starts again")
			.text("A process holds the lock while its server gets `SIGKILL` and starts with its data. Then another process tries.")
			.table(List.of("locks", "second holders", "tokens of both", "the first holder sees it"),
					all(libraries, (each) -> each.row(each::restartedServer, 4)));
		page.section("The server stands still for a wait of 500 ms")
			.text("The server is stopped (`SIGSTOP`) while a process waits for a free key for up to 500 ms. When the call has ended, or after "
					+ Failures.OUTAGE_SECONDS + " s, the server goes on, and another process wants the key.")
			.table(List.of("locks", "the call took", "it ended with", "the key was free again after"),
					all(libraries, (each) -> each.row(each::stoppedServer, 4)));
		page.section("The holder is killed")
			.text("Seconds until a process that waits has the lock, with the defaults of each library.")
			.table(List.of("locks", "default", "seconds"), all(libraries, (each) -> each.row(each::killedHolder, 3)));
	}

	// Side by side, since each waits most of the time.
	private static List<List<String>> all(List<Library> libraries, Function<Failures, List<String>> experiment)
			throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(libraries.size());
		try {
			List<Callable<List<String>>> calls = new ArrayList<>();
			for (Library library : libraries) {
				calls.add(() -> experiment.apply(new Failures(library, FAILURE_ROUNDS)));
			}
			List<List<String>> rows = new ArrayList<>();
			for (Future<List<String>> row : threads.invokeAll(calls)) {
				rows.add(row.get());
			}
			return rows;
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static void speed(Page page, Speed speed) {
		page.section("Speed")
			.text("A row is a lock and its unlock. Values are medians of the rounds, with the least and the greatest. Times are in"
					+ " microseconds; processor times are for each lock. The last column is the fewest locks of a thread as a part of the"
					+ " most. " + speed.check());
		for (Workload workload : Workload.values()) {
			page.section(workload.title())
				.text("Warm-up of " + workload.warmUpSeconds() + " s, measured for " + workload.seconds() + " s.")
				.table(List.of("locks", "in a second", "p50", "p99", "CPU of clients", "CPU of the server", "fairness"),
						speed.rows(workload));
		}
	}

}
