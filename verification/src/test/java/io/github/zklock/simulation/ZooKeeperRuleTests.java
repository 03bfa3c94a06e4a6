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

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.CreateOptions;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher.WatcherType;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rules of ZooKeeper on nodes, requests and watches that the engine relies on, each
 * of them shown by a real server and by the simulated one.
 */
@Tag("server")
class ZooKeeperRuleTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(60);

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
		return Stream.of(real, new SimulatedSide(11));
	}

	private void on(ServerSide chosen) {
		this.side = chosen;
		this.client = new RecordedClient(chosen, "client", TIMEOUT).awaitConnected();
		this.other = new RecordedClient(chosen, "other", TIMEOUT).awaitConnected();
		this.client.create("/q", CreateMode.CONTAINER).awaitAnswers();
	}

	@AfterEach
	void removeNodes() {
		this.client.close();
		for (String child : this.other.children("/q")) {
			this.other.children("/q/" + child).forEach((node) -> this.other.delete("/q/" + child + "/" + node, -1));
			this.other.delete("/q/" + child, -1);
		}
		this.other.delete("/q", -1).awaitAnswers().close();
	}

	@OnBothSides
	void requestsOfASessionAreCarriedOutAndAnsweredInTheirOrder(ServerSide chosen) {
		on(chosen);
		int since = this.client.size();
		this.client.create("/q/a", CreateMode.EPHEMERAL)
			.getData("/q/a", null)
			.setData("/q/a", "new", 0)
			.exists("/q/a", null)
			.sync("/q/a")
			.getChildren("/q", null)
			.delete("/q/a", 1)
			.getData("/q/a", null)
			.awaitAnswers();
		assertThat(this.client.told(since)).containsExactly("create EPHEMERAL /q/a: OK", "getData /q/a: OK",
				"setData /q/a version 0: OK", "exists /q/a: OK", "sync /q/a: OK", "getChildren /q: OK",
				"delete /q/a version 1: OK", "getData /q/a: NONODE");
		assertThat(this.client.last("getChildren /q")).contains("[a]");
	}

	@OnBothSides
	void numbersOfADirectoryHaveNoGapsWhateverIsDeleted(ServerSide chosen) {
		on(chosen);
		this.client.create("/q/n-", CreateMode.EPHEMERAL_SEQUENTIAL)
			.delete("/q/n-0000000000", -1)
			.create("/q/n-", CreateMode.EPHEMERAL_SEQUENTIAL)
			.create("/q/m-", CreateMode.PERSISTENT_SEQUENTIAL)
			.delete("/q/m-0000000002", -1)
			.awaitAnswers();
		this.other.create("/q/n-", CreateMode.EPHEMERAL_SEQUENTIAL).awaitAnswers();
		assertThat(this.other.children("/q")).containsExactly("n-0000000001", "n-0000000003");
	}

	@OnBothSides
	void aNodeWithoutANumberTakesOneToo(ServerSide chosen) {
		on(chosen);
		this.client.create("/q/record", CreateMode.PERSISTENT)
			.create("/q/n-", CreateMode.EPHEMERAL_SEQUENTIAL)
			.awaitAnswers();
		assertThat(this.client.children("/q")).containsExactly("n-0000000001", "record");
	}

	@OnBothSides
	void aRefusedCreateTakesNoNumber(ServerSide chosen) {
		on(chosen);
		this.client.create("/q/record", CreateMode.PERSISTENT)
			.create("/q/record", CreateMode.PERSISTENT)
			.multi(List.of(Op.create("/q/n-", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL),
					Op.check("/q/none", -1)))
			.create("/q/n-", CreateMode.EPHEMERAL_SEQUENTIAL)
			.awaitAnswers();
		assertThat(this.client.children("/q")).containsExactly("n-0000000001", "record");
	}

	@OnBothSides
	void numbersBeginAnewOnlyWithANewDirectory(ServerSide chosen) {
		on(chosen);
		this.client.create("/q/d", CreateMode.CONTAINER)
			.create("/q/d/n-", CreateMode.EPHEMERAL_SEQUENTIAL)
			.delete("/q/d/n-0000000000", -1)
			.create("/q/d", CreateMode.CONTAINER)
			.create("/q/d/n-", CreateMode.EPHEMERAL_SEQUENTIAL)
			.awaitAnswers();
		assertThat(this.client.children("/q/d")).containsExactly("n-0000000001");
		this.client.delete("/q/d/n-0000000001", -1)
			.delete("/q/d", -1)
			.create("/q/d", CreateMode.CONTAINER)
			.create("/q/d/n-", CreateMode.EPHEMERAL_SEQUENTIAL)
			.awaitAnswers();
		assertThat(this.client.children("/q/d")).containsExactly("n-0000000000");
	}

	@OnBothSides
	void transactionsOfNodesGrowAcrossSessionsAndDirectories(ServerSide chosen) {
		on(chosen);
		this.client.create("/q/d", CreateMode.CONTAINER).create("/q/d/n-", CreateMode.EPHEMERAL_SEQUENTIAL);
		Stat first = this.client.awaitAnswers().stat("/q/d/n-0000000000");
		this.client.delete("/q/d/n-0000000000", -1).delete("/q/d", -1).awaitAnswers();
		this.other.create("/q/d", CreateMode.CONTAINER).create("/q/d/n-", CreateMode.EPHEMERAL_SEQUENTIAL);
		Stat second = this.other.awaitAnswers().stat("/q/d/n-0000000000");
		assertThat(second.getCzxid()).isGreaterThan(first.getCzxid());
	}

	@OnBothSides
	void aNodeSaysWhoseItIs(ServerSide chosen) {
		on(chosen);
		this.client.create("/q/n-", CreateMode.EPHEMERAL_SEQUENTIAL).awaitAnswers();
		assertThat(this.client.last("create EPHEMERAL_SEQUENTIAL")).contains("owner client ");
		assertThat(this.other.stat("/q/n-0000000000").getEphemeralOwner()).isEqualTo(this.client.session());
	}

	@OnBothSides
	void onlyWhoKnowsTheVersionMayChangeANodeOnCondition(ServerSide chosen) {
		on(chosen);
		int since = this.client.size();
		this.client.create("/q/a", CreateMode.EPHEMERAL)
			.setData("/q/a", "1", 0)
			.setData("/q/a", "2", 0)
			.setData("/q/a", "3", -1)
			.delete("/q/a", 1)
			.delete("/q/a", 2)
			.delete("/q/a", -1)
			.awaitAnswers();
		assertThat(this.client.told(since)).containsExactly("create EPHEMERAL /q/a: OK", "setData /q/a version 0: OK",
				"setData /q/a version 0: BADVERSION", "setData /q/a version -1: OK",
				"delete /q/a version 1: BADVERSION", "delete /q/a version 2: OK", "delete /q/a version -1: NONODE");
	}

	@OnBothSides
	void aDirectoryIsNeitherMissingNorDeletedUnderANode(ServerSide chosen) {
		on(chosen);
		int since = this.client.size();
		this.client.create("/q/d/n-", CreateMode.EPHEMERAL_SEQUENTIAL)
			.create("/q/d", CreateMode.CONTAINER)
			.create("/q/d", CreateMode.CONTAINER)
			.create("/q/d/e", CreateMode.EPHEMERAL)
			.delete("/q/d", -1)
			.create("/q/d/e/n", CreateMode.EPHEMERAL)
			.awaitAnswers();
		assertThat(this.client.told(since)).containsExactly("create EPHEMERAL_SEQUENTIAL /q/d/n-: NONODE",
				"create CONTAINER /q/d: OK", "create CONTAINER /q/d: NODEEXISTS", "create EPHEMERAL /q/d/e: OK",
				"delete /q/d version -1: NOTEMPTY", "create EPHEMERAL /q/d/e/n: NOCHILDRENFOREPHEMERALS");
	}

	@OnBothSides
	void aTransactionIsAllOrNothingAndSaysWhatFailed(ServerSide chosen) {
		on(chosen);
		this.client.create("/q/a", CreateMode.EPHEMERAL)
			.multi(List.of(Op.setData("/q/a", new byte[1], -1), Op.delete("/q/none", -1), Op.delete("/q/a", -1),
					Op.check("/q", -1)))
			.awaitAnswers();
		assertThat(this.client.last("multi")).contains(": NONODE")
			.contains("[error OK, error NONODE, error RUNTIMEINCONSISTENCY, error RUNTIMEINCONSISTENCY]");
		assertThat(this.client.stat("/q/a").getVersion()).isZero();
	}

	@OnBothSides
	void theWritesOfATransactionHaveOneZxidAndSeeEachOther(ServerSide chosen) {
		on(chosen);
		this.client.multi(List.of(
				Op.create("/q/d", new byte[0],
						CreateOptions.newBuilder(Ids.OPEN_ACL_UNSAFE, CreateMode.CONTAINER).build()),
				Op.create("/q/d/n-", new byte[0],
						CreateOptions.newBuilder(Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL).build()),
				Op.setData("/q/d", new byte[2], 0), Op.delete("/q/d/n-0000000000", -1)))
			.awaitAnswers();
		assertThat(this.client.last("multi")).contains(": OK").contains("created /q/d/n-0000000000 czxid");
		Stat directory = this.client.stat("/q/d");
		assertThat(directory.getMzxid()).isEqualTo(directory.getCzxid()).isEqualTo(directory.getPzxid());
		assertThat(this.client.children("/q/d")).isEmpty();
	}

	@OnBothSides
	void aTransactionOfReadsAnswersEachForItself(ServerSide chosen) {
		on(chosen);
		this.client.create("/q/a", CreateMode.EPHEMERAL)
			.multi(List.of(Op.getChildren("/q"), Op.getChildren("/q/none"), Op.getData("/q/a")))
			.awaitAnswers();
		assertThat(this.client.last("multi"))
			.contains(": NONODE | null | [children [a], error NONODE, data client czxid");
	}

	@OnBothSides
	void anEventComesBeforeTheReplyThatShowsTheChange(ServerSide chosen) {
		on(chosen);
		this.client.create("/q/a", CreateMode.EPHEMERAL).getData("/q/a", "watcher").awaitAnswers();
		this.other.delete("/q/a", -1).awaitAnswers();
		int since = this.client.size();
		this.client.exists("/q/a", null).awaitAnswers();
		assertThat(this.client.told(0).subList(since - 1, this.client.size())).endsWith("NodeDeleted /q/a for watcher",
				"exists /q/a: NONODE");
	}

	@OnBothSides
	void anEventOfAnOwnChangeComesBeforeItsReply(ServerSide chosen) {
		on(chosen);
		int since = this.client.size();
		this.client.create("/q/a", CreateMode.EPHEMERAL)
			.getData("/q/a", "watcher")
			.setData("/q/a", "new", -1)
			.awaitAnswers();
		assertThat(this.client.told(since)).containsExactly("create EPHEMERAL /q/a: OK",
				"getData /q/a watched by watcher: OK", "NodeDataChanged /q/a for watcher",
				"setData /q/a version -1: OK");
	}

	@OnBothSides
	void aWatchTellsOfOneChange(ServerSide chosen) {
		on(chosen);
		int since = this.client.size();
		this.client.create("/q/a", CreateMode.EPHEMERAL)
			.getData("/q/a", "watcher")
			.getData("/q/a", "watcher")
			.setData("/q/a", "1", -1)
			.setData("/q/a", "2", -1)
			.delete("/q/a", -1)
			.awaitAnswers();
		assertThat(this.client.told(since)).containsOnlyOnce("NodeDataChanged /q/a for watcher")
			.doesNotContain("NodeDeleted /q/a for watcher");
	}

	@OnBothSides
	void aReadOfANodeThatIsMissingLeavesNoWatchButALookForItDoes(ServerSide chosen) {
		on(chosen);
		int since = this.client.size();
		this.client.getData("/q/a", "reader")
			.getChildren("/q/a", "lister")
			.exists("/q/b", "looker")
			.create("/q/a", CreateMode.EPHEMERAL)
			.create("/q/b", CreateMode.EPHEMERAL)
			.awaitAnswers();
		assertThat(this.client.told(since)).containsOnlyOnce("NodeCreated /q/b for looker")
			.noneMatch((told) -> told.contains("for reader") || told.contains("for lister"));
	}

	@OnBothSides
	void aDataWatchOnADirectoryIsQuietUntilTheDirectoryIsDeleted(ServerSide chosen) {
		on(chosen);
		int since = this.client.size();
		this.client.create("/q/d", CreateMode.CONTAINER)
			.getData("/q/d", "watcher")
			.create("/q/d/n", CreateMode.EPHEMERAL)
			.delete("/q/d/n", -1)
			.awaitAnswers();
		assertThat(this.client.told(since)).noneMatch((told) -> told.contains("for watcher"));
		this.other.delete("/q/d", -1).awaitAnswers();
		this.client.awaitEvent(since, "NodeDeleted /q/d for watcher");
	}

	@OnBothSides
	void aChildWatchTellsOfEachKindOfChildAndOfTheEnd(ServerSide chosen) {
		on(chosen);
		int since = this.client.size();
		this.client.create("/q/d", CreateMode.CONTAINER)
			.getChildren("/q/d", "watcher")
			.create("/q/d/n", CreateMode.EPHEMERAL)
			.getChildren("/q/d", "watcher")
			.setData("/q/d/n", "new", -1)
			.delete("/q/d/n", -1)
			.getChildren("/q/d", "watcher")
			.delete("/q/d", -1)
			.awaitAnswers();
		assertThat(this.client.told(since).stream().filter((told) -> told.contains("for watcher"))).containsExactly(
				"NodeChildrenChanged /q/d for watcher", "NodeChildrenChanged /q/d for watcher",
				"NodeDeleted /q/d for watcher");
	}

	@OnBothSides
	void theServerRemovesOnlyAllWatchesOfAClientOnANode(ServerSide chosen) {
		on(chosen);
		this.client.create("/q/a", CreateMode.EPHEMERAL)
			.getData("/q/a", "first")
			.getData("/q/a", "second")
			.awaitAnswers();
		this.other.getData("/q/a", "stranger").awaitAnswers();
		int since = this.client.size();
		this.client.removeWatches("/q/a", "first", WatcherType.Data, true).setData("/q/a", "new", -1).awaitAnswers();
		assertThat(this.client.told(since)).containsExactly("DataWatchRemoved /q/a for first",
				"removeWatches Data /q/a watched by first: OK", "NodeDataChanged /q/a for second",
				"setData /q/a version -1: OK");
		this.other.awaitEvent(0, "NodeDataChanged /q/a for stranger");
	}

	@OnBothSides
	void allWatchersAreToldThatTheirWatchWasRemovedBeforeTheReply(ServerSide chosen) {
		on(chosen);
		this.client.create("/q/a", CreateMode.EPHEMERAL)
			.getData("/q/a", "first")
			.exists("/q/a", "second")
			.awaitAnswers();
		int since = this.client.size();
		this.client.removeAllWatches("/q/a", WatcherType.Data, true)
			.removeAllWatches("/q/a", WatcherType.Data, true)
			.setData("/q/a", "new", -1)
			.awaitAnswers();
		List<String> told = this.client.told(since);
		assertThat(told.subList(0, 2)).containsExactlyInAnyOrder("DataWatchRemoved /q/a for first",
				"DataWatchRemoved /q/a for second");
		assertThat(told.subList(2, told.size())).containsExactly("removeAllWatches Data /q/a: OK",
				"removeAllWatches Data /q/a: NOWATCHER", "setData /q/a version -1: OK");
	}

	@OnBothSides
	void theReaperTakesOnlyContainersThatHadAChildAndHaveNone(ServerSide chosen) {
		on(chosen);
		this.client.create("/q/new", CreateMode.CONTAINER)
			.create("/q/full", CreateMode.CONTAINER)
			.create("/q/full/n", CreateMode.EPHEMERAL)
			.create("/q/plain", CreateMode.PERSISTENT)
			.create("/q/plain/n", CreateMode.EPHEMERAL)
			.delete("/q/plain/n", -1)
			.create("/q/empty", CreateMode.CONTAINER)
			.create("/q/empty/n", CreateMode.EPHEMERAL)
			.delete("/q/empty/n", -1)
			.getData("/q/empty", "watcher")
			.awaitAnswers();
		this.side.reapContainers();
		this.client.awaitEvent(0, "NodeDeleted /q/empty for watcher");
		assertThat(this.client.children("/q")).containsExactly("full", "new", "plain");
	}

	@OnBothSides
	void whoMayNotCreateOrDeleteIsTold(ServerSide chosen) {
		on(chosen);
		this.client.create("/q/d", CreateMode.PERSISTENT, Ids.READ_ACL_UNSAFE, (created) -> {
		}).create("/q/d/n", CreateMode.EPHEMERAL).setData("/q/d", "new", -1).getData("/q/d", null).awaitAnswers();
		assertThat(this.client.told(0)).contains("create EPHEMERAL /q/d/n: NOAUTH", "setData /q/d version -1: NOAUTH",
				"getData /q/d: OK");
	}

}
