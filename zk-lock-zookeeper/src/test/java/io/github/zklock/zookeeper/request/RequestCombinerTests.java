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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.support.Fault;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.FaultScenario;
import io.github.zklock.zookeeper.tasks.EngineTasks;
import io.github.zklock.zookeeper.tasks.IdleTasks;
import org.apache.zookeeper.KeeperException.Code;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests that go out together have the effect that they have alone, whatever becomes of
 * the transaction that they are part of.
 */
@Tag("server")
class RequestCombinerTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private static final EngineTasks TASKS = new EngineTasks(new IdleTasks());

	@AutoClose
	private final FaultScenario scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT);

	private CombinerScene scene;

	@BeforeEach
	void connect() {
		this.scene = new CombinerScene(this.scenario.network(), this.scenario.victim().locks());
		this.scene.useKeys();
	}

	@Test
	void requestsThatComeWhileManyAreUnderWayGoOutTogether() throws Exception {
		long before = this.scene.creates("");
		List<CompletableFuture<LockHandle>> locks = this.scene.acquireAll();
		this.scene.releaseReplies();
		for (int i = 0; i < CombinerScene.KEYS; i++) {
			LockHandle handle = this.scene.granted(locks.get(i));
			assertThat(nodes(i)).hasSize(1);
			assertThat(handle.fencingToken()).isPositive();
		}
		assertThat(this.scene.creates("") - before).isEqualTo(CombinerScene.WINDOW);
		assertThat(this.scene.transactions()).isOne();
		assertThat(this.scene.readsTogether()).isOne();
		assertReleased(locks);
	}

	@Test
	void tokenOfALockGrowsWhetherItWasTakenTogetherWithOthersOrAlone() throws Exception {
		LockHandle alone = this.scene.granted(this.scene.acquire(7));
		alone.release();
		List<CompletableFuture<LockHandle>> locks = this.scene.acquireAll();
		this.scene.releaseReplies();
		LockHandle together = this.scene.granted(locks.get(7));
		assertThat(together.fencingToken()).isGreaterThan(alone.fencingToken());
		assertReleased(locks);
		assertThat(this.scene.granted(this.scene.acquire(7)).fencingToken()).isGreaterThan(together.fencingToken());
	}

	@Test
	void keyThatWasReapedDoesNotKeepTheOthersFromTheirLocks() throws Exception {
		long before = this.scene.creates("");
		List<CompletableFuture<LockHandle>> locks = this.scene.acquireAll();
		this.scenario.rival().curator().delete().forPath("/locks/" + this.scene.key(10));
		this.scene.releaseReplies();
		for (int i = 0; i < CombinerScene.KEYS; i++) {
			this.scene.granted(locks.get(i));
			assertThat(nodes(i)).hasSize(1);
		}
		assertThat(this.scene.transactions()).isOne();
		assertThat(this.scene.creates("") - before).as("and the key that is created again")
			.isEqualTo(CombinerScene.KEYS + 1);
		assertReleased(locks);
	}

	@Test
	void lostReplyOfATransactionLeavesOneNodeForEachLock() throws Exception {
		Fault lost = this.scenario.network().on(ZooKeeperOperation.MULTI).killAfter();
		assertOneNodeEach(lost);
	}

	@Test
	void lostTransactionLeavesOneNodeForEachLock() throws Exception {
		Fault lost = this.scenario.network().on(ZooKeeperOperation.MULTI).killBefore();
		assertOneNodeEach(lost);
	}

	@Test
	void lostListingLeavesOneNodeForEachLock() throws Exception {
		Fault lost = this.scenario.network().on(ZooKeeperOperation.MULTI_READ).killBefore();
		assertOneNodeEach(lost);
	}

	@Test
	void lostReplyOfReleasesLeavesNothing() throws Exception {
		List<CompletableFuture<LockHandle>> locks = this.scene.acquireAll();
		this.scene.releaseReplies();
		for (CompletableFuture<LockHandle> lock : locks) {
			this.scene.granted(lock);
		}
		Fault lost = this.scenario.network().on(ZooKeeperOperation.MULTI).killAfter();
		Fault held = this.scenario.network().on(ZooKeeperOperation.DELETE, this.scene.key(0)).holdReply();
		// What comes while the first answer is kept back fills the window, and the rest
		// waits.
		locks.get(0).join().releaseAsync();
		held.awaitFired();
		locks.forEach((lock) -> lock.join().releaseAsync());
		held.release();
		lost.awaitFired();
		assertNothingLeft();
	}

	@Test
	void lockThatIsNotWantedAnyMoreLeavesNothing() throws Exception {
		List<CompletableFuture<LockHandle>> locks = this.scene.acquireAll();
		CompletableFuture<LockHandle> unwanted = locks.remove(10);
		unwanted.completeExceptionally(new IllegalStateException("Not wanted any more"));
		this.scene.releaseReplies();
		this.scene.useAndRelease(locks);
		assertNothingLeft();
	}

	@Test
	void releaseAndTheNextLockOfAKeyKeepTheirOrder() throws Exception {
		LockHandle before = this.scene.granted(this.scene.acquire(7));
		List<CompletableFuture<LockHandle>> locks = this.scene.fillWindow();
		before.releaseAsync();
		locks.add(this.scene.acquire(7));
		locks.add(this.scene.acquire(10));
		this.scenario.rival().curator().delete().forPath("/locks/" + this.scene.key(10));
		this.scene.releaseReplies();
		for (CompletableFuture<LockHandle> lock : locks) {
			this.scene.granted(lock);
		}
		assertThat(this.scene.count(ZooKeeperOperation.GET_DATA, this.scene.key(7) + "/")).isZero();
		assertReleased(locks);
	}

	@Test
	void requestThatCannotBeSentHarmsNoOther() throws Exception {
		RequestCombiner combiner = new RequestCombiner(
				this.scenario.victim().curator().getZookeeperClient().getZooKeeper(), TASKS);
		Queue<Code> codes = new ConcurrentLinkedQueue<>();
		for (int i = 0; i < 2 * CombinerScene.WINDOW; i++) {
			combiner
				.send(CombinableRequest.removal("/locks", "no path", (rc, asked, context) -> codes.add(Code.get(rc))));
		}
		combiner.send(
				CombinableRequest.removal("/locks", "/locks/nobody", (rc, asked, context) -> codes.add(Code.get(rc))));
		Awaitility.await().until(() -> codes.size() == 2 * CombinerScene.WINDOW + 1);
		assertThat(codes).endsWith(Code.NONODE).startsWith(Code.BADARGUMENTS);
	}

	private void assertOneNodeEach(Fault fault) throws Exception {
		List<CompletableFuture<LockHandle>> locks = this.scene.acquireAll();
		this.scene.releaseReplies();
		fault.awaitFired();
		for (int i = 0; i < CombinerScene.KEYS; i++) {
			this.scene.granted(locks.get(i));
			assertThat(nodes(i)).hasSize(1);
		}
		assertReleased(locks);
	}

	private void assertReleased(List<CompletableFuture<LockHandle>> locks) throws Exception {
		this.scene.useAndRelease(locks);
		assertNothingLeft();
	}

	private void assertNothingLeft() {
		Awaitility.await()
			.atMost(FaultScenario.PATIENCE)
			.until(() -> IntStream.range(0, CombinerScene.KEYS).allMatch((index) -> nodes(index).isEmpty()));
	}

	private List<String> nodes(int index) {
		return server.children("/locks/" + this.scene.key(index));
	}

}
