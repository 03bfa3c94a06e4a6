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
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockState;
import io.github.zklock.support.ConcurrentTests;
import io.github.zklock.support.Fault;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.curator.framework.state.ConnectionState;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The connection is interrupted, or does not say that it is. A holder learns by its own
 * clock that it may have lost the lock, before anybody else can have it.
 */
@Tag("server")
class LockLeaseTests {

	private static final Logger logger = LoggerFactory.getLogger(LockLeaseTests.class);

	private static final Duration WAIT = Duration.ofSeconds(30);

	private static final Duration SHORT_SESSION = Duration.ofSeconds(4);

	private static final Duration LONG_SESSION = Duration.ofSeconds(20);

	private static final int RUNS = Integer.getInteger("lease.runs", 5);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@TestFactory
	Stream<DynamicTest> interruptionThatNobodyReports() {
		return new ConcurrentTests()
			.add("loss is told before the next holder comes, run", IntStream.range(0, RUNS).boxed().toList(),
					this::lossIsToldBeforeTheNextHolderComes)
			.add("session timeout of a lock that is held again", List.of(LONG_SESSION), this::lockIsHeldAgain)
			.stream();
	}

	private void lossIsToldBeforeTheNextHolderComes(int run) throws Exception {
		try (FaultScenario scenario = FaultScenario.ours(server, SHORT_SESSION)) {
			LockHandle holder = scenario.victim().locks().acquire(scenario.request(WAIT));
			CompletableFuture<Long> told = new CompletableFuture<>();
			holder.onLost((lost) -> told.complete(System.nanoTime()));
			CompletableFuture<Long> next = next(scenario);
			eventually().until(() -> scenario.left().size() == 2);
			// Some are interrupted during the first lease, some after several heartbeats.
			eventually().until(() -> scenario.heartbeats() >= run);
			scenario.network().blackhole();
			long lead = next.get(WAIT.toSeconds(), TimeUnit.SECONDS) - told.get(30, TimeUnit.SECONDS);
			assertThat(lead).as("nanoseconds from the loss to the next holder").isPositive();
			logger.info("Loss was told {} ms before the next holder came", TimeUnit.NANOSECONDS.toMillis(lead));
			assertThat(holder.state()).isEqualTo(LockState.LOST);
			scenario.network().heal();
			scenario.assertNothingLeft();
			assertThat(holder.state()).isEqualTo(LockState.LOST);
		}
	}

	private void lockIsHeldAgain(Duration sessionTimeout) {
		try (FaultScenario scenario = FaultScenario.ours(server, sessionTimeout)) {
			LockHandle holder = scenario.victim().locks().acquire(scenario.request(WAIT));
			long token = holder.fencingToken();
			scenario.network().blackhole();
			eventually().until(() -> holder.state() == LockState.UNCERTAIN);
			assertThat(holder.isHeld()).isFalse();
			long before = scenario.heartbeats();
			scenario.network().heal();
			eventually().until(() -> holder.state() != LockState.UNCERTAIN);
			assertThat(holder.state()).isEqualTo(LockState.HELD);
			assertThat(holder.fencingToken()).isEqualTo(token);
			assertThat(scenario.heartbeats()).as("heartbeats").isGreaterThan(before);
			holder.release();
			scenario.assertNothingLeft();
		}
	}

	@Test
	void nodeOfALostLockIsDeletedInTheSessionThatLives() {
		EngineClock clock = new EngineClock();
		try (FaultScenario scenario = scenario(clock)) {
			long session = scenario.victim().sessionId();
			LockHandle holder = scenario.victim().locks().acquire(scenario.request(WAIT));
			scenario.network().blackhole();
			clock.forward(LONG_SESSION);
			assertThat(holder.state()).isEqualTo(LockState.LOST);
			assertThat(scenario.left()).hasSize(1);
			scenario.network().heal();
			eventually().until(() -> scenario.left().isEmpty());
			assertThat(scenario.victim().sessionId()).isEqualTo(session);
			assertThat(holder.state()).isEqualTo(LockState.LOST);
			holder.release();
			scenario.useLock();
			scenario.assertNothingLeft();
		}
	}

	@Test
	void lockIsLostAlthoughTheConnectionWorksWhenItsHeartbeatIsNotAnswered() {
		EngineClock clock = new EngineClock();
		try (FaultScenario scenario = scenario(clock)) {
			LockHandle holder = scenario.victim().locks().acquire(scenario.request(WAIT));
			Queue<ConnectionState> events = events(scenario);
			Fault late = scenario.network().on(ZooKeeperOperation.CREATE, "~sessions").holdReply();
			late.awaitFired();
			clock.forward(LONG_SESSION.dividedBy(4));
			assertThat(holder.state()).isEqualTo(LockState.UNCERTAIN);
			clock.forward(LONG_SESSION);
			assertThat(holder.state()).isEqualTo(LockState.LOST);
			assertThat(events).isEmpty();
			late.release();
			scenario.assertNothingLeft();
		}
	}

	@Test
	void lossIsReportedBeforeTheNextHolderComesWhenTheServerHasReplacedTheSession() throws Exception {
		try (FaultScenario scenario = FaultScenario.ours(server, SHORT_SESSION)) {
			long session = scenario.victim().sessionId();
			LockHandle holder = scenario.victim().locks().acquire(scenario.request(WAIT));
			Queue<ConnectionState> events = events(scenario);
			CompletableFuture<Long> reported = new CompletableFuture<>();
			holder.onLost((lost) -> reported.complete(System.nanoTime()));
			CompletableFuture<Long> next = next(scenario);
			eventually().until(() -> scenario.left().size() == 2);
			scenario.network().renewSession();
			scenario.network().killConnections();
			long lead = next.get(WAIT.toSeconds(), TimeUnit.SECONDS) - reported.get(30, TimeUnit.SECONDS);
			assertThat(lead).as("nanoseconds from the loss to the next holder").isPositive();
			assertThat(holder.state()).isEqualTo(LockState.LOST);
			assertThat(scenario.victim().sessionId()).isNotEqualTo(session);
			assertThat(events).as("what the client reports").doesNotContain(ConnectionState.LOST);
			holder.release();
			scenario.useLock();
			scenario.assertNothingLeft();
		}
	}

	private static Queue<ConnectionState> events(FaultScenario scenario) {
		Queue<ConnectionState> events = new ConcurrentLinkedQueue<>();
		scenario.victim().curator().getConnectionStateListenable().addListener((client, state) -> events.add(state));
		return events;
	}

	private static CompletableFuture<Long> next(FaultScenario scenario) {
		return CompletableFuture.supplyAsync(() -> {
			LockHandle handle = scenario.rival().locks().acquire(scenario.request(WAIT));
			long now = System.nanoTime();
			handle.release();
			return now;
		});
	}

	@Test
	void lockIsLostWhenItsNodeWasDeletedDuringAnInterruption() throws Exception {
		try (FaultScenario scenario = FaultScenario.ours(server, LONG_SESSION)) {
			LockHandle holder = scenario.victim().locks().acquire(scenario.request(WAIT));
			CompletableFuture<LockHandle> told = new CompletableFuture<>();
			holder.onLost(told::complete);
			scenario.network().refuse();
			eventually().until(() -> holder.state() == LockState.UNCERTAIN);
			scenario.rival().curator().delete().forPath(scenario.directory() + "/" + scenario.left().get(0));
			scenario.network().heal();
			eventually().until(() -> holder.state() != LockState.UNCERTAIN);
			assertThat(told.get(30, TimeUnit.SECONDS)).isSameAs(holder);
			assertThat(holder.state()).isEqualTo(LockState.LOST);
		}
	}

	private static FaultScenario scenario(EngineClock clock) {
		return new FaultScenario(server, LONG_SESSION, (curator) -> clock
			.build(ZooKeeperLockProvider.builder(curator).serverTick(ZooKeeperServerFixture.TICK)));
	}

	private static ConditionFactory eventually() {
		return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2));
	}

}
