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
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.support.ConcurrentTests;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.EngineClock;
import io.github.zklock.zookeeper.FaultScenario;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the lease costs: one write per process now and then, and only while a lock is held
 * for long.
 */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class LeaseHeartbeatTests {

	private static final Duration WAIT = Duration.ofSeconds(30);

	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);

	private static final Duration INTERVAL = SESSION_TIMEOUT.dividedBy(6);

	private static final int LOCKS = 50;

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@TestFactory
	Stream<DynamicTest> heartbeat() {
		return new ConcurrentTests().add("short locks send none", List.of(SESSION_TIMEOUT), this::shortLocksSendNone)
			.add("one is enough for all locks", List.of(SESSION_TIMEOUT), this::oneIsEnoughForAllLocks)
			.add("it confirms a lock that was waited for", List.of(SESSION_TIMEOUT),
					this::itConfirmsALockThatWasWaitedFor)
			.add("its node is deleted by the provider", List.of(SESSION_TIMEOUT), this::itsNodeIsDeletedByTheProvider)
			.stream();
	}

	private void shortLocksSendNone(Duration sessionTimeout) {
		try (FaultScenario scenario = FaultScenario.ours(server, sessionTimeout)) {
			// On a slow machine some locks are not short, or have to be confirmed.
			Awaitility.await().until(() -> {
				long before = scenario.heartbeats();
				for (int i = 0; i < LOCKS / 5; i++) {
					scenario.useLock();
				}
				return scenario.heartbeats() == before;
			});
			long sent = scenario.heartbeats();
			Awaitility.await().during(INTERVAL.multipliedBy(3)).until(() -> scenario.heartbeats() - sent <= 1);
		}
	}

	private void oneIsEnoughForAllLocks(Duration sessionTimeout) {
		try (FaultScenario scenario = FaultScenario.ours(server, sessionTimeout)) {
			long start = System.nanoTime();
			List<LockHandle> handles = IntStream.range(0, LOCKS)
				.mapToObj((i) -> scenario.victim().locks().acquire(LockRequest.of(start + "-" + i).withWait(WAIT)))
				.toList();
			long before = scenario.heartbeats();
			Duration longer = sessionTimeout.multipliedBy(3).dividedBy(2);
			Awaitility.await()
				.atMost(longer.plusSeconds(5))
				.during(longer)
				.until(() -> handles.stream().allMatch(LockHandle::isHeld));
			handles.forEach(LockHandle::release);
			long intervals = (System.nanoTime() - start) / INTERVAL.toNanos();
			long sent = scenario.heartbeats();
			assertThat(sent - before).isBetween(5L, intervals + 3);
			Awaitility.await().during(INTERVAL.multipliedBy(3)).until(() -> scenario.heartbeats() - sent <= 1);
		}
	}

	private void itConfirmsALockThatWasWaitedFor(Duration sessionTimeout) throws Exception {
		EngineClock clock = new EngineClock();
		try (FaultScenario scenario = new FaultScenario(server, sessionTimeout, (curator) -> clock
			.build(ZooKeeperLockProvider.builder(curator).serverTick(ZooKeeperServerFixture.TICK)))) {
			LockHandle holder = scenario.rival().locks().acquire(scenario.request(WAIT));
			long sent = scenario.heartbeats();
			CompletableFuture<LockHandle> waiting = scenario.victim().locks().acquireAsync(scenario.request(WAIT));
			scenario.awaitNodes(2);
			clock.forward(sessionTimeout);
			assertThat(scenario.heartbeats()).isEqualTo(sent);
			holder.release();
			LockHandle granted = waiting.get(30, TimeUnit.SECONDS);
			assertThat(scenario.heartbeats()).isGreaterThan(sent);
			assertThat(granted.state()).isEqualTo(LockState.HELD);
			granted.release();
			scenario.assertNothingLeft();
		}
	}

	private void itsNodeIsDeletedByTheProvider(Duration sessionTimeout) {
		try (LockClient<ZooKeeperLockProvider> client = LockClient.connect(server.connectString(), sessionTimeout,
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
			LockHandle handle = client.locks().acquire(LockRequest.of("key").withWait(WAIT));
			List<ACL> noCreate = List.of(new ACL(Perms.READ, Ids.ANYONE_ID_UNSAFE));
			client.curator().setACL().withACL(noCreate).forPath("/denied");
			Awaitility.await().during(SESSION_TIMEOUT).until(handle::isHeld);
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
			long before = scenario.heartbeats();
			Awaitility.await().during(SESSION_TIMEOUT).until(handle::isHeld);
			handle.release();
			long intervals = (System.nanoTime() - start) / INTERVAL.toNanos();
			assertThat(scenario.heartbeats() - before).isBetween(4L, intervals + 3);
			assertThat(handle.state()).isEqualTo(LockState.RELEASED);
		}
	}

	@Test
	void sessionThatIsTooShortForALeaseIsReportedOnceAndWorks(CapturedOutput output) {
		try (LockClient<ZooKeeperLockProvider> client = LockClient.connect(server.connectString(),
				Duration.ofMillis(1500), (curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			LockHandle handle = client.locks().acquire(LockRequest.of("too-short").withWait(WAIT));
			Awaitility.await().during(Duration.ofSeconds(2)).until(handle::isHeld);
			handle.release();
			assertThat(output.toString())
				.containsOnlyOnce("granted, 1500 ms, is too short for a lease with a server tick " + "of 2000 ms")
				.contains("at least 3001 ms (zk-lock.session-timeout)");
		}
	}

	@Test
	void sessionThatBecomesTooShortForALeaseIsReported(CapturedOutput output) {
		try (ZooKeeperServerFixture other = new ZooKeeperServerFixture().start();
				FaultScenario scenario = new FaultScenario(other, SESSION_TIMEOUT,
						(curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			other.limitSessionTimeout(Duration.ofMillis(1600));
			assertThat(output).doesNotContain("too short for a lease");
			scenario.network().killConnections();
			Awaitility.await()
				.untilAsserted(() -> assertThat(output).containsOnlyOnce("granted, 1600 ms, is too short for a lease"));
			scenario.useLock();
			scenario.network().killConnections();
			scenario.useLock();
			assertThat(output).containsOnlyOnce("granted, 1600 ms, is too short for a lease");
		}
	}

	@Test
	void heartbeatsEndWhenTheSessionBecomesTooShortForALease(CapturedOutput output) {
		try (ZooKeeperServerFixture other = new ZooKeeperServerFixture().start();
				FaultScenario scenario = new FaultScenario(other, SESSION_TIMEOUT.multipliedBy(5),
						(curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			LockHandle handle = scenario.victim().locks().acquire(scenario.request(WAIT));
			other.limitSessionTimeout(Duration.ofMillis(1600));
			scenario.network().killConnections();
			Awaitility.await().untilAsserted(() -> assertThat(output).contains("granted, 1600 ms, is too short"));
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
