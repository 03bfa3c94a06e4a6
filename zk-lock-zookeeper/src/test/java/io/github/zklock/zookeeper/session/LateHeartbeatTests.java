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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockState;
import io.github.zklock.support.Fault;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.EngineClock;
import io.github.zklock.zookeeper.EngineParts;
import io.github.zklock.zookeeper.FaultScenario;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whoever has waited for so long that its session must be confirmed by a heartbeat gets
 * the lock although a heartbeat was late, once others have proved that the session lives,
 * and does not keep the servers busy until then.
 */
@Tag("server")
class LateHeartbeatTests {

	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);

	private static final Duration LATE = ZooKeeperServerFixture.TICK.multipliedBy(2);

	// One for every quarter of half a tick, and a few to begin with.
	private static final long MOST_HEARTBEATS = 15;

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final EngineClock clock = new EngineClock();

	@AutoClose
	private final FaultScenario scenario = new FaultScenario(server, SESSION_TIMEOUT, (curator) -> this.clock
		.build(ZooKeeperLockProvider.builder(curator).serverTick(ZooKeeperServerFixture.TICK)));

	@AfterEach
	void disconnect() {
		this.scenario.assertNothingLeft();
	}

	@Test
	void lateHeartbeatDoesNotKeepTheLockFromWhoIsNext() throws Exception {
		LockHandle before = this.scenario.rival().locks().acquire(this.scenario.request(FaultScenario.WAIT));
		CompletableFuture<LockHandle> waiting = waitForLong();
		Fault late = this.scenario.network().on(ZooKeeperOperation.CREATE, "~sessions").holdReply();
		before.release();
		late.awaitFired();
		this.clock.forward(LATE);
		assertThat(waiting).isNotDone();
		late.release();
		assertHeldSoon(waiting);
	}

	@Test
	void heartbeatThatWasLateForAnEarlierLockDoesNotKeepTheNextOneAway() throws Exception {
		Fault late = this.scenario.network().on(ZooKeeperOperation.CREATE, "~sessions").holdReply();
		LockHandle earlier = this.scenario.victim().locks().acquire(this.scenario.request(FaultScenario.WAIT));
		late.awaitFired();
		this.clock.forward(LATE);
		assertThat(earlier.state()).isNotEqualTo(LockState.LOST);
		late.release();
		Awaitility.await()
			.until(() -> this.scenario.network().requests().count(ZooKeeperOperation.SET_DATA, "~sessions") > 0);
		earlier.release();
		LockHandle before = this.scenario.rival().locks().acquire(this.scenario.request(FaultScenario.WAIT));
		CompletableFuture<LockHandle> waiting = waitForLong();
		before.release();
		assertHeldSoon(waiting);
	}

	@Test
	void heartbeatThatIsAnsweredLateCountsFromWhenItWasSent() {
		Fault late = this.scenario.network().on(ZooKeeperOperation.CREATE, "~sessions").holdReply();
		Fault next = this.scenario.network().on(ZooKeeperOperation.SET_DATA, "~sessions").holdRequest();
		LockHandle handle = this.scenario.victim().locks().acquire(this.scenario.request(FaultScenario.WAIT));
		late.awaitFired();
		SessionLease lease = EngineParts.of((ZooKeeperLockProvider) this.scenario.victim().locks())
			.tracker()
			.usable()
			.lease();
		long sent = lease.now();
		this.clock.forward(LATE);
		late.release();
		next.awaitFired();
		assertThat(lease.due()).isLessThanOrEqualTo(sent + lease.terms().interval());
		next.release();
		handle.release();
	}

	private CompletableFuture<LockHandle> waitForLong() {
		CompletableFuture<LockHandle> waiting = this.scenario.victim()
			.locks()
			.acquireAsync(this.scenario.request(FaultScenario.WAIT));
		this.scenario.awaitNodes(2);
		this.clock.forward(SESSION_TIMEOUT);
		return waiting;
	}

	private void assertHeldSoon(CompletableFuture<LockHandle> waiting) throws Exception {
		long before = this.scenario.heartbeats();
		LockHandle granted = waiting.get(30, TimeUnit.SECONDS);
		assertThat(granted.state()).isEqualTo(LockState.HELD);
		assertThat(this.scenario.heartbeats() - before).isLessThanOrEqualTo(MOST_HEARTBEATS);
		granted.release();
	}

}
