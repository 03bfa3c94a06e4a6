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

package io.github.zklock.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.PlainLockHandle;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link Judge}: it sees each thing that must not happen, and nothing else.
 */
class JudgeTests {

	private static final LockRequest KEY = LockRequest.of("k1");

	private static final long NODE = 1 << 12;

	private final Schedule schedule = new Schedule(1);

	private final Judge judge = new Judge(this.schedule, new Counts());

	private final Process one = new Process("c1");

	private final Process two = new Process("c2");

	@Test
	void twoHoldersAtOnceAreSeen() {
		enter(this.one, KEY, NODE);
		breaks("I2", () -> enter(this.two, KEY, 2 * NODE));
	}

	@Test
	void aReaderBesideAWriterIsSeenAndNotBesideAReader() {
		enter(this.one, KEY.withMode(LockMode.READ), NODE);
		enter(this.two, KEY.withMode(LockMode.READ), 2 * NODE);
		breaks("I3", () -> enter(this.two, KEY.withMode(LockMode.WRITE), 3 * NODE));
	}

	@Test
	void aHolderWhoIsToldOfTheLossMayStay() {
		enter(this.one, KEY, NODE).changeTo(LockState.LOST);
		assertThatNoException().isThrownBy(() -> enter(this.two, KEY, 2 * NODE));
	}

	@Test
	void aHolderWhoIsUncertainMayNotStay() {
		enter(this.one, KEY, NODE).changeTo(LockState.UNCERTAIN);
		breaks("I2", () -> enter(this.two, KEY, 2 * NODE));
	}

	@Test
	void aHolderWhoStandsStillIsLookedAtWhenItGoesOn() {
		enter(this.one, KEY, NODE);
		this.one.paused = true;
		enter(this.two, KEY, 2 * NODE);
		breaks("I2", this.one::resume);
	}

	@Test
	void onlyTheTokenProtectsFromAHolderWhoseNodeWasDeletedByHand() {
		Hold stale = hold(this.one, KEY, NODE);
		this.judge.entered(stale);
		this.judge.deletedByHand(1);
		Hold next = hold(this.two, KEY, 2 * NODE);
		this.judge.entered(next);
		this.judge.wrote(next);
		assertThatNoException().isThrownBy(() -> this.judge.wrote(stale));
	}

	@Test
	void aWriteOfARightfulHolderThatIsRejectedIsSeen() {
		Hold first = hold(this.one, KEY, NODE);
		this.judge.entered(first);
		this.judge.lost(first);
		this.judge.exited(first, false);
		Hold next = hold(this.two, KEY, 2 * NODE);
		this.judge.entered(next);
		this.judge.wrote(next);
		breaks("I1", () -> this.judge.wrote(first));
	}

	@Test
	void aTokenThatIsNotGreaterIsSeen() {
		Hold first = hold(this.one, KEY, 2 * NODE);
		this.judge.entered(first);
		this.judge.exited(first, false);
		breaks("I8", () -> enter(this.two, KEY, NODE));
	}

	@Test
	void aGrantBeforeTheTimeOfTheLastHolderIsOverIsSeen() {
		Hold first = hold(this.one, KEY.withLockAtLeastFor(Duration.ofMillis(50)), NODE);
		this.judge.entered(first);
		this.judge.exited(first, false);
		breaks("at least", () -> enter(this.two, KEY, 2 * NODE));
	}

	@Test
	void whoseNodeWasDeletedByHandMayComeBeforeThatTimeIsOver() {
		Hold first = hold(this.one, KEY.withLockAtLeastFor(Duration.ofMillis(50)), 2 * NODE);
		this.judge.entered(first);
		this.judge.exited(first, false);
		this.judge.deletedByHand(1);
		assertThatNoException().isThrownBy(() -> enter(this.two, KEY, NODE));
	}

	@Test
	void aTimeThatWasForgoneKeepsNobodyOut() {
		Hold first = hold(this.one, KEY.withLockAtLeastFor(Duration.ofMillis(50)), NODE);
		this.judge.entered(first);
		this.judge.exited(first, true);
		assertThatNoException().isThrownBy(() -> enter(this.two, KEY, 2 * NODE));
	}

	@Test
	void aPermitTooManyIsSeen() {
		enter(this.one, KEY.withPermits(2), NODE);
		enter(this.two, KEY.withPermits(2), 2 * NODE);
		breaks("I3", () -> enter(this.two, KEY.withPermits(2), 3 * NODE));
	}

	@Test
	void aPlannedRunThatHappensTwiceIsSeen() {
		enterAndLeave(this.one, tick(1), NODE);
		breaks("ticks", () -> enter(this.two, tick(1), 2 * NODE));
	}

	@Test
	void aPlannedRunAfterALaterOneIsSeen() {
		enterAndLeave(this.one, tick(2), NODE);
		breaks("ticks", () -> enter(this.two, tick(1), 2 * NODE));
	}

	@Test
	void aGrantOnANodeDeletedByHandMayComeAfterTheOneOfALaterRun() {
		this.judge.deletedByHand(1);
		enterAndLeave(this.two, tick(2), 2 * NODE);
		assertThatNoException().isThrownBy(() -> enter(this.one, tick(1), NODE));
	}

	@Test
	void aPlannedRunThatHappensTwiceIsSeenOnANodeDeletedByHand() {
		this.judge.deletedByHand(1);
		enterAndLeave(this.two, tick(1), 2 * NODE);
		breaks("ticks", () -> enter(this.one, tick(1), NODE));
	}

	@Test
	void aRefusalForARunThatNobodyHadIsSeenUnlessARunByHandHidesWhoseItWas() {
		LockTick tick = tick(1).tick();
		TickBook ticks = this.judge.ticks();
		ticks.asked("k1", tick);
		assertThat(ticks.refused("k1", tick, 0, false)).isFalse();
		ticks.asked("k1", tick.byHand());
		assertThat(ticks.refused("k1", tick, 0, true)).isFalse();
		assertThat(ticks.refused("k1", tick, 0, false)).isTrue();
	}

	@Test
	void aWaitThatIsTooLongIsSeen() {
		this.judge.waited("c1.1", "k1", Duration.ofMillis(10).toNanos());
		breaks("I6", () -> this.judge.waited("c1.1", "k1", Duration.ofSeconds(1).toNanos()));
	}

	@Test
	void aFailureThatIsNotExpectedIsSeen() {
		LockUnavailableException unavailable = new LockUnavailableException(KEY, Duration.ZERO, "no connection", null);
		this.judge.failed("c1.1", new CancellationException(), true);
		this.judge.failed("c1.1", unavailable, false);
		breaks("I10", () -> this.judge.failed("c1.1", unavailable, true));
		breaks("I10", () -> this.judge.failed("c1.1", new IllegalStateException(), false));
	}

	@Test
	void aWaiterBesideAFreeLockIsAsleep() {
		this.judge.asks("k1");
		pass(Duration.ofSeconds(1));
		assertThat(this.judge.asleep("k1")).isPositive();
		enter(this.one, KEY, NODE);
		assertThat(this.judge.asleep("k1")).isZero();
	}

	@Test
	void aLossThatNoListenerIsToldIsSeen() {
		Hold first = hold(this.one, KEY, NODE);
		this.judge.entered(first);
		((PlainLockHandle) first.handle()).changeTo(LockState.LOST);
		this.judge.lost(first);
		assertThatNoException().isThrownBy(this.judge.losses()::requireAllTold);
		pass(Duration.ofSeconds(1));
		breaks("onLost", this.judge.losses()::requireAllTold);
	}

	@Test
	void aListenerThatIsToldTwiceOrForNothingIsSeen() {
		Hold first = hold(this.one, KEY, NODE);
		this.judge.entered(first);
		breaks("onLost", () -> this.judge.losses().told(first));
		((PlainLockHandle) first.handle()).changeTo(LockState.LOST);
		this.judge.losses().told(first);
		pass(Duration.ofSeconds(1));
		assertThatNoException().isThrownBy(this.judge.losses()::requireAllTold);
		breaks("onLost", () -> this.judge.losses().told(first));
	}

	@Test
	void whoOvertakesUnderStrictFairnessIsSeen() {
		this.judge.order().asks("c1.1", KEY);
		pass(Duration.ofSeconds(1));
		this.judge.order().asks("c2.1", KEY);
		breaks("order", () -> this.judge.order().leaves("c2.1", true));
	}

	@Test
	void whoGoesPastAReaderOrSomebodyWhoLeavesOvertakesNobody() {
		this.judge.order().asks("c1.1", KEY.withMode(LockMode.READ));
		this.judge.order().asks("c1.2", KEY);
		pass(Duration.ofSeconds(1));
		this.judge.order().asks("c2.1", KEY.withMode(LockMode.READ));
		this.judge.order().asks("c2.2", LockRequest.of("k2"));
		assertThatNoException().isThrownBy(() -> this.judge.order().leaves("c2.2", true));
		assertThatNoException().isThrownBy(() -> this.judge.order().leaves("c1.2", false));
		assertThatNoException().isThrownBy(() -> this.judge.order().leaves("c2.1", true));
	}

	private void pass(Duration time) {
		this.schedule.lane("time").after(time.toNanos(), "passes", () -> {
		});
		this.schedule.step();
	}

	@Test
	void whoReturnsALockWhoseNodeWasDeletedIsToldOfTheLoss() {
		Hold first = hold(this.one, KEY, NODE);
		this.judge.entered(first);
		this.judge.deletedByHand(1);
		this.judge.exited(first, false);
		breaks("loss", this.judge.handDeletes()::requireAllTold);
		((PlainLockHandle) first.handle()).changeTo(LockState.LOST);
		assertThatNoException().isThrownBy(this.judge.handDeletes()::requireAllTold);
	}

	@Test
	void whoReturnsALockIsNotToldOfTheLossIfTheNodeIsKeptForTheLockGrantedLast() {
		LockRequest read = KEY.withMode(LockMode.READ);
		Hold first = hold(this.one, read, NODE);
		Hold cached = hold(this.one, read.withCache(true), NODE + 1);
		this.judge.entered(first);
		this.judge.entered(cached);
		this.judge.deletedByHand(1);
		this.judge.exited(cached, false);
		this.judge.exited(first, false);
		assertThatNoException().isThrownBy(this.judge.handDeletes()::requireAllTold);
	}

	@Test
	void aProcessThatHasTheKeyAgainAndAgainBesideAnotherIsSeen() {
		this.judge.turns().asks("c2.1", this.two, KEY, true);
		pass(Duration.ofSeconds(1));
		for (int i = 1; i <= 9; i++) {
			this.judge.turns().granted(hold(this.one, KEY, i * NODE));
		}
		breaks("turns", () -> this.judge.turns().granted(hold(this.one, KEY, 10 * NODE)));
	}

	@Test
	void aProcessThatHasTheKeyAgainBesideNobodyIsNotSeen() {
		this.judge.turns().asks("c2.1", this.two, KEY, true);
		pass(Duration.ofSeconds(1));
		this.judge.turns().leaves("c2.1");
		for (int i = 1; i <= 20; i++) {
			this.judge.turns().granted(hold(this.one, KEY, i * NODE));
		}
	}

	@Test
	void holdersByDifferentNumbersOfPermitsAreSeen() {
		enter(this.one, KEY.withPermits(3), NODE);
		breaks("I2", () -> enter(this.two, KEY.withPermits(2), 2 * NODE));
	}

	@Test
	void whoWaitsBesideAnotherNumberOfPermitsIsSeen() {
		Hold first = hold(this.one, KEY.withPermits(3), NODE);
		this.judge.permits().asks("c2.1", KEY.withPermits(2), true);
		pass(Duration.ofSeconds(1));
		breaks("permits", () -> this.judge.exited(first, false));
	}

	@Test
	void aLockThatIsHandedOnLongAfterItsNodeWasDeletedIsSeen() {
		this.judge.deletedByHand(1);
		pass(Duration.ofSeconds(2));
		enter(this.one, KEY, NODE + 1);
		assertThatNoException().isThrownBy(this.judge.handDeletes()::requireAllNoticed);
		pass(Duration.ofSeconds(1));
		enter(this.one, KEY, NODE + 2);
		breaks("gone", this.judge.handDeletes()::requireAllNoticed);
	}

	private void breaks(String invariant, Runnable action) {
		assertThatExceptionOfType(Violation.class).isThrownBy(action::run)
			.satisfies((violation) -> assertThat(violation.invariant()).isEqualTo(invariant));
	}

	private PlainLockHandle enter(Process process, LockRequest request, long token) {
		Hold hold = hold(process, request, token);
		this.judge.entered(hold);
		return (PlainLockHandle) hold.handle();
	}

	private static LockRequest tick(long second) {
		return KEY.withTick(LockTick.at("job", Instant.ofEpochSecond(second)));
	}

	private void enterAndLeave(Process process, LockRequest request, long token) {
		Hold hold = hold(process, request, token);
		this.judge.entered(hold);
		this.judge.exited(hold, false);
	}

	private Hold hold(Process process, LockRequest request, long token) {
		return new Hold(process, process.name + ".1", request, new PlainLockHandle(request, token),
				this.schedule.now());
	}

	private static final class Process implements Participant {

		private final String name;

		private final List<Runnable> whenResumed = new ArrayList<>();

		private boolean paused;

		Process(String name) {
			this.name = name;
		}

		void resume() {
			this.paused = false;
			this.whenResumed.forEach(Runnable::run);
		}

		@Override
		public String name() {
			return this.name;
		}

		@Override
		public boolean isPaused() {
			return this.paused;
		}

		@Override
		public long pausedNanos() {
			return 0;
		}

		@Override
		public long session() {
			return 7;
		}

		@Override
		public void whenResumed(Runnable action) {
			this.whenResumed.add(action);
		}

	}

}
