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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.internal.WorkRecords;
import io.github.zklock.core.spi.RunOutcome;
import io.github.zklock.support.CapturedOutput;
import io.github.zklock.support.Fault;
import io.github.zklock.support.OutputCaptureExtension;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.zookeeper.KeeperException.Code;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * The end of a recorded run keeps the promises of each release, and says how its body
 * ended.
 */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class RunEndTests {

	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(6);

	private static final Instant TEN = Instant.parse("2024-10-05T10:00:00Z");

	private static final Instant ELEVEN = TEN.plusSeconds(3600);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void endWhoseAnswerIsLostIsKnownFromTheRecordOfTheNextRun(CapturedOutput output) throws Exception {
		try (FaultScenario scenario = ours()) {
			LockHandle handle = scenario.victim().locks().acquire(TickFaultTests.request(scenario, ELEVEN));
			CompletableFuture<LockHandle> next = scenario.rival()
				.locks()
				.acquireAsync(TickFaultTests.request(scenario, ELEVEN.plusSeconds(1)).withWait(FaultScenario.WAIT));
			TickFaultTests.eventually().until(() -> scenario.left().size() == 2);
			Fault held = TickFaultTests.onRecord(scenario).holdReply();
			CompletableFuture<Void> released = handle.releaseAsync();
			held.awaitFired();
			LockHandle other = next.get(30, TimeUnit.SECONDS);
			scenario.network().killConnections();
			released.get(30, TimeUnit.SECONDS);
			ZooKeeperLockProvider locks = (ZooKeeperLockProvider) scenario.victim().locks();
			TickFaultTests.eventually().until(() -> locks.status().pendingDeletes() == 0);
			assertThat(output.toString()).doesNotContain("is lost: its node was deleted", "may seem to have died");
			other.release();
			assertThat(TickFaultTests.record(scenario).earlier()).singleElement()
				.satisfies((run) -> assertThat(run.outcome()).isEqualTo(RunOutcome.DONE));
		}
	}

	@Test
	void endOfATickThatSharesItsLockWithALaterOneIsWrittenAtItsRun(CapturedOutput output) throws Exception {
		try (FaultScenario scenario = ours()) {
			LockHandle handle = scenario.victim().locks().acquire(shared(scenario, TEN));
			LockHandle later = scenario.rival().locks().acquire(shared(scenario, ELEVEN));
			handle.release();
			assertThat(output.toString()).doesNotContain("may seem to have died");
			assertThat(TickFaultTests.record(scenario).isOpen()).isTrue();
			later.release();
			Awaitility.await().untilAsserted(() -> assertThat(TickFaultTests.record(scenario)).satisfies((record) -> {
				assertThat(record.last().tick()).isEqualTo(ELEVEN.toEpochMilli());
				assertThat(record.last().outcome()).isEqualTo(RunOutcome.DONE);
				assertThat(record.earlier()).singleElement()
					.satisfies((run) -> assertThat(run.outcome()).isEqualTo(RunOutcome.DONE));
			}));
		}
	}

	// Its node has gone with its session, so other nodes may repeat it.
	@Test
	void endOfSuchATickInAnOutageIsNotWrittenInTheNextSession(CapturedOutput output) throws Exception {
		try (FaultScenario scenario = FaultScenario.ours(server, SESSION_TIMEOUT)) {
			LockHandle handle = scenario.victim().locks().acquire(shared(scenario, TEN));
			LockHandle later = scenario.rival().locks().acquire(shared(scenario, ELEVEN));
			releaseInAnOutage(scenario, handle);
			scenario.network().heal();
			String notWritten = "The end of a run is not written at " + TickFaultTests.job(scenario);
			TickFaultTests.eventually().untilAsserted(() -> assertThat(output.toString()).contains(notWritten));
			later.release();
			assertThat(TickFaultTests.record(scenario).earlier()).singleElement()
				.satisfies((run) -> assertThat(run.outcome()).isNull());
		}
	}

	// As the nodes that run the shards of a tick share the key of their job.
	private static LockRequest shared(FaultScenario scenario, Instant time) {
		return scenario.request(FaultScenario.WAIT)
			.withMode(LockMode.READ)
			.withTick(LockTick.at("Jobs.report", time).withShard(0, 4));
	}

	@Test
	void endThatAnotherClientHasWrittenLeavesNoNode() throws Exception {
		try (FaultScenario scenario = ours()) {
			LockHandle handle = scenario.victim().locks().acquire(TickFaultTests.request(scenario, ELEVEN));
			byte[] ended = TickFaultTests.record(scenario).ended(ELEVEN.toEpochMilli(), RunOutcome.DONE).data();
			scenario.rival().curator().setData().forPath(TickFaultTests.job(scenario), ended);
			handle.release();
			TickFaultTests.assertHasRun(scenario);
		}
	}

	@Test
	void endInAnOutageIsWrittenInTheNextSession(CapturedOutput output) throws Exception {
		try (FaultScenario scenario = FaultScenario.ours(server, SESSION_TIMEOUT)) {
			releaseInAnOutage(scenario);
			scenario.network().heal();
			awaitDone(scenario);
			TickFaultTests.assertHasRun(scenario);
			assertThat(output.toString()).doesNotContain("may seem to have died");
		}
	}

	@Test
	void processDoesNotRepeatItsRunAlthoughTheEndIsRefused(CapturedOutput output) throws Exception {
		try (FaultScenario scenario = FaultScenario.ours(server, SESSION_TIMEOUT)) {
			releaseInAnOutage(scenario);
			TickFaultTests.onRecord(scenario).pass();
			scenario.network().on(ZooKeeperOperation.MULTI, TickFaultTests.job(scenario)).answer(Code.NOAUTH);
			scenario.network().heal();
			String refused = "The end of a run is not written at " + TickFaultTests.job(scenario);
			TickFaultTests.eventually().untilAsserted(() -> assertThat(output.toString()).contains(refused));
			LockRequest again = scenario.request(FaultScenario.WAIT)
				.withTick(LockTick.at("Jobs.report", ELEVEN).withMaxAttempts(3));
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> scenario.victim().locks().acquire(again))
				.satisfies((ex) -> assertThat(ex.getTick()).isNotNull())
				.satisfies((ex) -> assertThat(ex.getDiedAttempts()).isZero());
			LockHandle second = scenario.rival().locks().acquire(again);
			assertThat(WorkRecords.attempt(second)).isEqualTo(2);
			second.release();
		}
	}

	@Test
	void endIsWrittenInTheNextSessionWhileTheNodeIsThere(CapturedOutput output) throws Exception {
		try (FaultScenario scenario = ours()) {
			LockHandle handle = scenario.victim().locks().acquire(TickFaultTests.request(scenario, ELEVEN));
			Fault held = TickFaultTests.onRecord(scenario).holdRequest();
			handle.releaseAsync();
			held.awaitFired();
			scenario.giveUpSession();
			awaitDone(scenario);
			TickFaultTests.assertHasRun(scenario);
			assertThat(output.toString()).doesNotContain("may seem to have died");
		}
	}

	// The servers have ended the session, and have not seen the release.
	private static void releaseInAnOutage(FaultScenario scenario) {
		releaseInAnOutage(scenario, scenario.victim().locks().acquire(TickFaultTests.request(scenario, ELEVEN)));
	}

	private static void releaseInAnOutage(FaultScenario scenario, LockHandle handle) {
		long session = scenario.victim().sessionId();
		Fault held = TickFaultTests.onRecord(scenario).holdRequest();
		handle.releaseAsync();
		held.awaitFired();
		scenario.network().refuse();
		Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> !server.isAlive(session));
	}

	private static void awaitDone(FaultScenario scenario) {
		TickFaultTests.eventually()
			.untilAsserted(
					() -> assertThat(TickFaultTests.record(scenario).last().outcome()).isEqualTo(RunOutcome.DONE));
	}

	@Test
	void failureOfACallThatReentersIsNotTheOutcomeOfTheRun() throws Exception {
		try (FaultScenario scenario = ours()) {
			LockTemplate template = new LockTemplate(scenario.victim().locks());
			LockRequest nested = scenario.request(FaultScenario.WAIT);
			template.execute(TickFaultTests.request(scenario, TEN),
					(handle) -> catchThrowable(() -> template.execute(nested, (again) -> {
						throw new IllegalStateException("the nested call");
					})));
			assertThat(TickFaultTests.record(scenario).last().outcome()).isEqualTo(RunOutcome.DONE);
		}
	}

	@Test
	void failureThatFailsItselfReleasesTheLock() throws Exception {
		try (FaultScenario scenario = ours()) {
			LockTemplate template = new LockTemplate(scenario.victim().locks());
			RuntimeException failure = new RuntimeException("the body") {

				@Override
				public synchronized Throwable getCause() {
					throw new IllegalStateException("the cause");
				}

			};
			assertThat(catchThrowable(() -> template.execute(TickFaultTests.request(scenario, ELEVEN), (handle) -> {
				throw failure;
			})) == failure).isTrue();
			TickFaultTests.assertHasRun(scenario);
		}
	}

	private static FaultScenario ours() {
		return new FaultScenario(server, (curator) -> ZooKeeperLockProvider.builder(curator).build());
	}

}
