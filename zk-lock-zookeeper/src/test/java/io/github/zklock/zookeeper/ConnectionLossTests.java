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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockState;
import io.github.zklock.support.ConcurrentTests;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests and replies that are lost at the worst moment neither leave a node behind, nor
 * keep anybody from the lock. Permits, runs and stamps meet the same faults in the
 * simulation.
 */
@Tag("server")
class ConnectionLossTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@TestFactory
	Stream<DynamicTest> lostMessages() {
		return new ConcurrentTests()
			.add("fault leaves nothing and the lock is acquired", List.of(LostMessages.values()),
					this::faultLeavesNothingAndTheLockIsAcquired)
			.add("fault behind another holder leaves nothing",
					Stream.of(LostMessages.values()).filter(LostMessages::isWhileWaiting).toList(),
					this::faultBehindAnotherHolderLeavesNothing)
			.stream();
	}

	private void faultLeavesNothingAndTheLockIsAcquired(LostMessages lost) throws Exception {
		try (FaultScenario scenario = ours()) {
			lost.plan(scenario.network());
			scenario.useLock();
			scenario.assertNothingLeft();
		}
	}

	private void faultBehindAnotherHolderLeavesNothing(LostMessages lost) throws Exception {
		try (FaultScenario scenario = ours()) {
			queueBehindRival(scenario, lost);
			scenario.assertNothingLeft();
		}
	}

	@Test
	void waiterThatWasCutOffDuringTheReleaseGetsTheLock() throws Exception {
		try (FaultScenario scenario = ours()) {
			LockHandle holder = scenario.rival().locks().acquire(scenario.request(FaultScenario.PATIENCE));
			CompletableFuture<LockHandle> waiting = scenario.victim()
				.locks()
				.acquireAsync(scenario.request(Duration.ofSeconds(30)));
			Awaitility.await().until(() -> scenario.left().size() == 2);
			scenario.network().refuse();
			holder.release();
			assertThat(waiting).isNotDone();
			scenario.network().heal();
			waiting.get(30, TimeUnit.SECONDS).release();
			scenario.assertNothingLeft();
		}
	}

	@Test
	void holderKeepsItsLockAndTokenOverAConnectionLoss() {
		try (FaultScenario scenario = ours()) {
			LockHandle holder = scenario.victim().locks().acquire(scenario.request(FaultScenario.PATIENCE));
			long token = holder.fencingToken();
			scenario.network().refuse();
			Awaitility.await().until(() -> holder.state() == LockState.UNCERTAIN);
			scenario.network().heal();
			Awaitility.await().until(holder::isHeld);
			assertThat(holder.fencingToken()).isEqualTo(token);
			holder.release();
			scenario.assertNothingLeft();
		}
	}

	private static void queueBehindRival(FaultScenario scenario, LostMessages lost) throws Exception {
		LockHandle holder = scenario.rival().locks().acquire(scenario.request(FaultScenario.PATIENCE));
		lost.plan(scenario.network());
		CompletableFuture<Void> use = CompletableFuture.runAsync(scenario::useLock);
		Awaitility.await().until(() -> scenario.network().pending().isEmpty());
		holder.release();
		use.get(30, TimeUnit.SECONDS);
	}

	private static FaultScenario ours() {
		return new FaultScenario(server, (curator) -> ZooKeeperLockProvider.builder(curator).build());
	}

}
