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

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.support.IndependentOfBoot;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.node.QueueNode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whoever waits behind a few others looks who is still before it while the last of them
 * has the lock, and not when its own turn has come.
 */
@IndependentOfBoot
class NextInLineTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private FaultScenario scenario;

	// One node for each of its locks.
	private LockClient<ZooKeeperLockProvider> others;

	@BeforeEach
	void connect() {
		this.scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT);
		this.others = this.scenario.strict();
	}

	@AfterEach
	void disconnect() {
		this.scenario.assertNothingLeft();
		this.others.close();
		this.scenario.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 3 })
	void listsBeforeItIsItsTurnAndNotThen(int ahead) {
		List<CompletableFuture<LockHandle>> before = IntStream.range(0, ahead).mapToObj(this::waitElsewhere).toList();
		CompletableFuture<LockHandle> mine = waitHere(ahead);
		before.subList(0, ahead - 1).forEach((each) -> each.join().release());
		LockHandle last = before.get(ahead - 1).join();
		Awaitility.await().untilAsserted(() -> assertThat(server.watched("/locks")).containsExactly(firstNode()));
		long listings = listings();
		assertThat(mine).isNotDone();
		last.release();
		mine.join().release();
		assertThat(listings()).isEqualTo(listings);
	}

	@Test
	void isNotLetInByOneThatLeavesBeforeItHadTheLock() {
		LockHandle first = waitElsewhere(0).join();
		CompletableFuture<LockHandle> second = waitElsewhere(1);
		CompletableFuture<LockHandle> third = waitElsewhere(2);
		CompletableFuture<LockHandle> mine = waitHere(3);
		Awaitility.await().until(() -> server.watched("/locks").size() == 2);
		long listings = listings();
		second.cancel(false);
		Awaitility.await().until(() -> listings() > listings);
		assertThat(mine).isNotDone();
		first.release();
		LockHandle held = third.join();
		assertThat(mine).isNotDone();
		held.release();
		mine.join().release();
	}

	@Test
	void entersAgainInOneTransactionAlthoughNobodyWasSeenBehindIt() throws Exception {
		LockHandle first = waitElsewhere(0).join();
		List<CompletableFuture<LockHandle>> mine = Stream.generate(() -> waitHere(1)).limit(3).toList();
		assertThat(this.scenario.network().requests().during(this.scenario.directory(), () -> {
			first.release();
			mine.get(0).join().release();
			mine.get(1).join().release();
			return mine.get(2).join();
		})).containsEntry(ZooKeeperOperation.MULTI, 1L)
			.doesNotContainKeys(ZooKeeperOperation.CREATE, ZooKeeperOperation.DELETE);
		mine.get(2).join().release();
	}

	@Test
	void letsAsManyFollowAsIfTheOneBeforeItWereBackAlready() {
		LockHandle first = waitElsewhere(0).join();
		CompletableFuture<LockHandle> second = waitElsewhere(1);
		List<CompletableFuture<LockHandle>> mine = Stream.generate(() -> waitHere(2)).limit(6).toList();
		CompletableFuture<LockHandle> third = waitElsewhere(3);
		Awaitility.await().until(() -> count(ZooKeeperOperation.GET_DATA) == 1);
		first.release();
		Awaitility.await().until(() -> count(ZooKeeperOperation.GET_DATA) == 2);
		second.join().release();
		mine.subList(0, 5).forEach((each) -> each.join().release());
		LockHandle held = third.join();
		assertThat(mine.get(5)).isNotDone();
		held.release();
		mine.get(5).join().release();
	}

	private String firstNode() {
		return this.scenario.directory() + "/"
				+ this.scenario.left()
					.stream()
					.map(QueueNode::parse)
					.min(Comparator.comparingLong(QueueNode::sequence))
					.orElseThrow()
					.name();
	}

	private long listings() {
		return count(ZooKeeperOperation.GET_CHILDREN);
	}

	private long count(ZooKeeperOperation operation) {
		return this.scenario.network().requests().count(operation, this.scenario.directory());
	}

	private CompletableFuture<LockHandle> waitElsewhere(int ahead) {
		return this.scenario.enter(this.others, ahead + 1);
	}

	private CompletableFuture<LockHandle> waitHere(int ahead) {
		return this.scenario.enter(this.scenario.victim(), ahead + 1);
	}

}
