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
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.support.Fault;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.EngineParts;
import io.github.zklock.zookeeper.FaultScenario;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.local.LockAttempt;
import io.github.zklock.zookeeper.session.SessionLease;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a grant costs after a wait that has used up the lease of an idle session: one
 * round trip, in which the session is confirmed and the queue is listed.
 */
@Tag("server")
class LongWaitCostTests {

	private static final Duration WAIT = Duration.ofMinutes(2);

	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final FaultScenario scenario = FaultScenario.ours(server, SESSION_TIMEOUT);

	private LockHandle before;

	private LockAttempt waiting;

	// Not known to the provider, which would look by itself.
	@BeforeEach
	void waitForLong() {
		this.before = this.scenario.rival().locks().acquire(this.scenario.request(WAIT));
		EngineParts engine = EngineParts.of((ZooKeeperLockProvider) this.scenario.victim().locks());
		this.waiting = new LockAttempt(engine.tracker(), engine.tasks(), engine.paths(), this.scenario.request(WAIT),
				() -> new byte[0], WAIT);
		engine.queues().enter(this.waiting);
		Awaitility.await().until(() -> server.watched("/locks").size() == 1);
		SessionLease lease = engine.tracker().usable().lease();
		long entered = lease.now();
		Awaitility.await().until(() -> lease.now() - entered > SESSION_TIMEOUT.toNanos());
	}

	@AfterEach
	void leaveNothing() {
		this.scenario.assertNothingLeft();
	}

	@Test
	void queueIsNotListedAgainOnceTheSessionIsConfirmed() throws Exception {
		assertThat(requestsOfTheGrant()).doesNotContainKey(ZooKeeperOperation.GET_CHILDREN);
	}

	@Test
	void queueIsListedOnceIfTheNodeOfTheWaiterMayBeGone() throws Exception {
		recheckTwice();
		assertThat(requestsOfTheGrant()).containsEntry(ZooKeeperOperation.GET_CHILDREN, 1L);
	}

	@Test
	void sessionIsConfirmedInTheRoundTripOfTheListing() throws Exception {
		recheckTwice();
		long listings = listings();
		Fault heartbeat = this.scenario.network().on(ZooKeeperOperation.CREATE, "~sessions").holdRequest();
		this.before.release();
		heartbeat.awaitFired();
		assertThat(listings()).isEqualTo(listings);
		heartbeat.release();
		this.waiting.verdict().join().handleOrThrow().release();
		assertThat(listings()).isEqualTo(listings + 1);
	}

	// An answer that came after the release would list the queue once more.
	private void recheckTwice() throws Exception {
		for (int i = 0; i < 2; i++) {
			this.waiting.checkWatchedNode();
			CompletableFuture<Void> answered = new CompletableFuture<>();
			StatCallback callback = (rc, path, context, stat) -> answered.complete(null);
			this.scenario.victim().curator().getZookeeperClient().getZooKeeper().exists("/", false, callback, null);
			answered.get(1, TimeUnit.MINUTES);
		}
	}

	private long listings() {
		return this.scenario.network().requests().count(ZooKeeperOperation.GET_CHILDREN, this.scenario.directory());
	}

	private Map<ZooKeeperOperation, Long> requestsOfTheGrant() throws Exception {
		long heartbeats = this.scenario.heartbeats();
		return this.scenario.network().requests().during(this.scenario.directory(), () -> {
			this.before.release();
			LockHandle granted = this.waiting.verdict().get(1, TimeUnit.MINUTES).handleOrThrow();
			Awaitility.await().until(granted::isHeld);
			assertThat(this.scenario.heartbeats()).isGreaterThan(heartbeats);
			granted.release();
			return null;
		});
	}

}
