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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client has given up its session, as after a long outage, but the server still keeps
 * the session and its nodes. A waiter must not take its old node for its lock: the node
 * goes with the session, and then somebody else holds the lock too (CURATOR-604).
 */
@Tag("server")
class DeadSessionTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void lockIsNotGrantedOnTheNodeOfADeadSession() throws Exception {
		assertThat(holdersAtTheSameTime()).isOne();
	}

	@Test
	void nodeOfADeadSessionIsDeletedAndDoesNotBlockOthers() {
		try (FaultScenario scenario = new FaultScenario(server,
				(curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			LockHandle holder = scenario.victim().locks().acquire(scenario.request(FaultScenario.PATIENCE));
			long session = scenario.victim().sessionId();
			scenario.giveUpSession();
			LockHandle next = scenario.rival().locks().acquire(scenario.request(FaultScenario.PATIENCE));
			assertThat(holder.isHeld()).isFalse();
			assertThat(next.fencingToken()).isGreaterThan(holder.fencingToken());
			assertThat(scenario.left()).noneMatch((name) -> server.owner(scenario.directory() + "/" + name) == session);
			holder.release();
			next.release();
			scenario.assertNothingLeft();
		}
	}

	private static int holdersAtTheSameTime() throws Exception {
		try (FaultScenario scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT)) {
			LockHandle holder = scenario.rival().locks().acquire(scenario.request(FaultScenario.PATIENCE));
			long deadSession = scenario.victim().sessionId();
			CompletableFuture<LockHandle> waiting = CompletableFuture
				.supplyAsync(() -> scenario.victim().locks().acquire(scenario.request(Duration.ofSeconds(30))));
			Awaitility.await().until(() -> scenario.left().size() == 2);
			scenario.giveUpSession();
			holder.release();
			LockHandle granted = waiting.get(30, TimeUnit.SECONDS);
			server.killSession(deadSession);
			return (granted.isHeld() ? 1 : 0) + (isAcquiredByRival(scenario) ? 1 : 0);
		}
	}

	private static boolean isAcquiredByRival(FaultScenario scenario) throws Exception {
		CompletableFuture<LockHandle> second = CompletableFuture
			.supplyAsync(() -> scenario.rival().locks().acquire(scenario.request(Duration.ofMillis(500))));
		try {
			return second.get(30, TimeUnit.SECONDS).isHeld();
		}
		catch (ExecutionException ex) {
			assertThat(ex).cause().isInstanceOfAny(LockNotAcquiredException.class, LockUnavailableException.class);
			return false;
		}
	}

}
