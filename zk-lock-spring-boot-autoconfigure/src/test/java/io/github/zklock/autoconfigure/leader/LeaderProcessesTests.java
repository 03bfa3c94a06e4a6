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

package io.github.zklock.autoconfigure.leader;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import io.github.zklock.support.JavaProcess;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Three processes with a role. The leader is killed, stopped for longer than its session
 * lives, or replaced by a deployment.
 */
@Tag("server")
class LeaderProcessesTests {

	private static final Duration PATIENCE = Duration.ofMinutes(3);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final String root = "/" + UUID.randomUUID();

	private final List<JavaProcess> processes = new ArrayList<>();

	@BeforeEach
	void start() {
		for (int i = 0; i < 3; i++) {
			add();
		}
	}

	@AfterEach
	void close() {
		this.processes.forEach(JavaProcess::close);
	}

	private JavaProcess add() {
		JavaProcess process = JavaProcess.start(LeaderProcess.class.getName(), List.of(),
				"--zk-lock.connect-string=" + server.connectString(), "--zk-lock.root=" + this.root,
				"--zk-lock.session-timeout=15s",
				"--zk-lock.lease.server-tick=" + ZooKeeperServerFixture.TICK.toMillis() + "ms",
				"--spring.main.banner-mode=off", "--spring.main.keep-alive=true");
		this.processes.add(process);
		return process;
	}

	@Test
	void anotherProcessLeadsAfterTheLeaderIsKilled() {
		JavaProcess leader = awaitLeader();
		this.processes.remove(leader);
		leader.close();
		assertThat(token(awaitLeader())).isGreaterThan(token(leader));
	}

	@Test
	void leaderThatWasStoppedForLongerThanItsSessionFindsItOutAndSaysSo() {
		JavaProcess leader = awaitLeader();
		this.processes.remove(leader);
		leader.pause();
		JavaProcess next = awaitLeader();
		assertThat(token(next)).isGreaterThan(token(leader));
		leader.resume();
		leader.awaitLine("stopped " + token(leader), PATIENCE);
		assertThat(leader.output()).contains("revoked LOST late");
		assertThat(next.output()).noneMatch((line) -> line.startsWith("revoked"));
		Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> leader.output()
				.stream()
				.filter((line) -> line.contains("had not stopped when its lease ended (token " + token(leader)))
				.count() == 1);
		leader.close();
	}

	@Test
	void rollingDeploymentMovesTheRoleWithoutALoss() {
		for (int i = 0; i < 3; i++) {
			add().awaitLine("ready", PATIENCE);
			JavaProcess leader = awaitLeader();
			this.processes.remove(leader);
			leader.terminate();
			leader.awaitEnd();
			assertThat(leader.output()).contains("revoked SHUT_DOWN in time", "stopped " + token(leader))
				.noneMatch((line) -> line.contains("had not stopped when its lease ended"));
			assertThat(token(awaitLeader())).isGreaterThan(token(leader));
			leader.close();
		}
	}

	// Of the processes that are left.
	private JavaProcess awaitLeader() {
		return Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> this.processes.stream()
				.filter((each) -> each.output().contains("started"))
				.findFirst()
				.orElse(null), Objects::nonNull);
	}

	private static long token(JavaProcess process) {
		return Long.parseLong(process.output()
			.stream()
			.filter((line) -> line.startsWith("granted "))
			.findFirst()
			.orElseThrow()
			.substring("granted ".length()));
	}

}
