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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.support.Fault;
import io.github.zklock.support.IndependentOfBoot;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.RequestLog;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A process enters a queue again as soon as it has left it: it knows who was behind it,
 * and waits for one of them without a listing, unless several others have come since.
 */
@IndependentOfBoot
class ReentryTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final FaultScenario scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT);

	private LockClient<ZooKeeperLockProvider> others;

	private LockClient<ZooKeeperLockProvider> mortal;

	private CompletableFuture<LockHandle> behind;

	private LockHandle held;

	private CompletableFuture<LockHandle> next;

	/**
	 * Let the victim hold the lock by a listing that showed somebody behind it, while
	 * somebody else waits here.
	 */
	@BeforeEach
	void holdBetweenOthers() {
		this.others = this.scenario.strict();
		this.mortal = this.scenario.strict();
		LockHandle first = this.scenario.enter(this.others, 1).join();
		CompletableFuture<LockHandle> second = this.scenario.enter(this.others, 2);
		CompletableFuture<LockHandle> mine = this.scenario.enter(this.scenario.victim(), 3);
		this.behind = this.scenario.enter(this.others, 4);
		Awaitility.await().until(() -> server.watched("/locks").size() == 2);
		first.release();
		second.join().release();
		this.held = mine.join();
		this.next = this.scenario.enter(this.scenario.victim(), 2);
	}

	@AfterEach
	void leaveNothing() {
		this.next.join().release();
		this.scenario.assertNothingLeft();
		Awaitility.await().untilAsserted(() -> assertThat(server.watched("/locks")).isEmpty());
		this.mortal.close();
		this.others.close();
	}

	@Test
	void handOffTakesTwoReadsAndOneTransaction() throws Exception {
		assertThat(requests(() -> {
			leaveAndWatch(1, 1);
			this.behind.join().release();
			this.next.join();
		})).isEqualTo(handOff(1, 1));
	}

	@Test
	void whoCameInBetweenGoesFirst() throws Exception {
		CompletableFuture<LockHandle> between = this.scenario.enter(this.others, 3);
		assertThat(requests(() -> {
			leaveAndWatch(2, 1);
			this.behind.join().release();
			LockHandle other = between.join();
			Awaitility.await().until(() -> server.watched("/locks").size() == 1);
			assertThat(this.next).isNotDone();
			other.release();
			this.next.join();
		})).isEqualTo(handOff(2, 1));
	}

	@Test
	void whoCameInBetweenAndHasLeftIsNotWaitedFor() throws Exception {
		this.scenario.enter(this.mortal, 3);
		server.killSession(this.mortal.sessionId());
		assertThat(requests(() -> {
			leaveAndWatch(1, 1);
			this.behind.join().release();
			this.next.join();
		})).containsEntry(ZooKeeperOperation.MULTI, 1L);
	}

	@Test
	void predecessorThatIsGoneBeforeItIsWatchedLeavesTheDecisionToAListing() throws Exception {
		Fault late = this.scenario.network().on(ZooKeeperOperation.GET_DATA, this.scenario.directory()).holdRequest();
		assertThat(requests(() -> {
			this.held.release();
			this.behind.join().release();
			late.awaitFired();
			late.release();
			this.next.join();
		})).isEqualTo(handOff(1, 1));
	}

	@Test
	void tryIsRefusedWithoutAnEntry() throws Exception {
		leaveAndWatch(1, 1);
		assertThat(requests(() -> assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.scenario.victim().locks().acquire(this.scenario.request(Duration.ZERO)))))
			.isEqualTo(Map.of(ZooKeeperOperation.GET_DATA, 1L));
		this.behind.join().release();
	}

	@Test
	void queueIsListedAfterAWhile() {
		RequestLog log = this.scenario.network().requests();
		long before = log.count(ZooKeeperOperation.GET_CHILDREN, this.scenario.directory());
		leaveAndWatch(1, 1);
		Awaitility.await().until(() -> log.count(ZooKeeperOperation.GET_CHILDREN, this.scenario.directory()) > before);
		this.behind.join().release();
	}

	@Test
	void waitEndsInAnotherSessionIfThisOneEnds() {
		leaveAndWatch(1, 1);
		server.killSession(this.scenario.victim().sessionId());
		assertThat(this.next).isNotDone();
		this.behind.join().release();
		assertThat(this.next.join().isValid()).isTrue();
	}

	@Test
	void lostEntryIsFound() {
		this.scenario.network().on(ZooKeeperOperation.MULTI, this.scenario.directory()).killAfter();
		enterAgainAndHold();
	}

	@ParameterizedTest
	@EnumSource(names = { "MULTI", "GET_DATA" })
	void requestThatDidNotArriveIsRepeated(ZooKeeperOperation operation) {
		this.scenario.network().on(operation, this.scenario.directory()).killBefore();
		enterAgainAndHold();
	}

	@Test
	void lastWaiterThatDiesBeforeTheOthersLetsNobodyIn() {
		holdBetweenTwo();
		CompletableFuture<LockHandle> unseen = this.scenario.enter(this.others, 4);
		leaveAndWatch(3, 2);
		server.killSession(this.mortal.sessionId());
		Awaitility.await().until(() -> server.watched("/locks").size() == 1);
		assertThat(this.next).isNotDone();
		this.behind.join().release();
		LockHandle other = unseen.join();
		assertThat(this.next).isNotDone();
		other.release();
	}

	// One more round, so that the listing shows two who wait behind.
	private void holdBetweenTwo() {
		CompletableFuture<LockHandle> second = this.scenario.enter(this.others, 3);
		leaveAndWatch(2, 1);
		CompletableFuture<LockHandle> third = this.scenario.enter(this.others, 4);
		this.scenario.enter(this.mortal, 5);
		this.behind.join().release();
		second.join().release();
		this.behind = third;
		this.held = this.next.join();
		this.next = this.scenario.enter(this.scenario.victim(), 3);
	}

	private void enterAgainAndHold() {
		this.held.release();
		LockHandle other = this.behind.join();
		Awaitility.await().until(() -> this.scenario.left().size() == 2 && !server.watched("/locks").isEmpty());
		assertThat(this.next).isNotDone();
		other.release();
		assertThat(this.next.join().isValid()).isTrue();
	}

	private void leaveAndWatch(int others, int watches) {
		this.held.release();
		Awaitility.await()
			.pollInterval(Duration.ofMillis(5))
			.until(() -> this.scenario.left().size() == others + 1 && server.watched("/locks").size() == watches);
	}

	private Map<ZooKeeperOperation, Long> handOff(long watches, long listings) {
		return Map.of(ZooKeeperOperation.MULTI, 1L, ZooKeeperOperation.GET_DATA, watches,
				ZooKeeperOperation.GET_CHILDREN, listings);
	}

	private Map<ZooKeeperOperation, Long> requests(Runnable code) throws Exception {
		Map<ZooKeeperOperation, Long> requests = this.scenario.network()
			.requests()
			.during(this.scenario.directory(), Executors.callable(code));
		// Now and then a watch is checked.
		requests.remove(ZooKeeperOperation.EXISTS);
		return requests;
	}

}
