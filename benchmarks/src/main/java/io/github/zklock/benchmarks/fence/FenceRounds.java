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

import java.util.Map;
import java.util.TreeMap;

import io.github.zklock.support.JavaProcess;

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
		try (JavaProcess earlier = JavaProcess.of(FenceParticipant.class.getName())
			.options("-Xmx128m", "-XX:+UseSerialGC")
			.start(this.peer.name(), this.connectString, this.database, Integer.toString(this.rounds));
				FenceParticipant next = new FenceParticipant(this.peer, this.connectString, this.database)) {
			for (int round = 0; round < this.rounds; round++) {
				String page = FenceParticipant.page(this.peer, round);
				earlier.takeLine("READY");
				earlier.pause();
				next.add(page, "later");
				earlier.resume();
				told.merge(earlier.takeLine("END "), 1, Integer::sum);
				late += FenceParticipant.entries(jdbc, page) - 1;
			}
		}
		return new Result(this.peer, this.rounds, late, told);
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
