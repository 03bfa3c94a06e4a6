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

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.zklock.support.ZooKeeperOperation;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.WatcherType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rules of ZooKeeper on connections and sessions that the engine relies on, each of
 * them shown by a real server and by the simulated one.
 */
@Tag("server")
class SessionRuleTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(60);

	/** Clients and servers count in milliseconds. */
	private static final long ROUNDING = Duration.ofMillis(2).toNanos();

	private static final String PARENT = "/s";

	private static ServerSide real;

	private ServerSide side;

	private RecordedClient client;

	private RecordedClient other;

	@BeforeAll
	static void startServer() {
		real = new RealSide();
	}

	@AfterAll
	static void stopServer() {
		real.close();
	}

	static Stream<ServerSide> sides() {
		return Stream.of(real, new SimulatedSide(12));
	}

	private void on(ServerSide chosen) {
		this.side = chosen;
		this.client = connect("client", TIMEOUT);
		this.other = connect("other", TIMEOUT);
		this.other.create(PARENT, CreateMode.CONTAINER).awaitAnswers();
	}

	private RecordedClient connect(String name, Duration timeout) {
		return new RecordedClient(this.side, name, timeout).awaitConnected();
	}

	@AfterEach
	void removeNodes() {
		this.client.close();
		this.other.children(PARENT).forEach((child) -> this.other.delete(PARENT + "/" + child, -1));
		this.other.delete(PARENT, -1).awaitAnswers().close();
	}

	@OnBothSides
	void requestsUnderWayAreLostInTheirOrderBeforeTheClientIsTold(ServerSide chosen) {
		on(chosen);
		int since = this.client.size();
		this.side.cutAt(this.client, ZooKeeperOperation.CREATE, false,
				() -> this.client.create("/s/a", CreateMode.EPHEMERAL)
					.exists("/s/a", "watcher")
					.sync("/s")
					.delete("/s/a", -1));
		this.client.awaitState(since, "Disconnected");
		assertThat(this.client.told(since)).containsExactly("create EPHEMERAL /s/a: CONNECTIONLOSS",
				"exists /s/a watched by watcher: CONNECTIONLOSS", "sync /s: CONNECTIONLOSS",
				"delete /s/a version -1: CONNECTIONLOSS", "Disconnected");
		reconnect();
		assertThat(this.client.stat("/s/a")).isNull();
	}

	@OnBothSides
	void aRequestWhoseReplyIsLostWasCarriedOut(ServerSide chosen) {
		on(chosen);
		int since = this.client.size();
		this.side.cutAt(this.client, ZooKeeperOperation.CREATE, true,
				() -> this.client.create("/s/n-", CreateMode.EPHEMERAL_SEQUENTIAL));
		assertThat(this.client.told(since)).contains("create EPHEMERAL_SEQUENTIAL /s/n-: CONNECTIONLOSS");
		reconnect();
		this.client.sync("/s");
		assertThat(this.client.children("/s")).containsExactly("n-0000000000");
		assertThat(this.client.stat("/s/n-0000000000").getEphemeralOwner()).isEqualTo(this.client.session());
	}

	@OnBothSides
	void whoConnectsAgainHasItsSessionAndItsNodes(ServerSide chosen) {
		on(chosen);
		this.client.create("/s/a", CreateMode.EPHEMERAL).awaitAnswers();
		long session = this.client.session();
		this.side.cut(this.client);
		this.other.setData("/s/a", "changed", -1).awaitAnswers();
		reconnect();
		assertThat(this.client.session()).isEqualTo(session);
		assertThat(this.client.stat("/s/a").getEphemeralOwner()).isEqualTo(session);
	}

	@OnBothSides
	void whoConnectsAgainIsToldWhatHasChangedBeforeItReadsIt(ServerSide chosen) {
		on(chosen);
		for (String node : List.of("deleted", "changed", "same", "again")) {
			this.other.create("/s/" + node, CreateMode.PERSISTENT);
		}
		this.other.awaitAnswers();
		this.client.getData("/s/deleted", "w1")
			.getData("/s/changed", "w2")
			.getData("/s/same", "w3")
			.getData("/s/again", "w4")
			.exists("/s/created", "w5")
			.exists("/s/missing", "w6")
			.getChildren("/s", "w7")
			.awaitAnswers();
		this.side.cut(this.client);
		this.other.delete("/s/deleted", -1)
			.setData("/s/changed", "new", -1)
			.delete("/s/again", -1)
			.create("/s/again", CreateMode.PERSISTENT)
			.create("/s/created", CreateMode.PERSISTENT)
			.awaitAnswers();
		int since = this.client.size();
		reconnect();
		this.client.exists("/s/deleted", null).awaitAnswers();
		List<String> told = this.client.told(since).stream().filter((entry) -> !entry.startsWith("SyncConn")).toList();
		assertThat(told.get(told.size() - 1)).isEqualTo("exists /s/deleted: NONODE");
		assertThat(told.subList(0, told.size() - 1)).containsExactlyInAnyOrder("NodeDeleted /s/deleted for w1",
				"NodeDataChanged /s/changed for w2", "NodeDataChanged /s/again for w4", "NodeCreated /s/created for w5",
				"NodeChildrenChanged /s for w7");
		this.other.delete("/s/same", -1).create("/s/missing", CreateMode.PERSISTENT).awaitAnswers();
		this.client.awaitEvent(since, "NodeDeleted /s/same for w3").awaitEvent(since, "NodeCreated /s/missing for w6");
	}

	@OnBothSides
	void whoConnectsTooLateIsToldThatItsSessionHasEnded(ServerSide chosen) {
		on(chosen);
		this.client.create("/s/a", CreateMode.EPHEMERAL).getData("/s", "watcher").awaitAnswers();
		this.side.cut(this.client);
		int since = this.client.size();
		this.side.expire(this.client.session());
		assertThat(this.other.stat("/s/a")).isNull();
		this.side.heal(this.client);
		this.client.awaitEvent(since, "Expired for watcher").create("/s/a", CreateMode.EPHEMERAL).awaitAnswers();
		assertThat(this.client.told(since).stream().filter((told) -> !told.startsWith("Disconnected")))
			.containsExactlyInAnyOrder("Expired", "Expired for watcher", "create EPHEMERAL /s/a: SESSIONEXPIRED");
	}

	@OnBothSides
	void whoseSessionTheServerEndsIsDisconnectedAndThenToldSo(ServerSide chosen) {
		on(chosen);
		int since = this.client.size();
		this.side.expire(this.client.session());
		this.client.awaitState(since, "Expired");
		assertThat(this.client.told(since)).containsExactly("Disconnected", "Expired");
	}

	@OnBothSides
	void theNodesOfASessionGoTogetherWhenItIsClosed(ServerSide chosen) {
		on(chosen);
		watchNodesOf(this.client);
		this.client.close();
		assertGoneTogether();
		assertThat(this.other.children("/s")).isEmpty();
	}

	@OnBothSides
	void theNodesOfASessionGoTogetherWhenItEnds(ServerSide chosen) {
		on(chosen);
		watchNodesOf(this.client);
		this.side.expire(this.client.session());
		assertGoneTogether();
		assertThat(this.other.children("/s")).isEmpty();
	}

	private void watchNodesOf(RecordedClient owner) {
		owner.create("/s/a", CreateMode.EPHEMERAL).create("/s/b", CreateMode.EPHEMERAL).awaitAnswers();
		this.other.getData("/s/a", "a").getData("/s/b", "b").awaitAnswers();
	}

	private void assertGoneTogether() {
		this.other.awaitEvent(0, "NodeDeleted /s/a for a").awaitEvent(0, "NodeDeleted /s/b for b");
		assertThat(this.other.last("NodeDeleted /s/a").replace("/a for a", ""))
			.isEqualTo(this.other.last("NodeDeleted /s/b").replace("/b for b", ""));
	}

	// What the client of ZooKeeper 3.9.5 does, not what it should do: it takes the event
	// of the removal, which says "disconnected", for the one that it has to send.
	@OnBothSides
	void whoWasRemovingAWatchIsNotToldThatItIsDisconnected(ServerSide chosen) {
		on(chosen);
		this.client.getData("/s", "watcher").awaitAnswers();
		int since = this.client.size();
		this.side.cutAt(this.client, ZooKeeperOperation.CREATE, false,
				() -> this.client.create("/s/a", CreateMode.EPHEMERAL).removeAllWatches("/s", WatcherType.Data, true));
		reconnect();
		assertThat(this.client.told(since)).containsExactly("create EPHEMERAL /s/a: CONNECTIONLOSS",
				"DataWatchRemoved /s for watcher", "removeAllWatches Data /s: OK", "SyncConnected");
	}

	@OnBothSides
	void whoRemovesAWatchNotOnlyLocallyIsTold(ServerSide chosen) {
		on(chosen);
		this.client.getData("/s", "watcher").awaitAnswers();
		int since = this.client.size();
		this.side.cutAt(this.client, ZooKeeperOperation.CREATE, false,
				() -> this.client.create("/s/a", CreateMode.EPHEMERAL).removeAllWatches("/s", WatcherType.Data, false));
		reconnect();
		assertThat(this.client.told(since)).filteredOn((told) -> !told.endsWith(" for watcher"))
			.containsExactly("create EPHEMERAL /s/a: CONNECTIONLOSS", "removeAllWatches Data /s: CONNECTIONLOSS",
					"Disconnected", "SyncConnected");
		this.other.setData("/s", "changed", -1).awaitAnswers();
		this.client.awaitEvent(since, "NodeDataChanged /s for watcher");
	}

	@OnBothSides
	void aServerGrantsATimeOutWithinItsBounds(ServerSide chosen) {
		on(chosen);
		for (int asked : List.of(300, 400, 1001, 120_000, 120_001, 10_000_000)) {
			RecordedClient asking = connect("asking", Duration.ofMillis(asked));
			assertThat(asking.zooKeeper().getSessionTimeout()).isEqualTo(Math.min(Math.max(asked, 400), 120_000));
			asking.close();
		}
	}

	@OnBothSides
	void aSessionEndsAfterItsTimeOutAndNotWhileItsClientPings(ServerSide chosen) {
		on(chosen);
		RecordedClient idle = connect("idle", Duration.ofMillis(4000));
		RecordedClient shorter = connect("shorter", Duration.ofMillis(3000));
		RecordedClient longer = connect("longer", Duration.ofMillis(4000));
		idle.create("/s/idle", CreateMode.EPHEMERAL).awaitAnswers();
		long start = this.side.nanoTime();
		longer.create("/s/longer", CreateMode.EPHEMERAL).awaitAnswers();
		shorter.create("/s/shorter", CreateMode.EPHEMERAL).awaitAnswers();
		this.other.exists("/s/longer", "longer").exists("/s/shorter", "shorter").awaitAnswers();
		int since = this.other.size();
		this.side.cut(longer);
		this.side.cut(shorter);
		this.other.awaitEvent(since, "NodeDeleted /s/longer");
		assertThat(this.side.nanoTime() - start).isGreaterThanOrEqualTo(Duration.ofMillis(4000).toNanos() - ROUNDING);
		assertThat(this.other.told(since)).containsExactly("NodeDeleted /s/shorter for shorter",
				"NodeDeleted /s/longer for longer");
		assertThat(this.other.children("/s")).containsExactly("idle");
		assertThat(idle.told(0)).containsExactly("SyncConnected", "create EPHEMERAL /s/idle: OK");
		for (RecordedClient ended : List.of(shorter, longer, idle)) {
			ended.close();
		}
	}

	@OnBothSides
	void whoHearsNothingIsToldAfterTwoThirdsOfItsTimeOut(ServerSide chosen) {
		on(chosen);
		RecordedClient cutOff = connect("cutOff", Duration.ofMillis(900));
		long start = this.side.nanoTime();
		cutOff.sync("/s").awaitAnswers();
		this.side.blackhole(cutOff);
		cutOff.create("/s/a", CreateMode.EPHEMERAL).awaitState(0, "Disconnected");
		assertThat(this.side.nanoTime() - start).isGreaterThanOrEqualTo(Duration.ofMillis(600).toNanos() - ROUNDING);
		assertThat(cutOff.told(0)).containsExactly("SyncConnected", "sync /s: OK",
				"create EPHEMERAL /s/a: CONNECTIONLOSS", "Disconnected");
		cutOff.close();
	}

	private void reconnect() {
		int since = this.client.size();
		this.side.heal(this.client);
		this.client.awaitState(since, "SyncConnected");
		// The answer comes after the events of all watchers.
		this.client.stat("/");
	}

}
