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

package io.github.zklock.zookeeper.session;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockState;
import io.github.zklock.support.Fault;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.EngineParts;
import io.github.zklock.zookeeper.FaultScenario;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The node that heartbeats are written to is there while it is needed, and goes a minute
 * after the last lock.
 */
@Tag("server")
class HeartbeatNodeTests {

	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final FaultScenario scenario = FaultScenario.ours(server, SESSION_TIMEOUT);

	@Test
	void nodeGoesWhenNoLockWasHeldForLong() {
		LockHandle handle = holdUntilThereIsANode();
		handle.release();
		session().tidy(System.nanoTime());
		assertThat(nodes()).hasSize(1);
		session().tidy(System.nanoTime() + LeaseHeartbeat.UNUSED);
		Awaitility.await().until(() -> nodes().isEmpty());
		LockHandle next = holdUntilThereIsANode();
		Awaitility.await().until(next::state, LockState.HELD::equals);
		next.release();
	}

	@Test
	void nodeStaysWhileALockIsHeld() throws Exception {
		LockHandle handle = holdUntilThereIsANode();
		session().tidy(System.nanoTime() + LeaseHeartbeat.UNUSED);
		// What was sent before has arrived when this is answered.
		this.scenario.victim().curator().checkExists().forPath("/");
		assertThat(this.scenario.network().requests().count(ZooKeeperOperation.DELETE, "~sessions")).isZero();
		handle.release();
	}

	@Test
	void lockIsHeldOnWhenADeleteMeetsAHeartbeat() {
		LockHandle handle = holdUntilThereIsANode();
		long heartbeats = this.scenario.heartbeats();
		session().heartbeat().deleteNode();
		Awaitility.await().until(() -> this.scenario.heartbeats() > heartbeats + 1 && nodes().size() == 1);
		Awaitility.await().until(handle::state, LockState.HELD::equals);
		handle.release();
	}

	@Test
	void deleteIsRepeatedWhenItsOutcomeIsUnknown() {
		holdUntilThereIsANode().release();
		this.scenario.network().on(ZooKeeperOperation.DELETE, "~sessions").killBefore();
		Awaitility.await().until(() -> {
			session().tidy(System.nanoTime() + LeaseHeartbeat.UNUSED);
			return this.scenario.network().pending().isEmpty() && nodes().isEmpty();
		});
	}

	@Test
	void nodeThatIsCreatedDuringTheShutdownIsDeleted() {
		holdUntilThereIsANode().release();
		session().tidy(System.nanoTime() + LeaseHeartbeat.UNUSED);
		Awaitility.await().until(() -> nodes().isEmpty());
		Fault creation = this.scenario.network().on(ZooKeeperOperation.CREATE, "~sessions").holdReply();
		CompletableFuture<LockHandle> acquiring = this.scenario.victim()
			.locks()
			.acquireAsync(this.scenario.request(FaultScenario.WAIT));
		creation.awaitFired();
		acquiring.thenCompose(LockHandle::releaseAsync);
		assertThat(nodes()).hasSize(1);
		session().heartbeat().deleteNode();
		creation.release();
		Awaitility.await().until(() -> nodes().isEmpty());
	}

	// A follower without the leader may refuse a client that has no permission.
	@Test
	void refusedHeartbeatCountsOnlyWhenTheLeaderHasAnswered() throws Exception {
		CuratorFramework client = this.scenario.victim().curator();
		String directory = "/locks/~sessions";
		client.create().orSetData().creatingParentsIfNeeded().forPath(directory);
		client.setACL().withACL(Ids.READ_ACL_UNSAFE).forPath(directory);
		try {
			Fault question = this.scenario.network().on(ZooKeeperOperation.MULTI, "~sessions").holdRequest();
			LockHandle handle = this.scenario.victim().locks().acquire(this.scenario.request(FaultScenario.WAIT));
			question.awaitFired();
			Awaitility.await().until(handle::state, LockState.UNCERTAIN::equals);
			question.release();
			Awaitility.await().until(handle::state, LockState.HELD::equals);
			assertThat(nodes()).isEmpty();
			handle.release();
		}
		finally {
			client.delete().forPath(directory);
		}
	}

	@Test
	void refusalForAnEphemeralDirectoryIsAnAnswerOfTheLeader() throws Exception {
		CuratorFramework stranger = this.scenario.rival().curator();
		String root = "/" + UUID.randomUUID();
		stranger.create().forPath(root);
		stranger.create().withMode(CreateMode.EPHEMERAL).forPath(root + "/~sessions");
		try (LockClient<ZooKeeperLockProvider> client = LockClient.connect(this.scenario.network().connectString(),
				SESSION_TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator)
					.root(root)
					.serverTick(ZooKeeperServerFixture.TICK)
					.tryTimeout(FaultScenario.WAIT)
					.build())) {
			LockHandle handle = client.locks().acquire(this.scenario.request(FaultScenario.WAIT));
			// More heartbeats than a lease without them lasts for.
			Awaitility.await()
				.until(() -> handle.state() == LockState.LOST
						|| this.scenario.network().requests().count(ZooKeeperOperation.MULTI, "~sessions") > 8);
			Awaitility.await().until(handle::state, LockState.HELD::equals);
			handle.release();
		}
	}

	private LockHandle holdUntilThereIsANode() {
		LockHandle handle = this.scenario.victim().locks().acquire(this.scenario.request(FaultScenario.WAIT));
		Awaitility.await().until(() -> !nodes().isEmpty());
		return handle;
	}

	private List<String> nodes() {
		return server.children("/locks/~sessions");
	}

	private LockSession session() {
		EngineParts engine = EngineParts.of((ZooKeeperLockProvider) this.scenario.victim().locks());
		return engine.tracker().current();
	}

}
