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

package io.github.zklock.zookeeper.queue;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockHandle;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.EngineParts;
import io.github.zklock.zookeeper.FaultScenario;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.local.LockAttempt;
import io.github.zklock.zookeeper.node.QueueNode;
import io.github.zklock.zookeeper.session.LockSession;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.commons.support.ReflectionSupport;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The watch on a node that somebody waits for, which is looked at now and then in case
 * its event is lost.
 */
@Tag("server")
class PredecessorsTests {

	private static final Duration WAIT = Duration.ofSeconds(30);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final FaultScenario scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT);

	private EngineParts engine;

	private LockHandle held;

	private LockAttempt waiting;

	// Not known to the provider, which would look by itself.
	@BeforeEach
	void waitForAnother() {
		this.held = this.scenario.rival().locks().acquire(this.scenario.request(WAIT));
		this.engine = EngineParts.of((ZooKeeperLockProvider) this.scenario.victim().locks());
		this.waiting = new LockAttempt(this.engine.tracker(), this.engine.tasks(), this.engine.paths(),
				this.scenario.request(WAIT), () -> new byte[0], WAIT);
		this.engine.queues().enter(this.waiting);
		Awaitility.await().until(() -> server.watched("/locks").size() == 1);
	}

	@AfterEach
	void leaveNothing() {
		this.held.release();
		this.waiting.verdict().join().handleOrThrow().release();
		this.scenario.assertNothingLeft();
	}

	@Test
	void nodeIsLookedAtFromTheSecondPeriodOnAndEverMoreRarely() throws Exception {
		assertThat(looksIn(1)).isZero();
		assertThat(looksIn(1)).isOne();
		assertThat(looksIn(14)).isEqualTo(3);
		assertThat(looksIn(16)).isOne();
		assertThat(looksIn(64)).isEqualTo(2);
	}

	@Test
	void nodeThatIsWatchedNoLongerIsForgotten() {
		LockSession session = this.engine.tracker().usable();
		QueueMutex lock = new QueueMutex(this.engine.tasks());
		Place place = new Place(this.engine.services(), session, this.waiting.request(), new byte[0],
				this.engine.paths().askForAcls("key"), lock, null);
		Predecessors ahead = place.ahead();
		String held = server.watched("/locks").get(0);
		String other = this.scenario.directory();
		lock.run(() -> ahead.watch(List.of(other), false));
		Awaitility.await().until(() -> watched(session).contains(other));
		lock.run(() -> ahead.watch(List.of(held), false));
		Awaitility.await().untilAsserted(() -> assertThat(watched(session)).contains(held).doesNotContain(other));
		lock.run(place::leave);
	}

	@Test
	void whoHasWaitedForLongIsNotLetInByANodeThatWasDeletedMeanwhile() throws Exception {
		String mine = this.scenario.directory() + "/" + ownNode();
		this.waiting.checkWatchedNode();
		this.waiting.checkWatchedNode();
		this.scenario.rival().curator().delete().forPath(mine);
		try (LockClient<ZooKeeperLockProvider> others = this.scenario.strict()) {
			CompletableFuture<LockHandle> next = this.scenario.enter(others, 2);
			this.held.release();
			LockHandle held = next.join();
			Awaitility.await().until(() -> this.waiting.isDecided() || this.scenario.left().size() == 2);
			assertThat(this.waiting.isDecided()).isFalse();
			held.release();
		}
	}

	private String ownNode() {
		return this.scenario.left()
			.stream()
			.map(QueueNode::parse)
			.max(Comparator.comparingLong(QueueNode::sequence))
			.orElseThrow()
			.name();
	}

	// What the client keeps; the server forgets a watch together with its node.
	@SuppressWarnings("unchecked")
	private static List<String> watched(LockSession session) {
		return (List<String>) ReflectionSupport.invokeMethod(
				ReflectionSupport.findMethod(session.zooKeeper().getClass(), "getDataWatches").orElseThrow(),
				session.zooKeeper());
	}

	private long looksIn(int periods) throws Exception {
		return this.scenario.network().requests().during(this.scenario.directory(), () -> {
			for (int i = 0; i < periods; i++) {
				this.waiting.checkWatchedNode();
			}
			// What was sent before has arrived when this is answered.
			return this.scenario.victim().curator().checkExists().forPath("/");
		}).getOrDefault(ZooKeeperOperation.EXISTS, 0L);
	}

}
