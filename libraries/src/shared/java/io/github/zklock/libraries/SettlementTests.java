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

package io.github.zklock.libraries;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

import io.github.zklock.scheduling.ScheduledRun;
import io.github.zklock.support.JavaProcess;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Spring Batch: one launch for each tick, and another node recovers a run.
 */
@Tag("server")
class SettlementTests {

	/** What the job writes, in two chunks. */
	static final int ITEMS = 4;

	private static final List<String> DONE_BY_NEXT = List.of("1 next", "2 next", "3 next", "4 next");

	private static final List<String> RECOVERED = List.of("1 late", "2 late", "3 next", "4 next");

	private static final String DATABASE = "mem:settlement;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000";

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private static Server databases;

	@BeforeAll
	static void start() throws SQLException {
		databases = Server.createTcpServer("-tcpPort", "0").start();
	}

	@AfterAll
	static void stop() {
		databases.stop();
	}

	private static Instant latest = Instant.now().minus(Duration.ofHours(1)).truncatedTo(ChronoUnit.SECONDS);

	@Test
	void jobIsLaunchedOnceForEachTick() {
		try (Node one = startNode(); Node two = startNode()) {
			Instant tick = nextTick();
			ScheduledRun.callAt(tick, settle(one));
			ScheduledRun.callAt(tick, settle(two));
			assertThat(entries(one, tick)).isEqualTo(DONE_BY_NEXT);
			assertThat(executions(one, tick)).containsExactly("COMPLETED");
			Instant next = nextTick();
			ScheduledRun.callAt(next, settle(two));
			assertThat(executions(one, next)).containsExactly("COMPLETED");
		}
	}

	@Test
	void lateChunkOfAStoppedNodeIsRefusedWhenAnotherNodeHasRecoveredItsRun() {
		List<String> ends = new ArrayList<>();
		try (Node next = startNode();
				JavaProcess late = JavaProcess.of(SettlementProcess.class.getName())
					.readsInput()
					.start(server.connectString(), url())) {
			late.awaitLine("READY");
			for (int round = 0; round < Integer.getInteger("settlement.rounds", 2); round++) {
				Instant tick = nextTick();
				late.write(tick.toString());
				late.takeLine("IN CHUNK");
				late.pause();
				server.killSession(server.owner("/locks/batch:settlement/" + holder()));
				ScheduledRun.callLate(tick, settle(next));
				late.resume();
				ends.add(late.takeLine("END "));
				assertThat(entries(next, tick)).as("round " + round).isEqualTo(RECOVERED);
				assertThat(executions(next, tick)).containsExactly("FAILED", "COMPLETED");
			}
		}
		assertThat(ends).allSatisfy((end) -> assertThat(end).contains("LockLost"));
	}

	private static Instant nextTick() {
		latest = latest.plusSeconds(1);
		return latest;
	}

	private static String holder() {
		return server.children("/locks/batch:settlement")
			.stream()
			.filter((child) -> child.contains("-lock-"))
			.findFirst()
			.orElseThrow();
	}

	private static Node startNode() {
		return Node.start(SettlementApplication.class, server.connectString(), "jdbc:h2:" + DATABASE);
	}

	private static String url() {
		return "jdbc:h2:tcp://127.0.0.1:" + databases.getPort() + "/" + DATABASE;
	}

	private static Runnable settle(Node node) {
		return Node.task(node.bean(Settlement.class)::settle);
	}

	private static List<String> entries(Node node, Instant tick) {
		return Entries.of(node.bean(JdbcClient.class), tick.toString());
	}

	private static List<String> executions(Node node, Instant tick) {
		return node.bean(JdbcClient.class)
			.sql("select e.status from batch_job_execution e join batch_job_execution_params p "
					+ "on p.job_execution_id = e.job_execution_id where p.parameter_value = ? order by e.job_execution_id")
			.param(tick.toString())
			.query(String.class)
			.list();
	}

}
