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
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.ZooKeeper.States;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a holder sees and leaves while the connection is interrupted and the session
 * lives.
 */
@Tag("server")
class SuspendedConnectionTests {

	private static final int CUTS = 50;

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void lockIsUncertainAtOnceAlthoughTheClientStillSaysConnected() throws Exception {
		try (FaultScenario scenario = new FaultScenario(server,
				(curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			LockHandle holder = scenario.victim().locks().acquire(scenario.request(FaultScenario.PATIENCE));
			long token = holder.fencingToken();
			ZooKeeper client = scenario.victim().curator().getZookeeperClient().getZooKeeper();
			Set<States> claimed = EnumSet.noneOf(States.class);
			// The client corrects its state after a pause of random length.
			for (int i = 0; i < CUTS && !claimed.contains(States.CONNECTED); i++) {
				scenario.network().refuse();
				Awaitility.await()
					.pollDelay(Duration.ZERO)
					.pollInterval(Duration.ofMillis(1))
					.until(() -> holder.state() == LockState.UNCERTAIN);
				claimed.add(client.getState());
				assertThat(holder.isHeld()).isFalse();
				scenario.network().heal();
				Awaitility.await().until(holder::isHeld);
				assertThat(holder.fencingToken()).isEqualTo(token);
			}
			assertThat(claimed).contains(States.CONNECTED);
			holder.release();
			scenario.assertNothingLeft();
		}
	}

	@Test
	void requestThatDoesNotWaitIsAnsweredWhenTheConnectionIsBackIfItsKeyIsHeldHere() throws Exception {
		Duration longer = FaultScenario.PATIENCE.multipliedBy(2);
		try (FaultScenario scenario = new FaultScenario(server,
				(curator) -> ZooKeeperLockProvider.builder(curator).tryTimeout(longer).build())) {
			LockProvider locks = scenario.victim().locks();
			LockHandle holder = locks.acquire(scenario.request(FaultScenario.PATIENCE));
			scenario.network().refuse();
			Awaitility.await().until(() -> holder.state() == LockState.UNCERTAIN);
			CompletableFuture<LockHandle> tried = locks.acquireAsync(scenario.request(Duration.ZERO));
			scenario.network().heal();
			assertThat(tried).failsWithin(FaultScenario.PATIENCE)
				.withThrowableOfType(ExecutionException.class)
				.withCauseInstanceOf(LockNotAcquiredException.class)
				.withMessageContaining("not acquired at once");
			holder.release();
			scenario.assertNothingLeft();
		}
	}

	@Test
	void lockOfAProviderThatClosedInAnOutageIsDeletedWhenTheConnectionIsBack() {
		FaultProxy network = new FaultProxy(server);
		try (LockClient<ZooKeeperLockProvider> client = LockClient.connect(network.connectString(),
				FaultScenario.SESSION_TIMEOUT, (curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			long session = client.sessionId();
			LockHandle holder = client.locks().acquire(LockRequest.of("outage").withWait(FaultScenario.PATIENCE));
			network.refuse();
			Awaitility.await().until(() -> holder.state() == LockState.UNCERTAIN);
			client.locks().close();
			assertThat(holder.state()).isEqualTo(LockState.LOST);
			assertThat(server.children("/locks/outage")).hasSize(1);
			network.heal();
			Awaitility.await().untilAsserted(() -> assertThat(server.children("/locks/outage")).isEmpty());
			Awaitility.await().until(() -> client.locks().pendingDeletes() == 0);
			assertThat(client.sessionId()).isEqualTo(session);
		}
		network.close();
	}

}
