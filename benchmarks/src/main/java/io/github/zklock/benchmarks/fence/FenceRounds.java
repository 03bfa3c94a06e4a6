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

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Stops a process (SIGSTOP) between its last look at its lock and its commit, and lets
 * the next holder commit. Then it lets the process go on (SIGCONT). This is repeated
 * again and again.
 */
final class FenceRounds {

	private final FencePeer peer;

	private final String connectString;

	private final String database;

	private final int rounds;

	FenceRounds(FencePeer peer, String connectString, String database, int rounds) {
		this.peer = peer;
		this.connectString = connectString;
		this.database = database;
		this.rounds = rounds;
	}

	Result run(JdbcTemplate jdbc) throws Exception {
		int late = 0;
		Map<String, Integer> told = new TreeMap<>();
		Process earlier = start();
		try (BufferedReader lines = earlier.inputReader(StandardCharsets.US_ASCII);
				FenceParticipant next = new FenceParticipant(this.peer, this.connectString, this.database)) {
			for (int round = 0; round < this.rounds; round++) {
				String page = FenceParticipant.page(this.peer, round);
				await(lines, "READY");
				signal(earlier, "-STOP");
				next.add(page, "later");
				signal(earlier, "-CONT");
				told.merge(await(lines, "END "), 1, Integer::sum);
				late += FenceParticipant.entries(jdbc, page) - 1;
			}
		}
		finally {
			earlier.destroyForcibly().waitFor();
		}
		return new Result(this.peer, this.rounds, late, told);
	}

	private Process start() throws IOException {
		String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		return new ProcessBuilder(java, "-Xmx128m", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
				FenceParticipant.class.getName(), this.peer.name(), this.connectString, this.database,
				Integer.toString(this.rounds))
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
	}

	private static void signal(Process process, String signal) throws IOException, InterruptedException {
		Process kill = new ProcessBuilder("kill", signal, Long.toString(process.pid())).inheritIO().start();
		if (!kill.waitFor(60, TimeUnit.SECONDS) || kill.exitValue() != 0) {
			throw new IOException("The process could not be stopped");
		}
	}

	private static String await(BufferedReader lines, String start) throws IOException {
		for (String line = lines.readLine(); line != null; line = lines.readLine()) {
			if (line.startsWith(start)) {
				return line.substring(start.length());
			}
		}
		throw new IOException("The process has ended");
	}

	/**
	 * What came of it.
	 *
	 * @param peer what guarded the transactions
	 * @param rounds how many commits were due after the commit of a later holder
	 * @param late how many of them were done
	 * @param told what the callers of the earlier holder got, and how often
	 */
	record Result(FencePeer peer, int rounds, int late, Map<String, Integer> told) {

	}

}
