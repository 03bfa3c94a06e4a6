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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.spi.RunOutcome;
import io.github.zklock.core.spi.UnusedRelease;
import io.github.zklock.support.CapturedOutput;
import io.github.zklock.support.Fault;
import io.github.zklock.support.FaultPlan;
import io.github.zklock.support.OutputCaptureExtension;
import io.github.zklock.support.WorkerProcess;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.node.JobRecord;
import io.github.zklock.zookeeper.node.LockPaths;
import org.apache.zookeeper.KeeperException.Code;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Replies that come late, sessions that end and nodes that are deleted while a run is
 * recorded: it happens once, and its record says so. Lost messages are a matter of the
 * simulation.
 */
@Tag("server")
class TickFaultTests {

	private static final String JOB = "Jobs.report";

	private static final Instant TEN = Instant.parse("2024-10-05T10:00:00Z");

	private static final Instant ELEVEN = TEN.plusSeconds(3600);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void runHappensOnceThoughItsRecordSeemsToBeThere() {
		try (FaultScenario scenario = ours()) {
			scenario.rival().locks().acquire(request(scenario, TEN)).release();
			onRecord(scenario).answer(Code.BADVERSION);
			scenario.victim().locks().acquire(request(scenario, ELEVEN)).release();
			assertThat(scenario.network().pending()).isEmpty();
			assertHasRun(scenario);
		}
	}

	@Test
	void contenderWhoseNodeWasDeletedDoesNotRunWhatAnotherHasRun() throws Exception {
		try (FaultScenario scenario = ours()) {
			Fault held = onRecord(scenario).holdRequest();
			CompletableFuture<LockHandle> acquiring = scenario.victim().locks().acquireAsync(request(scenario, ELEVEN));
			held.awaitFired();
			deleteNode(scenario);
			scenario.rival().locks().acquire(request(scenario, ELEVEN)).release();
			held.release();
			assertHasRun(acquiring);
			assertHasRun(scenario);
		}
	}

	@Test
	void contenderWhoseNodeWasDeletedRunsWhatNobodyHasRun() throws Exception {
		try (FaultScenario scenario = ours()) {
			Fault held = onRecord(scenario).holdRequest();
			CompletableFuture<LockHandle> acquiring = scenario.victim().locks().acquireAsync(request(scenario, ELEVEN));
			held.awaitFired();
			deleteNode(scenario);
			held.release();
			acquiring.get(30, TimeUnit.SECONDS).release();
			assertHasRun(scenario);
		}
	}

	@Test
	void contenderWhoseNodeWasDeletedDoesNotRunBesideAnotherHolder() throws Exception {
		try (FaultScenario scenario = ours()) {
			scenario.rival().locks().acquire(request(scenario, TEN)).release();
			Fault held = onRecord(scenario).holdRequest();
			CompletableFuture<LockHandle> acquiring = scenario.victim().locks().acquireAsync(request(scenario, ELEVEN));
			held.awaitFired();
			deleteNode(scenario);
			LockHandle other = scenario.rival().locks().acquire(scenario.request(FaultScenario.WAIT));
			held.release();
			eventually().until(() -> scenario.left().size() == 2);
			assertThat(record(scenario).last().tick()).isEqualTo(TEN.toEpochMilli());
			other.release();
			acquiring.get(30, TimeUnit.SECONDS).release();
			assertHasRun(scenario);
		}
	}

	@Test
	void endOfARunIsWrittenWithTheDeleteOfItsNodeOrNot() throws Exception {
		try (FaultScenario scenario = ours()) {
			LockHandle handle = scenario.victim().locks().acquire(request(scenario, ELEVEN));
			Fault held = onRecord(scenario).holdRequest();
			CompletableFuture<Void> releasing = CompletableFuture.runAsync(handle::release);
			held.awaitFired();
			assertThat(scenario.left()).hasSize(1);
			assertThat(record(scenario).last().outcome()).isNull();
			// As a client does that pauses the job meanwhile.
			scenario.rival().curator().setData().forPath(job(scenario), record(scenario).data());
			held.release();
			releasing.get(30, TimeUnit.SECONDS);
			assertHasRun(scenario);
			assertThat(record(scenario).last().outcome()).isEqualTo(RunOutcome.DONE);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 3, 4 })
	@ExtendWith(OutputCaptureExtension.class)
	void endOfARunIsNotWrittenAfterAFourthWriteOfOthers(int writes, CapturedOutput output) throws Exception {
		try (FaultScenario scenario = ours()) {
			LockHandle handle = scenario.victim().locks().acquire(request(scenario, ELEVEN));
			releaseWhileOthersWrite(scenario, handle, writes);
			assertHasRun(scenario);
			assertThat(record(scenario).last().outcome()).isEqualTo((writes == 3) ? RunOutcome.DONE : null);
			assertThat(output.toString()
				.contains("The end of a run is not written at " + job(scenario)
						+ ", so the run may seem to have died: BADVERSION"))
				.isEqualTo(writes == 4);
		}
	}

	private static void releaseWhileOthersWrite(FaultScenario scenario, LockHandle handle, int writes)
			throws Exception {
		Fault held = onRecord(scenario).holdRequest();
		CompletableFuture<Void> releasing = CompletableFuture.runAsync(handle::release);
		for (int write = 1; write <= writes; write++) {
			held.awaitFired();
			scenario.rival().curator().setData().forPath(job(scenario), record(scenario).data());
			Fault before = held;
			held = (write < writes) ? onRecord(scenario).holdRequest() : held;
			before.release();
		}
		releasing.get(30, TimeUnit.SECONDS);
	}

	@Test
	void endOfARunWhoseAnswerIsLostIsWrittenOnce() throws Exception {
		try (FaultScenario scenario = ours()) {
			LockHandle handle = scenario.victim().locks().acquire(request(scenario, ELEVEN));
			onRecord(scenario).killAfter();
			handle.release();
			assertHasRun(scenario);
			eventually().untilAsserted(() -> assertThat(record(scenario).last().outcome()).isEqualTo(RunOutcome.DONE));
			scenario.victim().locks().acquire(request(scenario, ELEVEN.plusSeconds(1))).release();
			assertThat(record(scenario).earlier()).hasSize(1);
		}
	}

	@Test
	void runOfALostLockHasNoEnd() throws Exception {
		try (FaultScenario scenario = ours()) {
			LockHandle handle = scenario.victim().locks().acquire(request(scenario, ELEVEN));
			deleteNode(scenario);
			handle.release();
			assertHasRun(scenario);
			assertThat(record(scenario).last().outcome()).isNull();
		}
	}

	// A release does not wait for its answer for long.
	private static void awaitOutcome(FaultScenario scenario, RunOutcome outcome) {
		Awaitility.await().untilAsserted(() -> assertThat(record(scenario).last().outcome()).isEqualTo(outcome));
	}

	@Test
	void outcomeOfARunIsThatOfItsBody() throws Exception {
		try (FaultScenario scenario = ours()) {
			LockTemplate template = new LockTemplate(scenario.victim().locks());
			IllegalStateException failure = new IllegalStateException("the body");
			assertThatThrownBy(() -> template.execute(request(scenario, TEN), (handle) -> {
				throw failure;
			})).isSameAs(failure);
			awaitOutcome(scenario, RunOutcome.FAILED);
			template
				.executeAsync(request(scenario, TEN.plusSeconds(1)),
						(handle) -> CompletableFuture.failedFuture(new InterruptedException()))
				.exceptionally((ex) -> null)
				.get(30, TimeUnit.SECONDS);
			awaitOutcome(scenario, RunOutcome.INTERRUPTED);
			template.execute(request(scenario, TEN.plusSeconds(2)), LockHandle::key);
			awaitOutcome(scenario, RunOutcome.DONE);
			UnusedRelease.of(scenario.victim().locks().acquire(request(scenario, ELEVEN))).get(30, TimeUnit.SECONDS);
			awaitOutcome(scenario, RunOutcome.UNUSED);
			template.execute(request(scenario, ELEVEN.plusSeconds(1)), (handle) -> {
				Thread.currentThread().interrupt();
				return handle.key();
			});
			assertThat(Thread.interrupted()).isTrue();
			awaitOutcome(scenario, RunOutcome.INTERRUPTED);
		}
	}

	@Test
	void runHasFailedEvenIfTheCauseOfItsFailureCannotBeRead() throws Exception {
		RuntimeException failure = new RuntimeException("the body") {

			private static final long serialVersionUID = 1L;

			@Override
			public synchronized Throwable getCause() {
				throw new IllegalStateException("injected");
			}

		};
		try (FaultScenario scenario = ours()) {
			LockTemplate template = new LockTemplate(scenario.victim().locks());
			Throwable thrown = catchThrowable(() -> template.execute(request(scenario, TEN), (handle) -> {
				throw failure;
			}));
			assertThat(thrown == failure).isTrue();
			awaitOutcome(scenario, RunOutcome.FAILED);
		}
	}

	@Test
	void jobThatIsDeletedByHandIsNoObstacle() throws Exception {
		try (FaultScenario scenario = ours()) {
			scenario.rival().locks().acquire(request(scenario, TEN)).release();
			Fault held = onRecord(scenario).holdRequest();
			CompletableFuture<LockHandle> acquiring = scenario.victim().locks().acquireAsync(request(scenario, ELEVEN));
			held.awaitFired();
			scenario.rival().curator().delete().forPath(job(scenario));
			held.release();
			acquiring.get(30, TimeUnit.SECONDS).release();
			assertHasRun(scenario);
		}
	}

	@Test
	void callGoesOnInANewSessionAfterItsRecordWasMade() throws Exception {
		try (FaultScenario scenario = ours()) {
			Fault held = onRecord(scenario).holdReply();
			CompletableFuture<LockHandle> acquiring = scenario.victim().locks().acquireAsync(request(scenario, ELEVEN));
			held.awaitFired();
			assertThat(record(scenario).last().tick()).isEqualTo(ELEVEN.toEpochMilli());
			server.killSession(scenario.victim().sessionId());
			held.release();
			acquiring.get(30, TimeUnit.SECONDS).release();
			assertThat(record(scenario).earlier()).isEmpty();
			assertHasRun(scenario);
		}
	}

	@Test
	void callGoesOnInANewSessionBeforeItsRecordWasMade() throws Exception {
		try (FaultScenario scenario = ours()) {
			Fault held = onRecord(scenario).holdRequest();
			CompletableFuture<LockHandle> acquiring = scenario.victim().locks().acquireAsync(request(scenario, ELEVEN));
			held.awaitFired();
			server.killSession(scenario.victim().sessionId());
			held.release();
			acquiring.get(30, TimeUnit.SECONDS).release();
			assertHasRun(scenario);
		}
	}

	@Test
	void runThatWasRecordedHasHappenedAlthoughNobodyWaitsForItAnyMore() {
		try (FaultScenario scenario = ours()) {
			Fault held = onRecord(scenario).holdReply();
			CompletableFuture<LockHandle> acquiring = scenario.victim().locks().acquireAsync(request(scenario, ELEVEN));
			held.awaitFired();
			acquiring.cancel(true);
			held.release();
			assertHasRun(scenario);
		}
	}

	@Test
	void runOfAProcessThatWasKilledHasHappened() throws Exception {
		Duration sessionTimeout = Duration.ofSeconds(4);
		try (FaultScenario scenario = ours();
				WorkerProcess worker = WorkerProcess.start(server.connectString(), sessionTimeout)) {
			String key = scenario.request(Duration.ZERO).key();
			assertThat(worker.ask("tick " + key + " " + JOB + " " + ELEVEN)).startsWith("acquired");
			worker.kill();
			// It is the record that refuses them, not the lock.
			assertThatThrownBy(() -> scenario.victim().locks().acquire(request(scenario, ELEVEN)))
				.hasMessageContaining("has run already");
			assertHasRun(scenario);
			scenario.victim().locks().acquire(request(scenario, ELEVEN.plusSeconds(1))).release();
		}
	}

	private static void assertHasRun(CompletableFuture<LockHandle> acquiring) {
		assertThatThrownBy(() -> acquiring.get(30, TimeUnit.SECONDS)).cause()
			.isInstanceOfSatisfying(LockNotAcquiredException.class, (ex) -> assertThat(ex.getTick()).isNotNull());
	}

	// Nothing is left of the lock, and the job refuses the run to both.
	static void assertHasRun(FaultScenario scenario) {
		eventually().untilAsserted(() -> assertThat(scenario.left()).isEmpty());
		eventually().untilAsserted(() -> assertThat(record(scenario).last().tick()).isEqualTo(ELEVEN.toEpochMilli()));
		for (var client : List.of(scenario.victim(), scenario.rival())) {
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> client.locks().acquire(request(scenario, ELEVEN)))
				.satisfies((ex) -> assertThat(ex.getTick()).isNotNull());
		}
	}

	private static void deleteNode(FaultScenario scenario) throws Exception {
		String node = scenario.left().stream().filter((name) -> name.contains("lock-")).findFirst().orElseThrow();
		scenario.rival().curator().delete().forPath(scenario.directory() + "/" + node);
	}

	static String job(FaultScenario scenario) {
		return new LockPaths("", "/locks", null).job(LockTick.at(JOB, TEN), scenario.request(Duration.ZERO).key());
	}

	static JobRecord record(FaultScenario scenario) throws Exception {
		return JobRecord.parse(scenario.rival().curator().getData().forPath(job(scenario)));
	}

	static LockRequest request(FaultScenario scenario, Instant time) {
		return scenario.request(FaultScenario.WAIT).withTick(LockTick.at(JOB, time));
	}

	static FaultPlan onRecord(FaultScenario scenario) {
		return scenario.network().on(ZooKeeperOperation.MULTI, scenario.directory());
	}

	private static FaultScenario ours() {
		return new FaultScenario(server, (curator) -> ZooKeeperLockProvider.builder(curator).build());
	}

	static ConditionFactory eventually() {
		return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5));
	}

}
