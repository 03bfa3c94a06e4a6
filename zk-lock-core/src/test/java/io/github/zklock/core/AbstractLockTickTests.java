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

package io.github.zklock.core;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockJob.Outcome;
import io.github.zklock.core.internal.WorkRecords;
import io.github.zklock.core.spi.HolderSource;
import io.github.zklock.core.spi.JobStore;
import io.github.zklock.core.spi.JobStore.EarlierPause;
import io.github.zklock.core.spi.JobStore.Job;
import io.github.zklock.core.spi.JobStore.Pause;
import io.github.zklock.core.spi.JobStore.State;
import io.github.zklock.core.spi.RunOutcome;
import io.github.zklock.support.Refusal;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Locks for planned runs of a job: each run happens once.
 */
public abstract class AbstractLockTickTests extends AbstractTickContract {

	private static final Duration TIME = Duration.ofSeconds(30);

	@Test
	void tickThatHasRunIsRefusedAlthoughTheKeyIsFree() {
		first(LockTick.at(JOB, TEN)).release();
		LockTick late = LockTick.at(JOB, TEN);
		LockNotAcquiredException refusal = refusalOf(late);
		assertThat(refusal.getTick()).isEqualTo(late);
		assertThat(refusal.getHolder()).isNotNull();
		assertThat(refusal).hasMessageStartingWith("Lock '" + key()
				+ "' (EXCLUSIVE) not acquired: tick 2024-10-05T10:00:00Z of com.example.Jobs.report has run already; "
				+ "run by ");
		assertFree();
	}

	@Test
	void nodeThatRanItIsRefusedAsWell() {
		first(LockTick.at(JOB, TEN)).release();
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> first(LockTick.at(JOB, TEN)))
			.satisfies((ex) -> assertThat(ex.getTick()).isNotNull());
	}

	@Test
	void nextTickRuns() {
		first(LockTick.at(JOB, TEN)).release();
		second(LockTick.at(JOB, ELEVEN)).release();
		assertThat(refusalOf(LockTick.at(JOB, ELEVEN)).getTick()).isNotNull();
	}

	@Test
	void tickIsRefusedThatALaterOneHasOvertaken() {
		first(LockTick.at(JOB, ELEVEN)).release();
		assertThat(refusalOf(LockTick.at(JOB, TEN)))
			.hasMessageContaining("tick 2024-10-05T10:00:00Z of com.example.Jobs.report was overtaken by the tick of "
					+ "2024-10-05T11:00:00Z");
	}

	@Test
	void eachScheduleHasItsOwnTicks() {
		first(LockTick.at(JOB, TEN)).release();
		second(LockTick.at("com.example.Jobs.clean", TEN)).release();
		assertThat(refusalOf(LockTick.at(JOB, TEN)).getTick()).isNotNull();
	}

	@Test
	void firstReaderFixesTheNumberOfShardsAndSharesTheKey() {
		LockHandle splitting = backend().first().acquire(splitting(8).withOwner("first"));
		LockNotAcquiredException refusal = Refusal
			.of(() -> backend().second().acquire(splitting(4).withOwner("second")).release());
		assertThat(refusal.getRun()).satisfies((run) -> {
			assertThat(run.time()).isEqualTo(TEN);
			assertThat(run.shards()).isEqualTo(8);
		});
		second(LockMode.READ).release();
		assertThat(Refusal
			.of(() -> backend().second()
				.acquire(request(LockMode.EXCLUSIVE, Duration.ZERO).withOwner("plain"))
				.release())
			.getTick()).isNull();
		splitting.release();
		assertThat(refusalOf(LockTick.at(JOB, TEN)).getRun().shards()).isEqualTo(8);
		assertThat(refusalOf(LockTick.at(JOB, TEN.minusSeconds(1))).getRun().time()).isEqualTo(TEN);
	}

	@Test
	void shardIsRepeatedOnlyWithTheSameNumberOfShards() {
		LockTick tick = LockTick.at(JOB, TEN).withMaxAttempts(3);
		LockHandle dead = first(tick.withShard(3, 8));
		WorkRecords.ended(dead, RunOutcome.INTERRUPTED);
		dead.release();
		assertThat(refusalOf(LockTick.at(JOB, TEN).withMaxAttempts(3).withShard(3, 4)).getRun()).isNotNull();
		LockHandle again = second(LockTick.at(JOB, TEN).withMaxAttempts(3).withShard(3, 8));
		assertThat(WorkRecords.attempt(again)).isEqualTo(2);
		again.release();
	}

	private LockRequest splitting(int shards) {
		return request(LockMode.READ, Duration.ZERO).withTick(LockTick.at(JOB, TEN).withShard(0, shards));
	}

	@Test
	void requestsWithoutATickAreNotRefused() {
		first(LockTick.at(JOB, TEN)).release();
		second(LockMode.EXCLUSIVE).release();
		second(LockMode.READ).release();
		assertThat(refusalOf(LockTick.at(JOB, TEN)).getTick()).isNotNull();
	}

	@Test
	void tickThatIsHeldIsRefusedAtOnceHoweverLongTheWait() {
		LockHandle running = first(LockTick.at(JOB, TEN));
		assertThat(refusalOf(LockTick.at(JOB, TEN)).getTick()).isNotNull();
		running.release();
	}

	@Test
	void whoWaitsForTheSameTickIsRefusedWhenItsTurnComes() {
		LockHandle button = backend().first().acquire(request(LockMode.EXCLUSIVE, PATIENCE).withOwner("button"));
		List<CompletableFuture<LockHandle>> waiting = List.of(
				backend().first().acquireAsync(request(LockTick.at(JOB, TEN)).withOwner("first")),
				backend().second().acquireAsync(request(LockTick.at(JOB, TEN)).withOwner("second")));
		backend().awaitMembers(key(), 3);
		button.release();
		CompletableFuture<?> any = CompletableFuture.anyOf(waiting.toArray(CompletableFuture[]::new));
		get(any.thenApply(LockHandle.class::cast)).release();
		assertThat(waiting).filteredOn((one) -> {
			try {
				get(one);
				return true;
			}
			catch (LockNotAcquiredException ex) {
				assertThat(ex.getTick()).isNotNull();
				return false;
			}
		}).hasSize(1);
	}

	@Test
	void callWhoseRunIsDoneIsRefusedAsWell() {
		LockTick tick = LockTick.at(JOB, TEN);
		first(tick).release();
		assertThat(refusalOf(tick)).hasMessageContaining("has run already");
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> first(tick))
			.satisfies((ex) -> assertThat(ex.getTick()).isEqualTo(tick));
		assertFree();
	}

	@Test
	void callThatWaitsForItselfIsRefusedWhenItsRunIsDone() {
		LockTick tick = LockTick.at(JOB, TEN);
		LockHandle running = first(tick);
		CompletableFuture<LockHandle> waiting = backend().second().acquireAsync(request(tick).withOwner("second"));
		backend().awaitMembers(key(), 2);
		running.release();
		assertThat(Refusal.of(() -> get(waiting)).getTick()).isEqualTo(tick);
		assertFree();
	}

	@Test
	void callWhoseRunFailedGoesOn() {
		LockTick tick = LockTick.at(JOB, TEN);
		LockHandle running = first(tick);
		WorkRecords.failed(running, new IllegalStateException("first attempt"));
		running.release();
		second(tick).release();
		assertThat(refusalOf(tick).getTick()).isNotNull();
	}

	@Test
	void tickHasRunAlthoughItsLockIsLost() {
		LockHandle running = first(LockTick.at(JOB, TEN));
		backend().loseFirst();
		eventually().until(() -> running.state() == LockState.LOST);
		eventually().untilAsserted(() -> assertThat(refusalOf(LockTick.at(JOB, TEN)).getTick()).isNotNull());
		running.release();
	}

	@Test
	void periodicRunsOfOneNodeFollowOneAnother() {
		LockTick tick = LockTick.every(JOB, Duration.ofHours(1));
		first(tick).release();
		first(LockTick.every(JOB, Duration.ofHours(1))).release();
	}

	@Test
	void periodicRunKeepsOtherNodesOut() {
		first(LockTick.every(JOB, Duration.ofHours(1))).release();
		LockTick other = LockTick.every(JOB, Duration.ofHours(1));
		assertThat(refusalOf(other)).hasMessageContaining("is not due, since another node runs it")
			.satisfies((ex) -> assertThat(ex.getTick()).isEqualTo(other));
		second(LockTick.at(JOB, TEN)).release();
		second(LockMode.EXCLUSIVE).release();
		first(LockTick.every(JOB, Duration.ofHours(1))).release();
	}

	@Test
	void nestedRequestIgnoresItsTick() {
		LockHandle outer = first(LockTick.at(JOB, TEN));
		first(LockTick.at(JOB, TEN)).release();
		outer.release();
		assertThat(refusalOf(LockTick.at(JOB, TEN)).getTick()).isNotNull();
	}

	@Test
	void tickOfSeveralKeysHasNotRunBeforeAllAreHeld() {
		LockTemplate locks = new LockTemplate(backend().second());
		LockHandle obstacle = first(LockMode.EXCLUSIVE);
		List<LockRequest> requests = List.of(request(LockTick.at(JOB, TEN)).withWait(Duration.ZERO),
				LockRequest.of("a" + key()).withTick(LockTick.at(JOB, TEN)));
		assertThatIllegalArgumentException().isThrownBy(() -> locks.acquire(requests))
			.withMessageContaining("use one tick");
		LockTick tick = LockTick.at(JOB, TEN);
		List<LockRequest> both = List.of(request(tick).withWait(Duration.ZERO),
				LockRequest.of("a" + key()).withTick(tick));
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> locks.acquire(both))
			.satisfies((ex) -> assertThat(ex.getTick()).isNull());
		obstacle.release();
		locks.acquire(both).release();
		LockTick late = LockTick.at(JOB, TEN);
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> locks.acquire(both.stream().map((request) -> request.withTick(late)).toList()))
			.satisfies((ex) -> assertThat(ex.getTick()).isEqualTo(late));
	}

	@Test
	void tickOfSeveralKeysIsKnownToThoseWhoseLastKeyIsTheSame() {
		LockTemplate locks = new LockTemplate(backend().second());
		LockTick tick = LockTick.at(JOB, TEN);
		locks.acquire(List.of(request(tick), LockRequest.of("a" + key()).withTick(tick))).release();
		assertThat(refusalOf(LockTick.at(JOB, TEN)).getTick()).isNotNull();
		LockTick other = LockTick.at(JOB, TEN);
		locks.acquire(List.of(LockRequest.of("a" + key()).withTick(other))).release();
	}

	@Test
	void tickIsRefusedForOneWithinTheSameMillisecondAsTheSame() {
		first(LockTick.at(JOB, TEN.plusNanos(400))).release();
		assertThat(refusalOf(LockTick.at(JOB, TEN))).hasMessageContaining("has run already");
	}

	@Test
	void plannedRunsOfAPausedJobAreRefusedUntilItIsResumed() {
		store().pause(job(), "admin", TIME);
		Instant since = Objects.requireNonNull(state().pause()).since();
		LockTick tick = LockTick.at(JOB, TEN);
		LockNotAcquiredException refusal = refusalOf(tick);
		assertThat(refusal.getTick()).isEqualTo(tick);
		assertThat(refusal.getPausedSince()).isEqualTo(since);
		assertThat(refusal).hasMessageEndingWith("com.example.Jobs.report is paused since " + since + " by admin");
		assertFree();
		second(LockTick.at("com.example.Jobs.clean", TEN)).release();
		second(LockMode.EXCLUSIVE).release();
		store().resume(job(), TIME);
		second(LockTick.at(JOB, TEN)).release();
	}

	@Test
	void pauseStopsARunThatWaitsAndNoneThatGoesOn() {
		LockHandle button = backend().first().acquire(request(LockMode.EXCLUSIVE, PATIENCE).withOwner("button"));
		CompletableFuture<LockHandle> waiting = backend().second()
			.acquireAsync(request(LockTick.at(JOB, TEN)).withOwner("second"));
		backend().awaitMembers(key(), 2);
		store().pause(job(), null, TIME);
		button.release();
		assertThat(Refusal.of(() -> get(waiting)).getPausedSince()).isNotNull();
		store().resume(job(), TIME);
		LockHandle running = first(LockTick.at(JOB, TEN));
		store().pause(job(), "operator", TIME);
		assertThat(running.isHeld()).isTrue();
		assertThat(state().runs()).first().extracting(LockJob.Run::outcome).isEqualTo(Outcome.RUNNING);
		running.release();
		eventually().untilAsserted(
				() -> assertThat(state().runs()).first().extracting(LockJob.Run::outcome).isEqualTo(Outcome.DONE));
		assertThat(state().pause()).extracting(Pause::by).isEqualTo("operator");
	}

	@Test
	void secondPauseDoesNotReplaceTheFirst() {
		store().pause(job(), "admin", TIME);
		Pause pause = Objects.requireNonNull(state().pause());
		store().pause(job(), "other", TIME);
		assertThat(state().pause()).isEqualTo(pause).extracting(Pause::by).isEqualTo("admin");
		store().resume(job(), TIME);
		store().resume(job(), TIME);
		assertThat(state().pause()).isNull();
		assertThat(state().pauses()).singleElement().extracting(EarlierPause::since).isEqualTo(pause.since());
	}

	// The client that pauses has no time of its own, so its clock does not matter.
	@Test
	void pausesThatAreOverHaveTheTimeOfTheServers() {
		first(LockTick.at(JOB, TEN)).release();
		for (int pause = 0; pause < 2; pause++) {
			store().pause(job(), null, TIME);
			first(LockTick.at(JOB, TEN).byHand()).release();
			store().resume(job(), TIME);
		}
		Instant began = state().runs().get(0).began();
		assertThat(state().pauses()).satisfiesExactly((last) -> {
			assertThat(last.since()).isBeforeOrEqualTo(began);
			assertThat(last.until()).isAfterOrEqualTo(began);
			assertThat(last.contains(last.since())).isTrue();
			assertThat(last.contains(last.until())).isFalse();
		}, (first) -> assertThat(first.until()).isBeforeOrEqualTo(began));
		first(LockTick.at(JOB, ELEVEN)).release();
		assertThat(state().pauses()).hasSize(2);
	}

	@Test
	void watchOfAPauseIsOverWhenTheJobIsResumed() {
		HolderSource source = (HolderSource) backend().first();
		store().pause(job(), null, TIME);
		CompletableFuture<?> resumed = source.whenResumed(job());
		second(LockTick.at(JOB, TEN).byHand()).release();
		assertThat(resumed).isNotDone();
		store().resume(job(), TIME);
		assertThat(resumed).succeedsWithin(TIME);
		assertThat(source.whenResumed(job())).succeedsWithin(TIME);
	}

	@Test
	void runByHandTakesPlaceInAPauseAndIsNoTick() {
		first(LockTick.at(JOB, TEN)).release();
		store().pause(job(), "admin", TIME);
		second(LockTick.at(JOB, TEN).byHand()).release();
		store().resume(job(), TIME);
		first(LockTick.at(JOB, ELEVEN)).release();
		first(LockTick.at(JOB, TEN).byHand()).release();
		assertThat(refusalOf(LockTick.at(JOB, ELEVEN))).hasMessageContaining("has run already");
		assertThat(refusalOf(LockTick.at(JOB, TEN))).hasMessageContaining("was overtaken");
		assertThat(state().runs()).extracting(LockJob.Run::byHand).containsExactly(true, false, true, false);
		assertThat(state().runs()).extracting(LockJob.Run::time).containsExactly(null, ELEVEN, null, TEN);
		LockHandle running = first(LockTick.at(JOB, ELEVEN.plusSeconds(1)));
		LockTick byHand = LockTick.at(JOB, ELEVEN).byHand();
		assertThat(Refusal
			.of(() -> backend().second().acquire(request(byHand).withWait(Duration.ZERO).withOwner("second")))
			.getTick()).isNull();
		running.release();
	}

	@Test
	void pauseOfAPeriodicJobKeepsNoNodeOutLater() {
		Job periodic = new Job(JOB, true, key());
		store().pause(periodic, null, TIME);
		assertThat(refusalOf(LockTick.every(JOB, Duration.ofHours(1))).getPausedSince()).isNotNull();
		store().resume(periodic, TIME);
		second(LockTick.every(JOB, Duration.ofHours(1))).release();
	}

	// Unlike a lock, a store does not wait for the first connection.
	private JobStore store() {
		backend().first().acquire(LockRequest.of("connected").withWait(Duration.ofSeconds(30))).release();
		return ((JobStore.Source) backend().first()).jobs();
	}

	private State state() {
		return store().read(List.of(job()), TIME).get(0);
	}

	private Job job() {
		return new Job(JOB, false, key());
	}

}
