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
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockInterruptedException;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.spi.RunOutcome;
import io.github.zklock.support.Fault;
import io.github.zklock.support.FaultPlan;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.zookeeper.KeeperException.Code;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * The time of a request is over while its run is recorded: it waits for the outcome of
 * what was sent, and for nothing else.
 */
@Tag("server")
class OverdueRecordTests {

	private static final Instant TEN = Instant.parse("2024-10-05T10:00:00Z");

	private static final Instant ELEVEN = TEN.plusSeconds(3600);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void runWhoseRecordIsAnsweredAfterTheTimeOfItsRequestTakesPlace() throws Exception {
		try (FaultScenario scenario = ours()) {
			Fault held = TickFaultTests.onRecord(scenario).holdReply();
			CompletableFuture<LockHandle> acquiring = attempt(scenario, held);
			assertThatThrownBy(() -> scenario.rival().locks().acquire(TickFaultTests.request(scenario, ELEVEN)))
				.hasMessageContaining("has run already");
			stillWaits(acquiring);
			held.release();
			assertRuns(scenario, acquiring);
		}
	}

	@Test
	void requestWhoseTimeIsOverEndsWhenItsRecordHasFailed() throws Exception {
		try (FaultScenario scenario = ours()) {
			scenario.rival().locks().acquire(TickFaultTests.request(scenario, TEN)).release();
			Fault held = TickFaultTests.onRecord(scenario).holdRequest();
			CompletableFuture<LockHandle> acquiring = attempt(scenario, held);
			stillWaits(acquiring);
			writeAgain(scenario);
			held.release();
			assertThatThrownBy(() -> acquiring.get(30, TimeUnit.SECONDS)).cause().isInstanceOf(LockException.class);
			scenario.rival().locks().acquire(TickFaultTests.request(scenario, ELEVEN)).release();
			TickFaultTests.assertHasRun(scenario);
		}
	}

	@Test
	void runWhoseRecordIsRefusedForAnEarlierOneOfItsOwnTakesPlace() throws Exception {
		try (FaultScenario scenario = ours()) {
			TickFaultTests.onRecord(scenario).killAfter();
			// As a server answers that lags behind.
			Fault stale = scenario.network()
				.on(ZooKeeperOperation.GET_DATA, TickFaultTests.job(scenario))
				.answer(Code.NONODE);
			Fault held = TickFaultTests.onRecord(scenario).holdReply();
			CompletableFuture<LockHandle> acquiring = attempt(scenario, held);
			assertThat(stale.hasFired()).isTrue();
			stillWaits(acquiring);
			held.release();
			assertRuns(scenario, acquiring);
			assertThat(TickFaultTests.record(scenario).last().outcome()).isEqualTo(RunOutcome.DONE);
		}
	}

	@Test
	void recordAfterARefusedOneMayExistAgain() throws Exception {
		try (FaultScenario scenario = ours()) {
			scenario.rival().locks().acquire(TickFaultTests.request(scenario, TEN)).release();
			Fault refused = TickFaultTests.onRecord(scenario).holdRequest();
			Fault written = TickFaultTests.onRecord(scenario).holdReply();
			FaultPlan onRead = scenario.network().on(ZooKeeperOperation.GET_DATA, TickFaultTests.job(scenario));
			onRead.pass();
			Fault stale = onRead.answer(Code.NONODE);
			CompletableFuture<LockHandle> acquiring = attempt(scenario, refused);
			writeAgain(scenario);
			refused.release();
			written.awaitFired();
			stillWaits(acquiring);
			scenario.network().killConnections();
			written.release();
			assertRuns(scenario, acquiring);
			assertThat(stale.hasFired()).isTrue();
		}
	}

	@Test
	void requestWhoseRecordIsNeverAnsweredEndsWithItsSession() throws Exception {
		try (FaultScenario scenario = FaultScenario.ours(server, Duration.ofSeconds(4))) {
			Fault held = TickFaultTests.onRecord(scenario).holdReply();
			CompletableFuture<LockHandle> acquiring = attempt(scenario, held);
			stillWaits(acquiring);
			scenario.network().refuse();
			scenario.network().killConnections();
			assertThatThrownBy(() -> acquiring.get(30, TimeUnit.SECONDS)).cause()
				.isInstanceOf(LockUnavailableException.class);
		}
	}

	@Test
	void requestWhoseRecordIsInFlightIsInterrupted() throws Exception {
		try (FaultScenario scenario = ours()) {
			Fault held = TickFaultTests.onRecord(scenario).holdReply();
			CompletableFuture<Throwable> failure = new CompletableFuture<>();
			Thread caller = new Thread(() -> failure.complete(failureOfAttempt(scenario, held)));
			caller.start();
			held.awaitFired();
			stillWaits(failure);
			caller.interrupt();
			assertThat(failure.get(30, TimeUnit.SECONDS)).isInstanceOf(LockInterruptedException.class);
			held.release();
		}
	}

	// Until one comes as far as that in the half second that it may take.
	private static CompletableFuture<LockHandle> attempt(FaultScenario scenario, Fault record) {
		return Awaitility.await().pollDelay(Duration.ZERO).until(() -> {
			CompletableFuture<LockHandle> acquiring = scenario.victim()
				.locks()
				.acquireAsync(TickFaultTests.request(scenario, ELEVEN).withWait(Duration.ZERO));
			Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> record.hasFired() || acquiring.isDone());
			return record.hasFired() ? acquiring : null;
		}, Objects::nonNull);
	}

	private static Throwable failureOfAttempt(FaultScenario scenario, Fault record) {
		Throwable failure;
		do {
			failure = catchThrowable(() -> scenario.victim()
				.locks()
				.acquire(TickFaultTests.request(scenario, ELEVEN).withWait(Duration.ZERO)));
		}
		while (!record.hasFired());
		return failure;
	}

	private static void assertRuns(FaultScenario scenario, CompletableFuture<LockHandle> acquiring) throws Exception {
		LockHandle handle = acquiring.get(30, TimeUnit.SECONDS);
		assertThat(handle.isHeld()).isTrue();
		handle.release();
		TickFaultTests.assertHasRun(scenario);
	}

	// As a client does that pauses the job meanwhile.
	private static void writeAgain(FaultScenario scenario) throws Exception {
		scenario.rival()
			.curator()
			.setData()
			.forPath(TickFaultTests.job(scenario), TickFaultTests.record(scenario).data());
	}

	// For longer than a request that does not wait may take.
	private static void stillWaits(CompletableFuture<?> acquiring) {
		Awaitility.await().during(Duration.ofMillis(800)).until(() -> !acquiring.isDone());
	}

	private static FaultScenario ours() {
		return new FaultScenario(server, (curator) -> ZooKeeperLockProvider.builder(curator).build());
	}

}
