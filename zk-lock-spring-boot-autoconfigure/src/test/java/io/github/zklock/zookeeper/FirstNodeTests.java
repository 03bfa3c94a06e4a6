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

package io.github.zklock.zookeeper;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.Fault;
import io.github.zklock.support.FaultPlan;
import io.github.zklock.support.IndependentOfBoot;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A process that uses one new key after the other expects the next one to be new as well:
 * it asks for the directory and the first node in it at once, and lists nothing, since
 * nobody is before the first node. It comes to no harm if it was wrong.
 */
@IndependentOfBoot
class FirstNodeTests {

	private static final Duration WAIT = Duration.ofSeconds(30);

	private static final Map<ZooKeeperOperation, Long> EXPECTED = Map.of(ZooKeeperOperation.MULTI, 1L,
			ZooKeeperOperation.DELETE, 1L);

	private static final Map<ZooKeeperOperation, Long> UNEXPECTED = Map.of(ZooKeeperOperation.CREATE_CONTAINER, 1L,
			ZooKeeperOperation.CREATE, 1L, ZooKeeperOperation.GET_CHILDREN, 1L, ZooKeeperOperation.DELETE, 1L);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final LockRequest request = newKey();

	private FaultScenario scenario;

	@BeforeEach
	void useNewKey() {
		this.scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT);
		this.scenario.victim().locks().acquire(newKey()).release();
	}

	@AfterEach
	void disconnect() {
		this.scenario.close();
	}

	@Test
	void whoeverHoldsTheKeyIsWaitedFor() throws Exception {
		LockHandle holder = this.scenario.rival().locks().acquire(this.request);
		CompletableFuture<LockHandle> waiting = this.scenario.victim().locks().acquireAsync(this.request);
		Awaitility.await().until(() -> server.watched("/locks").size() == 1);
		assertThat(waiting).isNotDone();
		holder.release();
		LockHandle next = waiting.join();
		assertThat(next.fencingToken()).isGreaterThan(holder.fencingToken());
		next.release();
		assertNothingLeft();
	}

	@Test
	void keyThatWasUsedBeforeCostsOneAnswerMoreOnce() throws Exception {
		this.scenario.rival().locks().acquire(this.request).release();
		assertThat(use(this.request)).containsAllEntriesOf(UNEXPECTED).containsEntry(ZooKeeperOperation.MULTI, 1L);
		for (int i = 0; i < 4; i++) {
			assertThat(use(newKey())).isEqualTo(UNEXPECTED);
		}
		assertThat(use(newKey())).isEqualTo(EXPECTED);
	}

	@Test
	void directoryThatIsThereButWasNeverUsedIsTaken() throws Exception {
		this.scenario.rival().curator().create().forPath("/locks/" + this.request.key());
		assertThat(use(this.request)).containsEntry(ZooKeeperOperation.MULTI, 1L)
			.doesNotContainKey(ZooKeeperOperation.GET_CHILDREN);
	}

	@Test
	void whoeverWaitsBehindTheFirstNodeIsNext() {
		LockHandle holder = this.scenario.victim().locks().acquire(this.request);
		CompletableFuture<LockHandle> waiting = this.scenario.rival().locks().acquireAsync(this.request);
		CompletableFuture<LockHandle> here = this.scenario.victim().locks().acquireAsync(this.request);
		Awaitility.await().until(() -> server.children("/locks/" + this.request.key()).size() == 2);
		holder.release();
		CompletableFuture.allOf(here.thenAccept(LockHandle::release), waiting.thenAccept(LockHandle::release)).join();
		assertNothingLeft();
	}

	@Test
	void clientThatIsConfinedToAPartOfTheTreeDoesNotPayForItAgainAndAgain() throws Exception {
		this.scenario.rival().curator().create().orSetData().forPath("/confined");
		try (LockClient<ZooKeeperLockProvider> confined = LockClient.connect(
				this.scenario.network().connectString() + "/confined", FaultScenario.SESSION_TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			for (int i = 0; i < 5; i++) {
				confined.locks().acquire(newKey()).release();
			}
		}
		assertThat(this.scenario.network().requests().count(ZooKeeperOperation.MULTI, "/confined")).isOne();
	}

	@Test
	void lostTransactionIsRepeated() throws Exception {
		assertOneNode(plan().killBefore());
	}

	@Test
	void lostAnswerToTheTransactionLeavesOneNode() throws Exception {
		assertOneNode(plan().killAfter());
	}

	@Test
	void keyThatIsNotWantedAnyMoreLeavesNothing() throws Exception {
		Fault late = plan().holdReply();
		CompletableFuture<LockHandle> unwanted = this.scenario.victim().locks().acquireAsync(this.request);
		late.awaitFired();
		unwanted.cancel(false);
		late.release();
		assertNothingLeft();
	}

	private FaultPlan plan() {
		return this.scenario.network().on(ZooKeeperOperation.MULTI, this.request.key());
	}

	private void assertOneNode(Fault fault) throws Exception {
		LockHandle handle = this.scenario.victim().locks().acquire(this.request);
		fault.awaitFired();
		assertThat(server.children("/locks/" + this.request.key())).hasSize(1);
		assertThat(handle.isValid()).isTrue();
		handle.release();
		assertNothingLeft();
	}

	private void assertNothingLeft() {
		Awaitility.await()
			.atMost(FaultScenario.PATIENCE)
			.until(() -> server.children("/locks/" + this.request.key()).isEmpty());
		assertThat(server.watched("/locks")).isEmpty();
	}

	private Map<ZooKeeperOperation, Long> use(LockRequest key) throws Exception {
		return this.scenario.network().requests().during(key.key(), () -> {
			this.scenario.victim().locks().acquire(key).release();
			return null;
		});
	}

	private static LockRequest newKey() {
		return LockRequest.of(UUID.randomUUID().toString()).withWait(WAIT);
	}

}
