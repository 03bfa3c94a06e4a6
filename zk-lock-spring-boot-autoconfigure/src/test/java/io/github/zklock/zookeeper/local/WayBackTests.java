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

package io.github.zklock.zookeeper.local;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockHandle;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.EngineParts;
import io.github.zklock.zookeeper.FaultScenario;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.session.LockNode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The moment between the end of a lock and the way back into the queue for those who wait
 * in the same process.
 */
class WayBackTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final FaultScenario scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT);

	private LockClient<ZooKeeperLockProvider> others;

	private EngineParts engine;

	private LocalQueues queues;

	@BeforeEach
	void connect() {
		this.others = this.scenario.strict();
		this.engine = EngineParts.of((ZooKeeperLockProvider) this.scenario.victim().locks());
		this.queues = this.engine.queues();
	}

	@AfterEach
	void disconnect() {
		this.scenario.assertNothingLeft();
		this.others.close();
	}

	@Test
	void whoComesAtThatMomentGoesBackWithTheOthersAndListsNothing() {
		LockHandle first = waitElsewhere(1).join();
		CompletableFuture<LockHandle> second = waitElsewhere(2);
		LockAttempt mine = waitHere(3);
		CompletableFuture<LockHandle> behind = waitElsewhere(4);
		Awaitility.await().until(() -> server.watched("/locks").size() == 2);
		first.release();
		second.join().release();
		ZooKeeperLockHandle held = mine.verdict().join().handleOrThrow();
		LocalQueue queue = field(held, "queue");
		Turn turn = field(held, "turn");
		LockAttempt next = waitHere(2);
		Collection<String> watched = List.of(held.node().path());
		Awaitility.await().until(() -> server.watched("/locks").equals(watched));
		long listings = listings();

		assertThat(queue.handOn(turn)).isFalse();
		LockAttempt atThatMoment = waitHere(2);
		queue.vacated(turn);

		LockNode node = held.node();
		this.engine.contenders().janitor().remove(node.directory(), node.contender(), node.path());
		Awaitility.await().until(() -> Collections.disjoint(server.watched("/locks"), watched));
		Awaitility.await().until(() -> server.watched("/locks").size() == 1);
		assertThat(listings()).isEqualTo(listings);
		behind.join().release();
		next.verdict().join().handleOrThrow().release();
		atThatMoment.verdict().join().handleOrThrow().release();
	}

	private long listings() {
		return this.scenario.network().requests().count(ZooKeeperOperation.GET_CHILDREN, this.scenario.directory());
	}

	private LockAttempt waitHere(int nodes) {
		LockAttempt attempt = new LockAttempt(this.engine.tracker(), this.engine.tasks(),
				this.scenario.request(FaultScenario.WAIT), () -> new byte[0], FaultScenario.WAIT);
		this.queues.enter(attempt);
		this.scenario.awaitNodes(nodes);
		return attempt;
	}

	private CompletableFuture<LockHandle> waitElsewhere(int nodes) {
		return this.scenario.enter(this.others, nodes);
	}

	@SuppressWarnings("unchecked")
	private static <T> T field(Object target, String name) {
		return (T) ReflectionTestUtils.getField(target, name);
	}

}
