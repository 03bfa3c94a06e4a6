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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockState;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.Fault;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.FaultScenario;
import io.github.zklock.zookeeper.tasks.EngineTasks;
import io.github.zklock.zookeeper.tasks.IdleTasks;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.zookeeper.ZooDefs.Ids;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What may go out together: not more than a server and a client take, and not two for one
 * key.
 */
@Tag("server")
class RequestBatchTests {

	private static final int LONG = 3000;

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void batchHoldsHundredRequests() {
		assertThat(fill(new byte[0])).isEqualTo(100);
	}

	@Test
	void batchOfLargeRequestsHoldsAQuarterOfAMegabyte() {
		assertThat(fill(new byte[10 * 1024])).isEqualTo(24);
	}

	@Test
	void requestThatIsLargerGoesOutWithoutOthers() {
		assertThat(fill(new byte[300 * 1024])).isOne();
	}

	@Test
	void longListingsAreSharedOutAmongPackets() throws Exception {
		try (FaultScenario scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT)) {
			CombinerScene scene = new CombinerScene(scenario.network(), scenario.victim().locks());
			scene.useKeys();
			makeLong(scenario.rival().curator(), "/locks/" + scene.key(5));
			scene.granted(scene.acquire(5)).release();
			List<CompletableFuture<LockHandle>> locks = scene.acquireAll();
			scene.releaseReplies();
			scene.useAndRelease(locks);
			assertThat(scene.readsTogether()).isGreaterThan(2);
		}
	}

	@Test
	void placesInTheQueueOfOneKeyHaveDifferentTokens() throws Exception {
		try (FaultScenario scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT)) {
			LockProvider locks = scenario.victim().locks();
			CombinerScene scene = new CombinerScene(scenario.network(), locks);
			scene.useKeys();
			List<CompletableFuture<LockHandle>> others = scene.fillWindow();
			others.add(scene.acquire(6));
			CompletableFuture<LockHandle> writer = scene.acquire(7);
			CompletableFuture<LockHandle> reader = locks.acquireAsync(scene.request(7).withMode(LockMode.READ));
			scene.releaseReplies();
			LockHandle first = scene.granted(writer);
			assertThat(reader).isNotDone();
			first.release();
			assertThat(scene.granted(reader).fencingToken()).isGreaterThan(first.fencingToken());
			scene.useAndRelease(others);
		}
	}

	@Test
	void releaseOfANodeThatIsGoneHarmsNoOther() throws Exception {
		try (FaultScenario scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT)) {
			CombinerScene scene = new CombinerScene(scenario.network(), scenario.victim().locks());
			scene.useKeys();
			List<LockHandle> handles = new ArrayList<>();
			for (int i = 0; i < CombinerScene.KEYS; i++) {
				handles.add(scene.granted(scene.acquire(i)));
			}
			String directory = "/locks/" + scene.key(10);
			scenario.rival().curator().delete().forPath(directory + "/" + server.children(directory).get(0));
			Fault held = scenario.network().on(ZooKeeperOperation.DELETE, scene.key(0)).holdReply();
			List<CompletableFuture<Void>> released = handles.stream().map(LockHandle::releaseAsync).toList();
			held.awaitFired();
			held.release();
			released.forEach(CompletableFuture::join);
			LockHandle gone = handles.remove(10);
			// A release does not wait for its answer for long.
			Awaitility.await().untilAsserted(() -> {
				assertThat(scene.transactions()).isOne();
				assertThat(gone.state()).isEqualTo(LockState.LOST);
				assertThat(handles).extracting(LockHandle::state).containsOnly(LockState.RELEASED);
			});
		}
	}

	private static int fill(byte[] data) {
		RequestBatch batch = new RequestBatch(new RequestCombiner(null, new EngineTasks(new IdleTasks())), null);
		int count = 0;
		for (CombinableRequest next = entry(count, data); batch.hasRoomFor(next); next = entry(count, data)) {
			batch.add(next);
			count++;
		}
		return count;
	}

	private static CombinableRequest entry(int index, byte[] data) {
		String directory = "/locks/" + index;
		return CombinableRequest.entry(directory, directory + "/node-", data, Ids.OPEN_ACL_UNSAFE, null, null);
	}

	private static void makeLong(CuratorFramework client, String directory) throws Exception {
		List<CuratorOp> nodes = new ArrayList<>();
		for (int i = 0; i < LONG; i++) {
			nodes.add(client.transactionOp().create().forPath(directory + "/a-name-that-is-no-place-in-a-queue-" + i));
		}
		client.transaction().forOperations(nodes);
	}

}
