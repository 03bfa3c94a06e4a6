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

package io.github.zklock.scheduling;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockJob;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.spi.JobStore.EarlierPause;
import io.github.zklock.core.spi.JobStore.Pause;
import io.github.zklock.core.spi.JobStore.Run;
import io.github.zklock.core.spi.JobStore.State;
import io.github.zklock.support.ManualTaskScheduler;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.scheduling.support.CronTrigger;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which tick a node looks for. Each hour has one. The times of pauses are by the clock of
 * the servers.
 */
class MissedRunsTests {

	private static final String KEY = "report";

	private final List<Instant> looked = new ArrayList<>();

	@Test
	void latestTickIsLookedFor() {
		lookAt("12:20:00", state());
		assertThat(this.looked).containsExactly(time("12:00:00"));
	}

	@Test
	void ticksOfPausesAreNotMissedButTheTickBeforeThemIs() {
		lookAt("12:20:00", state(pause("11:45:00", "12:15:00"), pause("10:30:00", "11:30:00")));
		assertThat(this.looked).containsExactly(time("10:00:00"));
	}

	@Test
	void tickBetweenTwoPausesIsMissed() {
		lookAt("12:20:00", state(pause("11:45:00", "12:15:00"), pause("10:00:00", "10:45:00")));
		assertThat(this.looked).containsExactly(time("11:00:00"));
	}

	@Test
	void tickBeforeAPauseMayBeTooOld() {
		lookAt("12:20:00", state(pause("09:10:00", "12:15:00")));
		assertThat(this.looked).isEmpty();
	}

	// A node whose clock is ahead has asked for the tick of twelve o'clock in the pause.
	// Whether the tick was in it does not depend on that clock.
	@ParameterizedTest
	@CsvSource({ "11:59:59, 12:00:00, true", "11:59:30, 12:00:30, true", "12:00:00, 12:00:00, true",
			"12:00:01, 12:00:31, false", "12:00:10, 12:00:40, false", "12:00:30, 12:00:00, false" })
	void clockOfANodeDoesNotMoveAPause(String until, String clock, boolean isMissed) {
		lookAt(clock, state(pause("09:55:00", until)));
		assertThat(this.looked.contains(time("12:00:00"))).isEqualTo(isMissed);
	}

	@Test
	void lookWaitsUntilTheJobCanBeRead() {
		ManualTaskScheduler scheduler = new ManualTaskScheduler(time("12:20:00"));
		Known job = new Known(state());
		job.unreadable = true;
		MissedRuns missed = missed(scheduler);
		missed.look(job);
		scheduler.advance(Duration.ofSeconds(1));
		assertThat(this.looked).isEmpty();
		job.unreadable = false;
		job.readable.removeFirst().complete(null);
		scheduler.advance(Duration.ofSeconds(1));
		assertThat(this.looked).containsExactly(time("12:00:00"));
	}

	@Test
	void lookWaitsForTheEndOfARunThatGoesOn() {
		ManualTaskScheduler scheduler = new ManualTaskScheduler(time("12:20:00"));
		Known job = new Known(running(pause("11:45:00", "12:15:00")));
		missed(scheduler).look(job);
		scheduler.advance(Duration.ZERO);
		assertThat(this.looked).isEmpty();
		assertThat(job.readable).hasSize(1);
	}

	@Test
	void obstacleThatCannotBeWatchedEndsNoLook() {
		ManualTaskScheduler scheduler = new ManualTaskScheduler(time("12:20:00"));
		MissedRuns missed = missed(scheduler);
		missed.lookAfter(KEY, () -> {
			throw new IllegalStateException("The key has no value now");
		}, new Known(state()));
		scheduler.advance(Duration.ZERO);
		assertThat(this.looked).containsExactly(time("12:00:00"));
	}

	@Test
	void waitForOneKeyHidesNoWaitForAnother() {
		ManualTaskScheduler scheduler = new ManualTaskScheduler(time("12:20:00"));
		MissedRuns missed = missed(scheduler);
		missed.lookAfter("taken for long", CompletableFuture::new, new Known(state()));
		missed.lookAfter(KEY, () -> CompletableFuture.completedFuture(null), new Known(state()));
		scheduler.advance(Duration.ZERO);
		assertThat(this.looked).containsExactly(time("12:00:00"));
	}

	@Test
	void secondWaitForAKeyHasNoEffect() {
		ManualTaskScheduler scheduler = new ManualTaskScheduler(time("12:20:00"));
		MissedRuns missed = missed(scheduler);
		missed.lookAfter(KEY, CompletableFuture::new, new Known(state()));
		missed.lookAfter(KEY, () -> CompletableFuture.completedFuture(null), new Known(state()));
		scheduler.advance(Duration.ZERO);
		assertThat(this.looked).isEmpty();
	}

	@Test
	void tickOfThePresentPauseIsNotMissed() {
		lookAt("12:20:00", new State(new Pause(time("11:45:00"), null), List.of(), List.of()));
		assertThat(this.looked).containsExactly(time("11:00:00"));
	}

	private static State running(EarlierPause... pauses) {
		Run run = new Run(time("12:00:00"), false, 1, null, time("12:16:00"), null, LockJob.Outcome.RUNNING);
		return new State(null, List.of(pauses), List.of(run));
	}

	private void lookAt(String time, State state) {
		ManualTaskScheduler scheduler = new ManualTaskScheduler(time(time));
		missed(scheduler).look(new Known(state));
		scheduler.advance(Duration.ZERO);
	}

	private MissedRuns missed(ManualTaskScheduler scheduler) {
		MissedRuns[] missed = new MissedRuns[1];
		PlannedRuns.schedule(scheduler, () -> {
			ScheduledRun run = ScheduledRun.takeTask((task) -> true);
			LockTick tick = (run != null) ? run.toTick("job", Duration.ofSeconds(1)) : null;
			this.looked.add((tick != null) ? tick.time() : null);
		}, new CronTrigger("0 0 * * * *", ZoneOffset.UTC), (known) -> missed[0] = known);
		return missed[0];
	}

	private static State state(EarlierPause... pauses) {
		return new State(null, List.of(pauses), List.of());
	}

	private static EarlierPause pause(String since, String until) {
		return new EarlierPause(time(since), time(until));
	}

	private static Instant time(String time) {
		return Instant.parse("2026-10-05T" + time + "Z");
	}

	private static final class Known implements MissedRuns.Job {

		private final State state;

		private final Deque<CompletableFuture<Void>> readable = new ArrayDeque<>();

		private boolean unreadable;

		Known(State state) {
			this.state = state;
		}

		@Override
		public Duration within() {
			return Duration.ofHours(3);
		}

		@Override
		public String key() {
			return KEY;
		}

		@Override
		public @Nullable State read(String key) {
			return this.unreadable ? null : this.state;
		}

		@Override
		public CompletableFuture<?> whenReadable(String key) {
			CompletableFuture<Void> read = new CompletableFuture<>();
			this.readable.add(read);
			return read;
		}

	}

}
