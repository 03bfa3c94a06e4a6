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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.internal.WorkRecords;
import io.github.zklock.core.spi.RunOutcome;
import io.github.zklock.core.spi.UnusedRelease;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * A tick with several attempts: it runs again if its runner has died, and only then.
 */
@Tag("server")
class TickAttemptTests {

	private static final Instant TEN = Instant.parse("2024-10-05T10:00:00Z");

	private static final Instant ELEVEN = TEN.plusSeconds(3600);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void tickWhoseRunnerHasDiedRunsAgainOnce() throws Exception {
		try (FaultScenario scenario = ours()) {
			scenario.victim().locks().acquire(request(scenario, TEN));
			server.killSession(scenario.victim().sessionId());
			LockTemplate rival = new LockTemplate(scenario.rival().locks());
			List<LockTick> runs = new ArrayList<>();
			rival.execute(request(scenario, TEN), (handle) -> runs.add(LockTick.current()));
			assertThat(runs).singleElement().satisfies((tick) -> {
				assertThat(tick.attempt()).isEqualTo(2);
				assertThat(tick.isRecovery()).isTrue();
				assertThat(tick.time()).isEqualTo(TEN);
			});
			assertHasRun(scenario);
			assertThat(TickFaultTests.record(scenario).attempt(TEN.toEpochMilli()).number()).isEqualTo(2);
			assertThat(TickFaultTests.record(scenario).earlier()).singleElement()
				.satisfies((run) -> assertThat(run.outcome()).isNull());
		}
	}

	@Test
	void tickWithOneAttemptDoesNotRunAgain() throws Exception {
		try (FaultScenario scenario = ours()) {
			scenario.victim().locks().acquire(request(scenario, TEN));
			server.killSession(scenario.victim().sessionId());
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> scenario.rival().locks().acquire(request(scenario, TEN, 1)))
				.withMessageContaining("has run already")
				.satisfies((ex) -> assertThat(ex.getDiedAttempts()).isZero());
		}
	}

	@Test
	void tickThatWasInterruptedOrNeverBeganRunsAgain() throws Exception {
		try (FaultScenario scenario = ours()) {
			UnusedRelease.of(scenario.victim().locks().acquire(request(scenario, TEN))).get(30, TimeUnit.SECONDS);
			assertThat(TickFaultTests.record(scenario).last().outcome()).isEqualTo(RunOutcome.UNUSED);
			interrupted(scenario.victim().locks().acquire(request(scenario, TEN)));
			assertThat(TickFaultTests.record(scenario).attempt(TEN.toEpochMilli()).number()).isEqualTo(1);
			assertThat(TickFaultTests.record(scenario).earlier()).isEmpty();
			scenario.rival().locks().acquire(request(scenario, TEN)).release();
			assertHasRun(scenario);
		}
	}

	@Test
	void shardOfAnotherNumberOfShardsIsNotRepeated() throws Exception {
		try (FaultScenario scenario = ours()) {
			interrupted(scenario.victim().locks().acquire(shard(scenario, 8)));
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> scenario.rival().locks().acquire(shard(scenario, 4)))
				.satisfies((ex) -> assertThat(ex.getRun().shards()).isEqualTo(8));
			scenario.rival().locks().acquire(shard(scenario, 8)).release();
			assertThat(TickFaultTests.record(scenario).last().attempt()).isEqualTo(2);
		}
	}

	private static LockRequest shard(FaultScenario scenario, int shards) {
		LockRequest request = request(scenario, TEN);
		return request.withTick(request.tick().withShard(3, shards));
	}

	@Test
	void tickThatFailedHasRun() throws Exception {
		try (FaultScenario scenario = ours()) {
			LockTemplate template = new LockTemplate(scenario.victim().locks());
			catchThrowable(() -> template.execute(request(scenario, TEN), (handle) -> {
				throw new IllegalStateException("the body");
			}));
			assertHasRun(scenario);
		}
	}

	@Test
	void runThatGoesOnKeepsTheTickFromRunningAgain() {
		try (FaultScenario scenario = ours()) {
			LockHandle handle = scenario.victim().locks().acquire(request(scenario, TEN));
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> scenario.rival().locks().acquire(request(scenario, TEN).withWait(Duration.ZERO)))
				.satisfies((ex) -> assertThat(ex.getTick()).isNull());
			handle.release();
			assertHasRun(scenario);
		}
	}

	@Test
	void lastAttemptThatGoesOnHasNotDied() throws Exception {
		try (FaultScenario scenario = ours()) {
			interrupted(scenario.victim().locks().acquire(request(scenario, TEN, 2)));
			LockHandle handle = scenario.victim().locks().acquire(request(scenario, TEN, 2));
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> scenario.rival().locks().acquire(request(scenario, TEN, 2).withWait(Duration.ZERO)))
				.satisfies((ex) -> assertThat(ex.getDiedAttempts()).isZero());
			handle.release();
			assertHasRun(scenario);
		}
	}

	@Test
	void requestThatWaitsForTheEndOfTheRunIsRefusedThen() throws Exception {
		try (FaultScenario scenario = ours()) {
			LockHandle handle = scenario.victim().locks().acquire(request(scenario, TEN));
			CompletableFuture<LockHandle> waiting = scenario.rival().locks().acquireAsync(request(scenario, TEN));
			TickFaultTests.eventually().until(() -> scenario.left().size() == 2);
			handle.release();
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> result(waiting))
				.withMessageContaining("has run already");
		}
	}

	@Test
	void requestThatWaitsRunsTheTickWhenItsRunnerHasDied() throws Exception {
		try (FaultScenario scenario = ours()) {
			scenario.victim().locks().acquire(request(scenario, TEN));
			CompletableFuture<LockHandle> waiting = scenario.rival().locks().acquireAsync(request(scenario, TEN));
			TickFaultTests.eventually().until(() -> scenario.left().size() == 2);
			server.killSession(scenario.victim().sessionId());
			waiting.get(30, TimeUnit.SECONDS).release();
			assertHasRun(scenario);
		}
	}

	@Test
	void tickWhoseAttemptsHaveAllDiedIsRefused() throws Exception {
		try (FaultScenario scenario = ours()) {
			for (int attempt = 1; attempt <= 2; attempt++) {
				interrupted(scenario.victim().locks().acquire(request(scenario, TEN, 2)));
			}
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> scenario.rival().locks().acquire(request(scenario, TEN, 2)))
				.withMessageContaining("did not come to its end in 2 of 2 attempts")
				.satisfies((ex) -> assertThat(ex.getDiedAttempts()).isEqualTo(2));
			scenario.rival().locks().acquire(request(scenario, ELEVEN, 2)).release();
		}
	}

	private static void interrupted(LockHandle handle) {
		WorkRecords.ended(handle, RunOutcome.INTERRUPTED);
		handle.release();
	}

	@Test
	void tickThatALaterOneHasOvertakenDoesNotRunAgain() throws Exception {
		try (FaultScenario scenario = ours()) {
			UnusedRelease.of(scenario.victim().locks().acquire(request(scenario, TEN))).get(30, TimeUnit.SECONDS);
			UnusedRelease.of(scenario.victim().locks().acquire(request(scenario, ELEVEN))).get(30, TimeUnit.SECONDS);
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> scenario.rival().locks().acquire(request(scenario, TEN)))
				.withMessageContaining("was overtaken");
		}
	}

	@Test
	void tickThatYieldsRunsAfterTheTickThatHasDied() throws Exception {
		try (FaultScenario scenario = ours()) {
			UnusedRelease.of(scenario.victim().locks().acquire(request(scenario, TEN))).get(30, TimeUnit.SECONDS);
			LockRequest later = request(scenario, ELEVEN);
			LockRequest yielding = later.withTick(later.tick().yielding(Duration.ofDays(1)));
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> scenario.rival().locks().acquire(yielding))
				.withMessageContaining("waits for an earlier one");
			scenario.rival().locks().acquire(request(scenario, TEN)).release();
			scenario.rival().locks().acquire(yielding).release();
		}
	}

	@Test
	void lateTickRunsOnlyIfItsJobHasRunBefore() {
		try (FaultScenario scenario = ours()) {
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> scenario.rival().locks().acquire(late(scenario, TEN)))
				.withMessageContaining("has never run");
			scenario.victim().locks().acquire(request(scenario, TEN)).release();
			LockTemplate rival = new LockTemplate(scenario.rival().locks());
			boolean recovery = rival.execute(late(scenario, ELEVEN), (handle) -> LockTick.current().isRecovery());
			assertThat(recovery).isTrue();
		}
	}

	private static LockHandle result(CompletableFuture<LockHandle> acquiring) throws Throwable {
		try {
			return acquiring.get(30, TimeUnit.SECONDS);
		}
		catch (ExecutionException ex) {
			throw ex.getCause();
		}
	}

	private static void assertHasRun(FaultScenario scenario) {
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> scenario.rival().locks().acquire(request(scenario, TEN)))
			.withMessageContaining("has run already");
	}

	private static LockRequest late(FaultScenario scenario, Instant time) {
		LockRequest request = request(scenario, time);
		return request.withTick(request.tick().late());
	}

	private static LockRequest request(FaultScenario scenario, Instant time) {
		return request(scenario, time, 3);
	}

	private static LockRequest request(FaultScenario scenario, Instant time, int attempts) {
		LockRequest request = TickFaultTests.request(scenario, time);
		return request.withTick(request.tick().withMaxAttempts(attempts));
	}

	private static FaultScenario ours() {
		return FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT);
	}

}
