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

import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.SimulatedZooKeeper;
import org.apache.zookeeper.ZooKeeper.States;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SimulatedEnsemble}: what its servers do among each other.
 */
class SimulatedQuorumTests {

	private static final EnsembleSettings LATE = EnsembleSettings.defaults().withLag(TimeUnit.MILLISECONDS.toNanos(50));

	private final Listeners all = new Listeners(1);

	@Test
	void aFollowerLagsUntilItIsAskedToSynchronize() {
		boolean lagged = false;
		for (long seed = 0; seed < 20; seed++) {
			Listeners each = new Listeners(seed, LATE);
			int leader = each.ensemble.leader();
			SimulatedZooKeeper writer = each.connected("writer", leader);
			SimulatedZooKeeper reader = each.connected("reader", leader % 3 + 1);
			each.create(writer, "/n", CreateMode.PERSISTENT);
			each.hear(1);
			each.exists(reader, "/n");
			each.sync(reader);
			each.exists(reader, "/n");
			assertThat(each.hear(4)).endsWith("synced OK", "exists OK");
			lagged |= each.heard.contains("exists NONODE");
		}
		assertThat(lagged).isTrue();
	}

	@Test
	void aSynchronizationWaitsForWhatTheLeaderHasProposed() {
		for (long seed = 0; seed < 20; seed++) {
			Listeners each = new Listeners(seed, LATE);
			int leader = each.ensemble.leader();
			SimulatedZooKeeper writer = each.connected("writer", leader);
			SimulatedZooKeeper reader = each.connected("reader", leader % 3 + 1);
			each.create(writer, "/n", CreateMode.PERSISTENT);
			each.runFor(5);
			each.sync(reader);
			each.exists(reader, "/n");
			each.runUntil(() -> each.heard.contains("synced OK"));
			each.hear(3);
			assertThat(each.heard).contains("exists OK");
		}
	}

	@Test
	void whatWasAcknowledgedSurvivesACrashOfTheLeader() {
		for (long seed = 0; seed < 30; seed++) {
			Listeners each = new Listeners(seed, LATE);
			int leader = each.ensemble.leader();
			SimulatedZooKeeper writer = each.connected("writer", leader);
			SimulatedZooKeeper reader = each.connected("reader", leader % 3 + 1, (leader + 1) % 3 + 1);
			long session = reader.getSessionId();
			each.create(writer, "/n", CreateMode.EPHEMERAL);
			each.hear(1);
			each.ensemble.crash(leader);
			assertThat(each.ensemble.leader()).isZero();
			each.runUntil(() -> each.heard.contains("reader SyncConnected"));
			assertThat(each.ensemble.leader()).isNotZero().isNotEqualTo(leader);
			each.list(reader, "/");
			each.runUntil(() -> each.heard.contains("listed [n, zookeeper]"));
			assertThat(reader.getSessionId()).isEqualTo(session);
			each.ensemble.restart(leader);
			each.runUntil(() -> each.heard.contains("writer SyncConnected"));
			each.heard.clear();
			each.exists(writer, "/n");
			assertThat(each.hear(1)).containsExactly("exists OK");
		}
	}

	@Test
	void aServerThatLacksWhatWasAcknowledgedIsNotElected() {
		for (long seed = 0; seed < 10; seed++) {
			Listeners each = new Listeners(seed);
			int leader = each.ensemble.leader();
			int second = leader % 3 + 1;
			int third = second % 3 + 1;
			each.ensemble.isolate(third);
			each.runFor(20_000);
			SimulatedZooKeeper client = each.connected("a", leader, second);
			each.create(client, "/n", CreateMode.EPHEMERAL);
			assertThat(each.hear(1)).containsExactly("created /n");
			each.ensemble.crash(leader);
			each.ensemble.heal(third);
			each.runUntil(() -> each.ensemble.leader() != 0);
			assertThat(each.ensemble.leader()).isEqualTo(second);
			SimulatedZooKeeper other = each.connected("b", third);
			each.sync(other);
			each.exists(other, "/n");
			each.runUntil(() -> each.heard.contains("exists OK"));
		}
	}

	@Test
	void whatWasOnlyProposedSurvivesAnElectionOrVanishes() {
		TreeSet<Boolean> survived = new TreeSet<>();
		for (long seed = 0; seed < 40; seed++) {
			Listeners each = new Listeners(seed, LATE);
			int leader = each.ensemble.leader();
			SimulatedZooKeeper client = each.connected("a", leader, leader % 3 + 1);
			each.create(client, "/n", CreateMode.PERSISTENT);
			each.runFor((seed % 2 != 0) ? 60 : 1);
			each.ensemble.crash(leader);
			each.runUntil(() -> each.ensemble.leader() != 0 && each.heard.contains("created CONNECTIONLOSS")
					|| each.heard.contains("created /n"));
			each.runUntil(() -> each.ensemble.leader() != 0);
			each.ensemble.restart(leader);
			each.runFor(10_000);
			if (!each.heard.contains("created /n")) {
				survived.add(each.ensemble.node("/n") != null);
			}
		}
		assertThat(survived).containsExactly(false, true);
	}

	@Test
	void aLeaderThatIsCutOffServesOldStateUntilItGivesUp() {
		int old = this.all.ensemble.leader();
		SimulatedZooKeeper client = this.all.connected("a", old);
		this.all.ensemble.isolate(old);
		this.all.create(client, "/lost", CreateMode.PERSISTENT);
		this.all.runFor(1000);
		SimulatedZooKeeper reader = this.all.connect("reader", false, old);
		this.all.runFor(1000);
		assertThat(reader.getState()).isEqualTo(States.CONNECTING);
		assertThat(this.all.heard).isEmpty();
		this.all.runUntil(() -> this.all.ensemble.leader() != 0 && this.all.ensemble.leader() != old);
		SimulatedZooKeeper writer = this.all.connect("writer", false, old % 3 + 1, (old + 1) % 3 + 1);
		this.all.create(writer, "/kept", CreateMode.PERSISTENT);
		this.all.runUntil(() -> this.all.heard.contains("created /kept"));
		assertThat(this.all.heard).contains("created CONNECTIONLOSS", "a Disconnected");
		this.all.ensemble.heal(old);
		this.all.runUntil(() -> this.all.heard.contains("reader SyncConnected"));
		assertThat(this.all.ensemble.nodes()).containsOnlyKeys("/", "/kept");
	}

	@Test
	void nothingIsCommittedWithoutAMajority() {
		SimulatedZooKeeper client = this.all.connected("a");
		this.all.ensemble.crash(this.all.ensemble.leader() % 3 + 1);
		this.all.ensemble.crash((this.all.ensemble.leader() + 1) % 3 + 1);
		this.all.create(client, "/n", CreateMode.PERSISTENT);
		this.all.runFor(60_000);
		assertThat(this.all.heard).contains("a Disconnected").doesNotContain("created /n");
		assertThat(this.all.ensemble.leader()).isZero();
		assertThat(this.all.ensemble.nodes()).containsOnlyKeys("/");
		for (int server = 1; server <= 3; server++) {
			this.all.ensemble.restart(server);
		}
		this.all.runUntil(() -> client.getState() == States.CONNECTED);
	}

	@Test
	void aServerWithoutAMajorityServesReadsToThoseWhoAcceptThat() {
		Listeners each = new Listeners(1, EnsembleSettings.defaults().withReadOnlyMode());
		each.ensemble.crash(2);
		each.ensemble.crash(3);
		each.runFor(20_000);
		SimulatedZooKeeper writer = each.connect("writer", false, 1);
		SimulatedZooKeeper reader = each.connect("reader", true, 1, 2);
		each.runUntil(() -> each.heard.contains("reader ConnectedReadOnly"));
		each.create(reader, "/n", CreateMode.PERSISTENT);
		each.list(reader, "/");
		each.runUntil(() -> each.heard.contains("listed [zookeeper]"));
		assertThat(each.heard).contains("created NOTREADONLY");
		assertThat(writer.getState()).isEqualTo(States.CONNECTING);
		each.ensemble.restart(2);
		each.runUntil(() -> each.heard.contains("reader SyncConnected") && each.heard.contains("writer SyncConnected"));
		assertThat(reader.getState()).isEqualTo(States.CONNECTED);
	}

	@Test
	void anElectionKeepsSessionsAndStartsTheirTimeOutsAgain() {
		SimulatedZooKeeper client = this.all.connected("a");
		SimulatedZooKeeper silent = this.all.connected("silent");
		long lost = silent.getSessionId();
		silent.crash();
		this.all.runFor(5_000);
		this.all.ensemble.elect();
		this.all.runUntil(() -> this.all.ensemble.leader() != 0);
		long elected = this.all.millis();
		assertThat(this.all.ensemble.sessions()).containsExactlyInAnyOrder(lost, client.getSessionId());
		this.all.runUntil(() -> !this.all.ensemble.sessions().contains(lost));
		assertThat(this.all.millis() - elected).isGreaterThan(9_900);
		assertThat(this.all.ensemble.sessions()).containsExactly(client.getSessionId());
	}

	@Test
	void aRequestThatArrivesAfterItsSessionHasMovedIsNotApplied() {
		for (long seed = 0; seed < 20; seed++) {
			Listeners each = new Listeners(seed);
			int leader = each.ensemble.leader();
			SimulatedZooKeeper client = each.connected("a", leader % 3 + 1, (leader + 1) % 3 + 1);
			int first = client.link().server();
			client.link().delay(TimeUnit.SECONDS.toNanos(11));
			each.create(client, "/late", CreateMode.PERSISTENT);
			each.runFor(1);
			client.link().delay(0);
			each.runUntil(() -> each.heard.contains("a SyncConnected") || each.heard.contains("created /late"));
			boolean applied = each.ensemble.node("/late") != null;
			assertThat(client.link().server() == first).isEqualTo(each.heard.contains("created /late"));
			each.runFor(20_000);
			assertThat(each.ensemble.node("/late") != null).isEqualTo(applied);
		}
	}

	@Test
	void aSingleServerStandsAlone() {
		Listeners alone = new Listeners(1, EnsembleSettings.defaults().withServers(1));
		SimulatedZooKeeper client = alone.connected("a");
		alone.create(client, "/n", CreateMode.EPHEMERAL);
		assertThat(alone.hear(1)).containsExactly("created /n");
		assertThat(alone.ensemble.zxid()).isEqualTo(2);
		alone.ensemble.crash(1);
		alone.runFor(1_000);
		alone.ensemble.restart(1);
		alone.runUntil(() -> alone.heard.contains("a SyncConnected"));
		assertThat(alone.ensemble.node("/n")).isNotNull();
	}

}
