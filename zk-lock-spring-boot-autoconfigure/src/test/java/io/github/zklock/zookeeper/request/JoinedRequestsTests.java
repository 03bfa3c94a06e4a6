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

package io.github.zklock.zookeeper.request;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.github.zklock.support.IndependentOfBoot;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.FaultScenario;
import io.github.zklock.zookeeper.tasks.Mender;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.data.Stat;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * A process that leaves a queue and enters it again says so in one transaction, which
 * changes nothing about what becomes of either.
 */
@IndependentOfBoot
class JoinedRequestsTests {

	private static final String DIRECTORY = "/joined";

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final Queue<String> answers = new ConcurrentLinkedQueue<>();

	private static final Mender NEVER = new Mender((action, delay) -> {
	});

	private FaultScenario scenario;

	private RequestCombiner combiner;

	@BeforeEach
	void connect() throws Exception {
		this.scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT);
		this.scenario.rival().curator().create().orSetData().forPath(DIRECTORY);
		this.scenario.rival().curator().create().orSetData().forPath(DIRECTORY + "/old");
		this.combiner = new RequestCombiner(this.scenario.victim().curator().getZookeeperClient().getZooKeeper(), NEVER,
				Runnable::run);
	}

	@AfterEach
	void disconnect() throws Exception {
		this.scenario.rival().curator().delete().deletingChildrenIfNeeded().forPath(DIRECTORY);
		this.scenario.close();
	}

	@Test
	void entryAndRemovalAreOneTransaction() {
		EntryRequest entry = entry();
		entry.createOnly();
		this.combiner.together(() -> this.combiner.send(entry), () -> this.combiner.send(removal("old")));
		assertAnswers("entered OK", "removed OK");
		assertThat(transactions()).isOne();
		assertThat(server.children(DIRECTORY)).hasSize(1).doesNotContain("old");
	}

	@Test
	void entryIsMadeAlsoIfTheNodeToRemoveIsGone() {
		EntryRequest entry = entry();
		entry.createOnly();
		this.combiner.together(() -> this.combiner.send(entry), () -> this.combiner.send(removal("gone")));
		assertAnswers("entered OK", "removed NONODE");
		assertThat(transactions()).isOne();
		assertThat(server.children(DIRECTORY)).hasSize(2);
	}

	@Test
	void nodesOfDifferentTransactionsHaveDifferentTokens() {
		EntryRequest entry = entry();
		entry.createOnly();
		EntryRequest other = entry();
		other.createOnly();
		this.combiner.together(() -> this.combiner.send(entry), () -> this.combiner.send(other));
		assertAnswers("entered OK", "entered OK");
		assertThat(transactions()).isZero();
	}

	@Test
	void removalDoesNotOvertakeAListing() {
		this.combiner.together(() -> this.combiner.send(entry()), () -> this.combiner.send(removal("old")));
		assertAnswers("entered OK", "listed 2", "removed OK");
		assertThat(transactions()).isZero();
	}

	@Test
	void requestThatGoesAloneDoesNotOvertakeOthers() {
		EntryRequest entry = entry();
		entry.createOnly();
		this.combiner.together(() -> this.combiner.send(entry), () -> this.combiner.send(removal("old").alone()));
		assertAnswers("entered OK", "removed OK");
		assertThat(transactions()).isZero();
	}

	@Test
	void removalIsSentAlsoIfTheEntryFails() {
		assertThatIllegalStateException().isThrownBy(() -> this.combiner.together(() -> {
			throw new IllegalStateException("not now");
		}, () -> this.combiner.send(removal("old"))));
		assertAnswers("removed OK");
	}

	private EntryRequest entry() {
		return new EntryRequest(DIRECTORY, DIRECTORY + "/new-", new byte[0], Ids.OPEN_ACL_UNSAFE, () -> {
		}, (int rc, String path, Object context, @Nullable String name,
				@Nullable Stat stat) -> this.answers.add("entered " + Code.get(rc)),
				(int rc, String path, Object context, @Nullable List<String> children) -> this.answers
					.add("listed " + children.size()));
	}

	private RemovalRequest removal(String name) {
		return new RemovalRequest(DIRECTORY, DIRECTORY + "/" + name,
				(rc, path, context) -> this.answers.add("removed " + Code.get(rc)));
	}

	private void assertAnswers(String... expected) {
		Awaitility.await().untilAsserted(() -> assertThat(this.answers).containsExactly(expected));
	}

	private long transactions() {
		return this.scenario.network().requests().count(ZooKeeperOperation.MULTI, DIRECTORY);
	}

}
