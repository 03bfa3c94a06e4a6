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

package io.github.zklock.leader;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.zklock.leader.LeaderNode.Indexer;
import io.github.zklock.test.memory.InMemoryLockProvider;
import io.github.zklock.test.memory.InMemoryLockTesting;
import org.junit.jupiter.api.Test;

import org.springframework.context.SmartLifecycle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When the beans of a role stop as the context stops.
 */
class LeaderShutdownTests {

	private final InMemoryLockProvider locks = new InMemoryLockProvider();

	private final InMemoryLockTesting testing = new InMemoryLockTesting(this.locks);

	private final List<String> held = new CopyOnWriteArrayList<>();

	@Test
	void roleStopsInItsPhaseAndIsFreeAtOnce() {
		LeaderNode node = new LeaderNode(this.locks, (context) -> {
			context.registerBean("later", Neighbour.class, () -> new Neighbour(1000));
			context.registerBean("earlier", Neighbour.class, () -> new Neighbour(-1));
		}, Indexer.class).start().awaitStarted("indexer");
		node.close();
		assertThat(this.held).containsExactly("1000 true", "-1 false");
		assertThat(node.journal()).endsWith("revoked indexer SHUT_DOWN", "stop indexer");
		assertThat(this.locks.keysInUse()).isZero();
	}

	// Spring stops what needs the other bean first, in the phase of that bean.
	@Test
	void roleIsRevokedBeforeABeanThatItsBeanNeedsStops() {
		LeaderNode node = new LeaderNode(this.locks, (context) -> {
			context.registerBean("needed", Neighbour.class, () -> new Neighbour(1000));
			context.registerBean("indexer", Indexer.class,
					(definition) -> context.getBeanFactory().registerDependentBean("needed", "indexer"));
		}).start().awaitStarted("indexer");
		node.close();
		assertThat(node.journal()).endsWith("revoked indexer SHUT_DOWN", "stop indexer")
			.containsOnlyOnce("stop indexer");
		assertThat(this.held).containsExactly("1000 false");
	}

	@Test
	void contextThatIsStoppedAndStartedAsksAgain() {
		try (LeaderNode node = new LeaderNode(this.locks, Indexer.class).start().awaitStarted("indexer")) {
			node.context().stop();
			assertThat(node.journal()).endsWith("stop indexer");
			assertThat(this.locks.keysInUse()).isZero();
			node.journal().clear();
			node.context().getBean("zkLockLeaderRole:indexer", SmartLifecycle.class).start();
			node.awaitStarted("indexer");
		}
	}

	@Test
	void waitingNodeLeavesTheQueue() {
		try (var other = this.testing.hold("leader:indexer")) {
			LeaderNode node = new LeaderNode(this.locks, Indexer.class).start();
			this.testing.awaitWaiting("leader:indexer", 1);
			node.close();
			assertThat(this.testing.waiting("leader:indexer")).isZero();
			assertThat(node.journal()).isEmpty();
		}
	}

	/**
	 * Notes whether the role is held when it stops.
	 */
	private final class Neighbour implements SmartLifecycle {

		private final int phase;

		private volatile boolean running;

		Neighbour(int phase) {
			this.phase = phase;
		}

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
			LeaderShutdownTests.this.held
				.add(this.phase + " " + LeaderShutdownTests.this.testing.isHeld("leader:indexer"));
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		@Override
		public int getPhase() {
			return this.phase;
		}

	}

}
