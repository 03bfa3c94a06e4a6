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

package io.github.zklock.benchmarks.fence;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

import io.github.zklock.benchmarks.Suite;
import io.github.zklock.benchmarks.SuiteOptions;
import io.github.zklock.benchmarks.fence.FenceCost.Medians;
import io.github.zklock.benchmarks.report.Environment;
import io.github.zklock.benchmarks.report.Page;
import io.github.zklock.benchmarks.server.Backend;
import org.h2.tools.Server;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * Counts late commits, with and without a fence, and measures what a fence costs. The
 * system properties {@code fences.url} and {@code fences.user} name a database for the
 * cost; by default it is an H2 in memory, behind TCP.
 *
 * @since 0.1.0
 */
public final class FenceSuite implements Suite {

	@Override
	public String name() {
		return "fences";
	}

	@Override
	public void run(SuiteOptions options) throws Exception {
		Environment environment = new Environment();
		Server databases = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
		try (Backend.Running running = Backend.startWithTicks(FencePeer.TICK_MILLIS)) {
			String url = "jdbc:h2:tcp://127.0.0.1:" + databases.getPort() + "/mem:fences;DB_CLOSE_DELAY=-1";
			List<FenceRounds.Result> results = race(options, running.client(), url);
			String costUrl = System.getProperty("fences.url", url);
			Medians medians;
			try (FenceCost cost = new FenceCost(costUrl, System.getProperty("fences.user", "sa"))) {
				medians = cost.run();
			}
			write(options, results, medians, costUrl.split(":")[1], environment);
		}
		finally {
			databases.stop();
		}
	}

	// Each has pages of its own, so that they need not wait for each other.
	private static List<FenceRounds.Result> race(SuiteOptions options, String connectString, String url)
			throws Exception {
		JdbcTemplate jdbc = new JdbcTemplate(new DriverManagerDataSource(url, "sa", ""));
		jdbc.execute("create table entry (page varchar(60) not null, place bigint not null, holder varchar(20))");
		new ResourceDatabasePopulator(new ClassPathResource("io/github/zklock/fencing/schema-h2.sql"))
			.execute(new DriverManagerDataSource(url, "sa", ""));
		List<Callable<FenceRounds.Result>> all = new ArrayList<>();
		for (FencePeer peer : FencePeer.values()) {
			if (peer.name().contains(options.only())) {
				all.add(() -> new FenceRounds(peer, connectString, url, options.rounds()).run(jdbc));
			}
		}
		ExecutorService threads = Executors.newFixedThreadPool(all.size());
		try {
			List<FenceRounds.Result> results = new ArrayList<>();
			for (Future<FenceRounds.Result> each : threads.invokeAll(all)) {
				results.add(each.get());
			}
			return results;
		}
		finally {
			threads.shutdownNow();
		}
	}

	private void write(SuiteOptions options, List<FenceRounds.Result> results, Medians medians, String database,
			Environment environment) throws Exception {
		new Page("Commits that come late")
			.text("""
					A process holds a lock, reads, writes, and is about to commit. It is stopped (`SIGSTOP`) until the next holder has
					committed, and goes on (`SIGCONT`). What stops it comes after the last look at the lock, where any pause may come.
					A late commit overwrites: here it leaves two entries at one place.""")
			.table(List.of("lock", "rounds", "late commits", "what the late caller gets"), results.stream()
				.map((result) -> List.of(result.peer().description(), "" + result.rounds(), "**" + result.late() + "**",
						result.told()
							.entrySet()
							.stream()
							.map((each) -> each.getKey() + " (" + each.getValue() + ")")
							.collect(Collectors.joining(", "))))
				.toList())
			.section("What a fence costs")
			.text("""
					A transaction of one update under a lock in memory, with and without a fence, in turns. Medians of 4,000 calls each,
					in microseconds.""")
			.table(List.of("database", "without a fence", "with a fence", "of it the raise", "ratio"),
					List.of(List.of(database, text(medians.plain()), text(medians.fenced()), text(medians.raise()),
							String.format(Locale.ROOT, "%.2f", medians.fenced() / medians.plain()))))
			.section("Where and when")
			.table(List.of("what", "value"), environment.rows(options.command(name())))
			.text(environment.caution())
			.write(options.into().resolve("fences.md"));
	}

	private static String text(double micros) {
		return String.format(Locale.ROOT, "%.0f", micros);
	}

}
