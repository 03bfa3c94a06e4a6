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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.support.CapturedOutput;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.OutputCaptureExtension;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.EngineClock;
import io.github.zklock.zookeeper.FaultScenario;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Heartbeats of real clients to a real server. How many there are is counted in simulated
 * time, by {@code HeartbeatCostTests}.
 */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class LeaseHeartbeatTests {

	private static final Duration WAIT = Duration.ofSeconds(30);

	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);

	private static final Duration INTERVAL = SESSION_TIMEOUT.dividedBy(6);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void heartbeatConfirmsALockThatWasWaitedFor() throws Exception {
		EngineClock clock = new EngineClock();
		try (FaultScenario scenario = new FaultScenario(server, SESSION_TIMEOUT, (curator) -> clock
			.build(ZooKeeperLockProvider.builder(curator).serverTick(ZooKeeperServerFixture.TICK)))) {
			LockHandle holder = scenario.rival().locks().acquire(scenario.request(WAIT));
			long sent = scenario.heartbeats();
			CompletableFuture<LockHandle> waiting = scenario.victim().locks().acquireAsync(scenario.request(WAIT));
			scenario.awaitNodes(2);
			clock.forward(SESSION_TIMEOUT);
			assertThat(scenario.heartbeats()).isEqualTo(sent);
			holder.release();
			LockHandle granted = waiting.get(30, TimeUnit.SECONDS);
			assertThat(scenario.heartbeats()).isGreaterThan(sent);
			Awaitility.await().until(granted::isHeld);
			granted.release();
			scenario.assertNothingLeft();
		}
	}

	@Test
	void nodeOfHeartbeatsIsDeletedByTheProvider() {
		try (LockClient<ZooKeeperLockProvider> client = LockClient.connect(server.connectString(), SESSION_TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator)
					.root("/tidy")
					.serverTick(ZooKeeperServerFixture.TICK)
					.build())) {
			LockHandle handle = client.locks().acquire(LockRequest.of("key").withWait(WAIT));
			Awaitility.await().until(() -> !server.children("/tidy/~sessions").isEmpty());
			assertThat(server.children("/tidy")).containsExactly("key", "~sessions");
			handle.release();
			client.locks().close();
			Awaitility.await().until(() -> server.children("/tidy/~sessions").isEmpty());
			server.reapContainers();
			Awaitility.await().untilAsserted(() -> assertThat(server.children("/tidy")).isEmpty());
			assertThat(server.isAlive(client.sessionId())).isTrue();
		}
	}

	@Test
	void refusalOfTheServersConfirmsTheSessionToo() throws Exception {
		try (LockClient<ZooKeeperLockProvider> client = LockClient.connect(server.connectString(), SESSION_TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator)
					.root("/denied")
					.serverTick(ZooKeeperServerFixture.TICK)
					.build())) {
			// Before there is a heartbeat that creates its node.
			client.locks().acquire(LockRequest.of("key").withWait(WAIT)).release();
			List<ACL> noCreate = List.of(new ACL(Perms.READ, Ids.ANYONE_ID_UNSAFE));
			client.curator().setACL().withACL(noCreate).forPath("/denied");
			LockHandle handle = client.locks().acquire(LockRequest.of("key").withWait(WAIT));
			Awaitility.await().during(SESSION_TIMEOUT).until(() -> handle.state() != LockState.LOST);
			assertThat(server.children("/denied")).containsExactly("key");
			handle.release();
			assertThat(handle.state()).isEqualTo(LockState.RELEASED);
		}
	}

	@Test
	void heartbeatWithoutAnAclConfirmsTheSessionAndKeepsItsPace() {
		try (FaultScenario scenario = new FaultScenario(server, SESSION_TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator)
					.root("/unheard")
					.aclProvider(new NoHeartbeats())
					.serverTick(ZooKeeperServerFixture.TICK)
					.build())) {
			long start = System.nanoTime();
			LockHandle handle = scenario.victim().locks().acquire(LockRequest.of("key").withWait(WAIT));
			long before = checks(scenario);
			// More heartbeats than a lease without them lasts for.
			Awaitility.await().until(() -> handle.state() == LockState.LOST || checks(scenario) - before > 8);
			assertThat(handle.state()).isNotEqualTo(LockState.LOST);
			handle.release();
			long intervals = (System.nanoTime() - start) / INTERVAL.toNanos();
			assertThat(checks(scenario) - before).isLessThanOrEqualTo(intervals + 3);
		}
	}

	@Test
	void sessionThatIsTooShortForALeaseIsReportedOnceAndWorks(CapturedOutput output) {
		EngineClock clock = new EngineClock();
		try (LockClient<ZooKeeperLockProvider> client = LockClient.connect(server.connectString(),
				Duration.ofSeconds(20),
				(curator) -> clock.build(ZooKeeperLockProvider.builder(curator).serverTick(Duration.ofSeconds(20))))) {
			LockHandle handle = client.locks().acquire(LockRequest.of("too-short").withWait(WAIT));
			clock.forward(Duration.ofMinutes(1));
			assertThat(handle.isHeld()).isTrue();
			handle.release();
			assertThat(output.toString())
				.containsOnlyOnce("granted, 20000 ms, is too short for a lease with a server tick of 20000 ms")
				.contains("at least 27778 ms (zk-lock.session-timeout)");
		}
	}

	@Test
	void sessionThatBecomesTooShortForALeaseIsReported(CapturedOutput output) {
		try (ZooKeeperServerFixture other = new ZooKeeperServerFixture().start();
				FaultScenario scenario = new FaultScenario(other, SESSION_TIMEOUT,
						(curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			other.limitSessionTimeout(Duration.ofMillis(1600));
			assertThat(output.toString()).doesNotContain("too short for a lease");
			scenario.network().killConnections();
			Awaitility.await()
				.untilAsserted(() -> assertThat(output.toString())
					.containsOnlyOnce("granted, 1600 ms, is too short for a lease"));
			scenario.useLock();
			scenario.network().killConnections();
			scenario.useLock();
			assertThat(output.toString()).containsOnlyOnce("granted, 1600 ms, is too short for a lease");
		}
	}

	// A transaction that checks takes the place of a refused heartbeat.
	private static long checks(FaultScenario scenario) {
		return scenario.network().requests().count(ZooKeeperOperation.MULTI, "~sessions");
	}

	@Test
	void heartbeatsEndWhenTheSessionBecomesTooShortForALease(CapturedOutput output) {
		try (ZooKeeperServerFixture other = new ZooKeeperServerFixture().start();
				FaultScenario scenario = new FaultScenario(other, SESSION_TIMEOUT.multipliedBy(5),
						(curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			LockHandle handle = scenario.victim().locks().acquire(scenario.request(WAIT));
			other.limitSessionTimeout(Duration.ofMillis(1600));
			scenario.network().killConnections();
			Awaitility.await()
				.untilAsserted(() -> assertThat(output.toString()).contains("granted, 1600 ms, is too short"));
			long sent = scenario.heartbeats();
			Awaitility.await().during(SESSION_TIMEOUT).until(() -> scenario.heartbeats() - sent <= 2);
			handle.release();
		}
	}

	private static final class NoHeartbeats implements ACLProvider {

		@Override
		public List<ACL> getDefaultAcl() {
			return Ids.OPEN_ACL_UNSAFE;
		}

		@Override
		public List<ACL> getAclForPath(String path) {
			return path.contains("/~sessions") ? List.of() : getDefaultAcl();
		}

	}

}
