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

package io.github.zklock.simulation;

import java.util.stream.Stream;

import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rules of ZooKeeper on servers that are cut off, and on elections, that the engine
 * relies on, each of them shown by three real servers and by the simulated ones.
 */
@Tag("server")
class EnsembleRuleTests {

	private static EnsembleSide real;

	private EnsembleSide side;

	@BeforeAll
	static void startServers() {
		real = new RealEnsembleSide();
	}

	@AfterAll
	static void stopServers() {
		real.close();
	}

	static Stream<EnsembleSide> sides() {
		return Stream.of(real, new SimulatedEnsembleSide(13));
	}

	@AfterEach
	void heal() {
		this.side.heal();
	}

	@OnBothSides
	void aFollowerThatIsCutOffAnswersOldReadsAndNothingElse(EnsembleSide chosen) {
		this.side = chosen;
		RecordedClient ahead = chosen.connect("ahead", chosen.leader());
		RecordedClient behind = chosen.connect("behind", chosen.follower());
		ahead.create("/f", CreateMode.PERSISTENT).awaitAnswers();
		behind.sync("/f").getChildren("/f", "watcher").awaitAnswers();
		// It may notice the cut at any moment from now on.
		int since = behind.size();
		chosen.cutOff(chosen.follower());
		ahead.create("/f/n-", CreateMode.EPHEMERAL_SEQUENTIAL).awaitAnswers();
		assertThat(behind.children("/f")).isEmpty();
		behind.sync("/f").getChildren("/f", null).create("/f/late", CreateMode.EPHEMERAL).awaitAnswers();
		behind.awaitEvent(since, "Disconnected for watcher");
		assertThat(behind.told(since).stream().filter((told) -> !told.startsWith("Disconnected"))).containsExactly(
				"sync /f: CONNECTIONLOSS", "getChildren /f: CONNECTIONLOSS",
				"create EPHEMERAL /f/late: CONNECTIONLOSS");
		since = behind.size();
		chosen.heal();
		behind.awaitEvent(since, "NodeChildrenChanged /f for watcher");
		assertThat(behind.children("/f")).contains("n-0000000000").doesNotContain("late");
		close(ahead, behind);
	}

	@OnBothSides
	void aLeaderThatIsCutOffAnswersReadsAndSyncsButNoWrites(EnsembleSide chosen) {
		this.side = chosen;
		int leader = chosen.leader();
		RecordedClient behind = chosen.connect("behind", leader);
		RecordedClient ahead = chosen.connect("ahead", chosen.follower());
		behind.create("/l", CreateMode.PERSISTENT).create("/l/held", CreateMode.EPHEMERAL).awaitAnswers();
		ahead.sync("/l").awaitAnswers();
		long before = ahead.stat("/l/held").getCzxid();
		int connected = ahead.size();
		int since = behind.size();
		chosen.cutOff(leader);
		behind.getChildren("/l", null).sync("/l").awaitAnswers();
		assertThat(behind.told(since)).containsExactly("getChildren /l: OK", "sync /l: OK");
		behind.create("/l/late", CreateMode.EPHEMERAL);
		ahead.awaitState(connected, "Disconnected").awaitState(connected, "SyncConnected");
		ahead.create("/l/n-", CreateMode.EPHEMERAL_SEQUENTIAL).awaitAnswers();
		assertThat(ahead.told(connected)).containsExactly("Disconnected", "SyncConnected",
				"create EPHEMERAL_SEQUENTIAL /l/n-: OK");
		assertThat(ahead.children("/l")).contains("n-0000000001");
		assertThat(ahead.stat("/l/n-0000000001").getCzxid()).isGreaterThan(before);
		behind.awaitAnswers();
		assertThat(behind.told(since)).contains("create EPHEMERAL /l/late: CONNECTIONLOSS");
		chosen.heal();
		assertThat(ahead.children("/l")).doesNotContain("late");
		close(ahead, behind);
	}

	private void close(RecordedClient... clients) {
		for (RecordedClient client : clients) {
			client.close();
		}
	}

}
