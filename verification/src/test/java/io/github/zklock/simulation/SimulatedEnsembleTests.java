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

import java.util.Map;
import java.util.TreeMap;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.SimulatedZooKeeper;
import org.apache.zookeeper.Watcher.WatcherType;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.ZooKeeper.States;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SimulatedEnsemble}: what a client sees of it.
 */
class SimulatedEnsembleTests {

	private final Listeners all = new Listeners(1);

	@Test
	void aClientConnectsAndItsRequestsAreAnsweredInOrder() {
		SimulatedZooKeeper client = this.all.connect("a");
		this.all.create(client, "/locks", CreateMode.CONTAINER);
		this.all.create(client, "/locks/n-", CreateMode.EPHEMERAL_SEQUENTIAL);
		this.all.list(client, "/locks");
		this.all.delete(client, "/none");
		assertThat(this.all.hear(5)).containsExactly("a SyncConnected", "created /locks", "created /locks/n-0000000000",
				"listed [n-0000000000]", "deleted NONODE");
		assertThat(client.getState()).isEqualTo(States.CONNECTED);
		assertThat(this.all.ensemble.sessions()).containsExactly(client.getSessionId());
		assertThat(this.all.ensemble.nodes()).containsOnlyKeys("/", "/locks", "/locks/n-0000000000");
	}

	@Test
	void timesInAStatAreVirtual() {
		SimulatedZooKeeper client = this.all.connected("a");
		long before = this.all.millis();
		this.all.create(client, "/n", CreateMode.PERSISTENT);
		this.all.hear(1);
		client.exists("/n", false, (rc, path, context, stat) -> this.all.heard
			.add("in time " + (stat.getCtime() >= before && stat.getCtime() <= this.all.millis())), null);
		assertThat(this.all.hear(2)).last().isEqualTo("in time true");
	}

	@Test
	void anEventComesBeforeTheReplyThatShowsTheChange() {
		for (long seed = 0; seed < 50; seed++) {
			Listeners each = new Listeners(seed);
			SimulatedZooKeeper writer = each.connected("writer");
			SimulatedZooKeeper watching = each.connected("watching");
			each.watch(watching, "watching", "/n");
			each.hear(1);
			each.heard.clear();
			each.create(writer, "/n", CreateMode.EPHEMERAL);
			while (!each.heard.contains("exists OK")) {
				each.exists(watching, "/n");
				each.runFor(1);
			}
			assertThat(each.heard.indexOf("watching NodeCreated /n")).isBetween(0, each.heard.indexOf("exists OK"));
		}
	}

	@Test
	void aMultiIsAllOrNothingOnEachServer() {
		SimulatedZooKeeper[] clients = { this.all.connected("a", 1), this.all.connected("b", 2),
				this.all.connected("c", 3) };
		for (SimulatedZooKeeper client : clients) {
			this.all.heard.clear();
			this.all.multi(client, Op.create("/made", new byte[300], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT),
					Op.delete("/none", -1), Op.check("/", -1));
			this.all.exists(client, "/made");
			assertThat(this.all.hear(2)).containsExactly("multi NONODE [OK, NONODE, RUNTIMEINCONSISTENCY]",
					"exists NONODE");
		}
		for (SimulatedZooKeeper client : clients) {
			this.all.sync(client);
			this.all.list(client, "/");
		}
		assertThat(this.all.hear(8)).filteredOn((line) -> line.startsWith("listed"))
			.containsExactly("listed [zookeeper]", "listed [zookeeper]", "listed [zookeeper]");
	}

	@Test
	void aSilentSessionEndsWithItsNodesInTheTickAfterItsTimeOut() {
		SimulatedZooKeeper silent = this.all.connected("silent");
		SimulatedZooKeeper watching = this.all.connected("watching");
		this.all.create(silent, "/n", CreateMode.EPHEMERAL);
		this.all.hear(1);
		this.all.runFor(1000);
		this.all.watch(watching, "watching", "/n");
		this.all.hear(2);
		this.all.heard.clear();
		long crashed = this.all.millis();
		silent.crash();
		assertThat(this.all.hear(1)).containsExactly("watching NodeDeleted /n");
		// The follower tells its leader of the session with a ping, each half tick.
		assertThat(this.all.millis() - crashed).isBetween(Listeners.SESSION_TIMEOUT - 5_000L,
				Listeners.SESSION_TIMEOUT + 4_000L);
		assertThat(this.all.ensemble.sessions()).containsExactly(watching.getSessionId());
		assertThat(this.all.ensemble.node("/n")).isNull();
	}

	@Test
	void aClientThatOnlyPingsKeepsItsSession() {
		SimulatedZooKeeper client = this.all.connected("a");
		this.all.runFor(120_000);
		assertThat(this.all.heard).isEmpty();
		assertThat(this.all.ensemble.sessions()).containsExactly(client.getSessionId());
	}

	@Test
	void aClosedClientEndsItsSessionAtOnce() {
		SimulatedZooKeeper client = this.all.connected("a");
		this.all.create(client, "/n", CreateMode.EPHEMERAL);
		client.close();
		this.all.exists(client, "/n");
		assertThat(this.all.hear(3)).containsExactly("exists CONNECTIONLOSS", "created /n", "a Closed");
		assertThat(client.getState()).isEqualTo(States.CLOSED);
		assertThat(this.all.ensemble.sessions()).isEmpty();
	}

	@Test
	void aClientThatHasEndedCallsBackAtOnce() {
		SimulatedZooKeeper client = this.all.connected("a");
		client.close();
		this.all.hear(1);
		this.all.runFor(1);
		this.all.exists(client, "/n");
		assertThat(this.all.heard).containsExactly("a Closed", "exists SESSIONEXPIRED");
		assertThat(client.sendLane().isStopped()).isTrue();
		assertThat(client.eventLane().isStopped()).isTrue();
	}

	@Test
	void aSessionAndItsWatchesMoveToAnotherServer() {
		SimulatedZooKeeper client = this.all.connected("a");
		SimulatedZooKeeper writer = this.all.connected("writer");
		long session = client.getSessionId();
		this.all.create(client, "/n", CreateMode.EPHEMERAL);
		this.all.watch(client, "a", "/n");
		this.all.watch(client, "a", "/m");
		this.all.hear(3);
		this.all.heard.clear();
		int server = client.link().server();
		client.link().refuse(true);
		client.link().cut();
		this.all.hear(1);
		this.all.delete(writer, "/n");
		this.all.runUntil(() -> this.all.ensemble.node("/n") == null);
		client.link().refuse(false);
		this.all.runUntil(() -> this.all.heard.contains("a NodeDeleted /n"));
		assertThat(client.getSessionId()).isEqualTo(session);
		assertThat(client.link().server()).isNotZero().isNotEqualTo(server);
		this.all.create(writer, "/m", CreateMode.EPHEMERAL);
		this.all.runUntil(() -> this.all.heard.contains("a NodeCreated /m"));
		assertThat(this.all.heard).containsSubsequence("a Disconnected", "a SyncConnected", "a NodeDeleted /n",
				"a NodeCreated /m");
	}

	@Test
	void aClientThatComesBackTooLateHearsThatItsSessionHasExpired() {
		SimulatedZooKeeper client = this.all.connected("a");
		client.link().refuse(true);
		client.link().cut();
		this.all.hear(1);
		this.all.ensemble.expire(client.getSessionId());
		this.all.create(client, "/n", CreateMode.EPHEMERAL);
		client.link().refuse(false);
		this.all.runUntil(() -> this.all.heard.contains("a Expired"));
		assertThat(client.getState()).isEqualTo(States.CLOSED);
		int heard = this.all.heard.size();
		this.all.create(client, "/n", CreateMode.EPHEMERAL);
		assertThat(this.all.hear(heard + 1)).last().isEqualTo("created SESSIONEXPIRED");
	}

	@Test
	void aSessionThatIsKilledUnderAnOpenConnectionExpires() {
		SimulatedZooKeeper client = this.all.connected("a");
		this.all.ensemble.expire(client.getSessionId());
		assertThat(this.all.hear(2)).containsExactly("a Disconnected", "a Expired");
	}

	@Test
	void aRequestIsLostBeforeOrAfterItWasApplied() {
		SimulatedZooKeeper client = this.all.connected("a");
		client.link().cutBeforeNextRequest();
		this.all.create(client, "/before", CreateMode.PERSISTENT);
		assertThat(this.all.hear(3)).containsExactly("created CONNECTIONLOSS", "a Disconnected", "a SyncConnected");
		client.link().cutBeforeNextReply();
		this.all.create(client, "/after", CreateMode.PERSISTENT);
		this.all.list(client, "/");
		assertThat(this.all.hear(7)).endsWith("created CONNECTIONLOSS", "listed CONNECTIONLOSS", "a Disconnected",
				"a SyncConnected");
		assertThat(this.all.ensemble.nodes()).containsOnlyKeys("/", "/after");
	}

	@Test
	void aBlackHoleIsNoticedAfterTwoThirdsOfTheTimeOut() {
		SimulatedZooKeeper client = this.all.connected("a");
		this.all.exists(client, "/");
		this.all.hear(1);
		long silent = this.all.millis();
		client.link().blackHole();
		this.all.exists(client, "/");
		assertThat(this.all.hear(3)).containsExactly("exists OK", "exists CONNECTIONLOSS", "a Disconnected");
		assertThat(this.all.millis() - silent).isBetween(6_600L, 6_700L);
		assertThat(this.all.hear(4)).last().isEqualTo("a SyncConnected");
	}

	@Test
	void aClientThatWasPausedReadsWhatHasComeBeforeItLooksAtItsClock() {
		for (long seed = 0; seed < 20; seed++) {
			Listeners each = new Listeners(seed);
			SimulatedZooKeeper client = each.connected("a");
			each.watch(client, "a", "/n");
			each.hear(1);
			each.heard.clear();
			client.sendLane().pause();
			client.eventLane().pause();
			each.runFor(5_000);
			each.ensemble.create("/n", new byte[0], CreateMode.PERSISTENT);
			each.runFor(2_000);
			client.sendLane().resume();
			client.eventLane().resume();
			assertThat(each.hear(1)).containsExactly("a NodeCreated /n");
		}
	}

	@Test
	void aServerAnswersWithTheErrorThatIsInjected() {
		SimulatedZooKeeper client = this.all.connected("a");
		this.all.ensemble.fail((name, type, path) -> (name.equals("a") && type == OpCode.delete && path.equals("/n"))
				? Code.NOAUTH : null);
		this.all.create(client, "/n", CreateMode.PERSISTENT);
		this.all.delete(client, "/n");
		this.all.exists(client, "/n");
		assertThat(this.all.hear(3)).containsExactly("created /n", "deleted NOAUTH", "exists OK");
		this.all.ensemble.fail(null);
		this.all.delete(client, "/n");
		assertThat(this.all.hear(4)).last().isEqualTo("deleted OK");
	}

	@Test
	void aWatchIsRemovedOnBothSides() {
		SimulatedZooKeeper client = this.all.connected("a");
		this.all.watch(client, "a", "/n");
		client.removeAllWatches("/n", WatcherType.Data, true,
				(rc, path, context) -> this.all.heard.add("removed " + Code.get(rc)), null);
		assertThat(this.all.hear(3)).containsExactlyInAnyOrder("watched NONODE", "removed OK", "a DataWatchRemoved /n");
		assertThat(this.all.ensemble.watches()).isZero();
	}

	@Test
	void anEmptyContainerIsReapedButNotAFreshOne() {
		SimulatedZooKeeper client = this.all.connected("a");
		this.all.create(client, "/used", CreateMode.CONTAINER);
		this.all.create(client, "/used/n", CreateMode.EPHEMERAL);
		this.all.create(client, "/fresh", CreateMode.CONTAINER);
		this.all.delete(client, "/used/n");
		this.all.hear(4);
		this.all.runFor(125_000);
		assertThat(this.all.ensemble.nodes()).containsOnlyKeys("/", "/fresh");
	}

	@Test
	void anOperatorCreatesAndDeletesByHand() {
		this.all.ensemble.create("/n", new byte[] { 1 }, CreateMode.PERSISTENT);
		this.all.runUntil(() -> this.all.ensemble.node("/n") != null);
		this.all.ensemble.delete("/n");
		this.all.runUntil(() -> this.all.ensemble.node("/n") == null);
		assertThat(this.all.ensemble.sessions()).isEmpty();
	}

	@Test
	void aServerLimitsTheTimeOutOfASession() {
		Map<Integer, Integer> agreed = new TreeMap<>();
		for (int wanted : new int[] { 100, 10_000, 100_000 }) {
			SimulatedZooKeeper client = this.all.ensemble.connect("c" + wanted, wanted, (event) -> {
			});
			this.all.runUntil(() -> client.getState().isConnected());
			agreed.put(wanted, client.getSessionTimeout());
		}
		assertThat(agreed).containsExactlyInAnyOrderEntriesOf(Map.of(100, 4_000, 10_000, 10_000, 100_000, 40_000));
	}

	@Test
	void theBlockingMethodsAreRefused() {
		SimulatedZooKeeper client = this.all.connected("a");
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> client.exists("/", false))
			.withMessage("A simulated client has no blocking methods");
	}

}
