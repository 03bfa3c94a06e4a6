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
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockProvider;
import io.github.zklock.support.Fault;
import io.github.zklock.support.IndependentOfBoot;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.FaultScenario;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A process that has a key to itself does not list its queue: the numbers of its own
 * nodes tell that nobody has come in between, as long as the directory is the same.
 */
@IndependentOfBoot
class QuietQueuesTests {

	private static final Duration WAIT = Duration.ofSeconds(30);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private FaultScenario scenario;

	@BeforeEach
	void haveTheKeyToOneself() throws Exception {
		this.scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT);
		this.scenario.useLock();
		// Until then the directory is not known to be watched.
		Awaitility.await().until(() -> requests(this::use).equals(writes()));
	}

	@AfterEach
	void leaveNothing() {
		this.scenario.assertNothingLeft();
		this.scenario.close();
	}

	@Test
	void lockTakesTwoWritesAndNoRead() throws Exception {
		assertThat(requests(() -> {
			use();
			return use();
		})).isEqualTo(Map.of(ZooKeeperOperation.CREATE, 2L, ZooKeeperOperation.DELETE, 2L));
	}

	@Test
	void othersWaitBehindALockThatWasNotListed() {
		LockHandle held = acquire(this.scenario.victim()).join();
		CompletableFuture<LockHandle> other = acquire(this.scenario.rival());
		Awaitility.await().until(() -> server.watched("/locks").size() == 1);
		assertThat(other).isNotDone();
		held.release();
		other.join().release();
	}

	@Test
	void whoCameInBetweenIsWaitedFor() {
		LockHandle other = acquire(this.scenario.rival()).join();
		assertWaitsFor(other);
	}

	@Test
	void whoCameInBetweenAndHasLeftCostsAListing() throws Exception {
		acquire(this.scenario.rival()).join().release();
		assertThat(requests(this::use)).isEqualTo(Map.of(ZooKeeperOperation.CREATE, 1L, ZooKeeperOperation.GET_CHILDREN,
				1L, ZooKeeperOperation.DELETE, 1L));
	}

	@Test
	void otherModeOfTheSameProcessIsWaitedFor() {
		LockHandle held = acquire(this.scenario.victim()).join();
		CompletableFuture<LockHandle> writer = this.scenario.victim()
			.locks()
			.acquireAsync(this.scenario.request(WAIT).withMode(LockMode.WRITE));
		Awaitility.await().until(() -> server.watched("/locks").size() == 1);
		assertThat(writer).isNotDone();
		held.release();
		writer.join().release();
	}

	@Test
	void directoryThatCountsAnewIsListed() {
		int next = nextNumber();
		reap();
		LockHandle other = acquire(this.scenario.rival()).join();
		server.setSequence(this.scenario.directory(), next);
		assertWaitsFor(other);
	}

	@Test
	void directoryThatBeginsAnewWhileTheRequestIsUnderWayIsListed() {
		int next = nextNumber();
		Fault late = this.scenario.network().on(ZooKeeperOperation.CREATE, this.scenario.directory()).holdRequest();
		CompletableFuture<LockHandle> mine = acquire(this.scenario.victim());
		late.awaitFired();
		reap();
		LockHandle other = acquire(this.scenario.rival()).join();
		server.setSequence(this.scenario.directory(), next);
		late.release();
		Awaitility.await().until(() -> server.watched("/locks").size() == 1);
		assertThat(mine).isNotDone();
		other.release();
		mine.join().release();
	}

	@Test
	void nothingIsExpectedAfterAnInterruption() throws Exception {
		this.scenario.network().killConnections();
		assertThat(requests(this::use)).containsKey(ZooKeeperOperation.GET_CHILDREN);
	}

	@Test
	void lostEntryIsFound() {
		this.scenario.network().on(ZooKeeperOperation.CREATE, this.scenario.directory()).killAfter();
		this.scenario.useLock();
	}

	@Test
	void tokensGrow() {
		LockHandle first = acquire(this.scenario.victim()).join();
		first.release();
		LockHandle second = acquire(this.scenario.victim()).join();
		assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
		second.release();
	}

	private void assertWaitsFor(LockHandle other) {
		CompletableFuture<LockHandle> mine = acquire(this.scenario.victim());
		Awaitility.await().until(() -> server.watched("/locks").size() == 1);
		assertThat(mine).isNotDone();
		other.release();
		mine.join().release();
	}

	private int nextNumber() {
		LockHandle held = acquire(this.scenario.victim()).join();
		String name = this.scenario.left().get(0);
		held.release();
		Awaitility.await().until(() -> this.scenario.left().isEmpty());
		return Integer.parseInt(name.substring(name.length() - 10)) + 1;
	}

	private void reap() {
		server.reapContainers();
		Awaitility.await().until(() -> !server.children("/locks").contains(this.scenario.request(WAIT).key()));
	}

	private Map<ZooKeeperOperation, Long> requests(Callable<?> code) throws Exception {
		return this.scenario.network().requests().during(this.scenario.directory(), code);
	}

	private static Map<ZooKeeperOperation, Long> writes() {
		return Map.of(ZooKeeperOperation.CREATE, 1L, ZooKeeperOperation.DELETE, 1L);
	}

	private LockHandle use() {
		LockHandle handle = acquire(this.scenario.victim()).join();
		handle.release();
		return handle;
	}

	private CompletableFuture<LockHandle> acquire(LockClient<? extends LockProvider> client) {
		return client.locks().acquireAsync(this.scenario.request(WAIT));
	}

}
