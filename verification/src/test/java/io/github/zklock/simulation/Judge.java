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

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.zklock.core.LockAccessException;
import io.github.zklock.core.LockInterruptedException;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockPermitsException;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.LockUpgradeException;
import org.jspecify.annotations.Nullable;

/**
 * Holds a schedule, at each of its steps, against what is promised. The names of the
 * invariants are those of the torture run.
 */
final class Judge {

	/** A wait may be longer than its bound by what the threads of a machine may wait. */
	private static final long TOLERATED_WAIT = TimeUnit.MILLISECONDS.toNanos(200);

	private static final long RELEASE = TimeUnit.MILLISECONDS.toNanos(3000);

	private static final long ONE_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

	private final Schedule schedule;

	private final Counts counts;

	private final TickBook ticks = new TickBook();

	private final LossBook losses;

	private final StrictOrder order;

	private final Map<String, KeyBook> keys = new HashMap<>();

	private final Set<Hold> open = new LinkedHashSet<>();

	private final HandDeletes handDeletes = new HandDeletes(this);

	private final Turns turns;

	private final PermitBook permits;

	private final Map<Participant, Long> killed = new HashMap<>();

	private @Nullable Violation first;

	Judge(Schedule schedule, Counts counts) {
		this.schedule = schedule;
		this.counts = counts;
		this.losses = new LossBook(this, schedule::now);
		this.order = new StrictOrder(this, schedule::now);
		this.turns = new Turns(this, schedule::now);
		this.permits = new PermitBook(this, schedule::now);
	}

	/**
	 * Throw what was broken first: who called the judge may have caught it.
	 */
	void throwFirst() {
		if (this.first != null) {
			throw this.first;
		}
	}

	private Violation violated(String invariant, String what) {
		return violated(invariant, what, null);
	}

	Violation violated(String invariant, String what, @Nullable Throwable cause) {
		Violation violation = new Violation(invariant, what, cause);
		if (this.first == null) {
			this.first = violation;
		}
		return violation;
	}

	/**
	 * Do something, and remember what it throws: who calls it may catch that.
	 */
	void watch(Runnable action) {
		try {
			action.run();
		}
		catch (Violation ex) {
			throw ex;
		}
		catch (RuntimeException | Error ex) {
			throw violated("harness", ex.toString(), ex);
		}
	}

	/**
	 * A step of the engine has thrown something, which it will repeat.
	 */
	void stepFailed(String message, @Nullable Throwable failure) {
		if (!FailedStep.isCauseOf(failure)) {
			violated("I10", message + ": " + failure, failure);
		}
	}

	TickBook ticks() {
		return this.ticks;
	}

	LossBook losses() {
		return this.losses;
	}

	StrictOrder order() {
		return this.order;
	}

	Turns turns() {
		return this.turns;
	}

	PermitBook permits() {
		return this.permits;
	}

	HandDeletes handDeletes() {
		return this.handDeletes;
	}

	private KeyBook book(String key) {
		return this.keys.computeIfAbsent(key, (unknown) -> new KeyBook());
	}

	/**
	 * Somebody was given a lock.
	 */
	void entered(Hold hold) {
		this.counts.grants++;
		note(() -> "granted to " + hold);
		KeyBook book = book(hold.key());
		book.leaves(this.schedule.now(), null);
		excuseIfByHand(hold);
		this.handDeletes.entered(hold);
		if (hold.isLost()) {
			throw violated("I7", hold + " was given a lock that is lost");
		}
		for (Hold other : this.open) {
			if (other.key().equals(hold.key())) {
				beside(other, hold);
			}
		}
		this.permits.granted(hold, this.open);
		tokens(book, hold);
		atLeast(book, hold);
		tick(hold);
		this.turns.granted(hold);
		this.open.add(hold);
	}

	private void beside(Hold older, Hold newer) {
		if (!older.excludes(newer)) {
			return;
		}
		if (newer.token() < older.token() && newer.isExcused()) {
			this.counts.excused++;
		}
		else if (older.process().isPaused() && older.process() != newer.process()) {
			note(() -> older + " stands still beside " + newer);
			older.process().whenResumed(() -> requireLost(older, newer));
		}
		else {
			requireLost(older, newer);
		}
	}

	private void requireLost(Hold older, Hold newer) {
		if (older.isOpen() && !older.isLost()) {
			if (!older.isExcused()) {
				String invariant = (older.request().mode() == LockMode.READ || newer.request().mode() == LockMode.READ)
						? "I3" : "I2";
				throw violated(invariant, newer + " holds beside " + older + ", which is " + older.handle().state());
			}
			this.counts.excused++;
		}
	}

	private void tokens(KeyBook book, Hold hold) {
		long before = book.tokenBefore(hold);
		if (hold.token() <= before && hold.isExcused()) {
			return;
		}
		if (hold.token() <= before) {
			throw violated("I8", hold + " comes after the token 0x" + Long.toHexString(before));
		}
		book.granted(hold);
	}

	private void atLeast(KeyBook book, Hold hold) {
		Hold keeper = book.keeperBefore(hold);
		if (keeper != null && !hold.isExcused()) {
			throw violated("at least", hold + " was granted before the time of " + keeper + " was over");
		}
		book.keep(hold);
	}

	private void tick(Hold hold) {
		LockTick tick = hold.request().tick();
		// Whose node was deleted by hand has recorded its run, and may get its grant
		// late.
		if (tick != null && !this.ticks.granted(hold, tick)) {
			throw violated("ticks", hold + " runs " + tick + ", which has run already");
		}
	}

	/**
	 * A write under a lock has arrived at the resource. Who gives a lock back has waited
	 * for it.
	 */
	void wrote(Hold hold) {
		if (hold.isReturned() || hold.request().permits() > 1) {
			return;
		}
		KeyBook book = book(hold.key());
		if (!book.accepts(hold)) {
			this.counts.rejected++;
			if (!hold.isExcused()) {
				throw violated("I1", "a write of " + hold + " was rejected");
			}
		}
	}

	/**
	 * Somebody gives a lock back, or is gone.
	 * @param forgone whether the key need not stay taken
	 */
	void exited(Hold hold, boolean forgone) {
		hold.close();
		this.open.remove(hold);
		this.handDeletes.left(hold);
		this.permits.left(hold);
		KeyBook book = book(hold.key());
		book.left(this.schedule.now());
		if (forgone) {
			book.forgo(hold);
		}
	}

	/**
	 * Somebody was told that a lock is lost.
	 */
	void lost(Hold hold) {
		this.losses.seen(hold);
		if (!hold.isTold()) {
			hold.tell();
			this.counts.losses++;
			note(() -> "lost by " + hold + ", " + hold.handle().loss());
		}
	}

	/**
	 * Somebody begins to wait.
	 */
	void asks(String key) {
		book(key).waits(this.schedule.now());
	}

	/**
	 * Somebody waits no more, and has no lock.
	 */
	void gaveUp(String key, @Nullable Throwable failure) {
		book(key).leaves(this.schedule.now(), failure);
	}

	/**
	 * A process is gone with its callers.
	 */
	void gone(Participant process) {
		this.losses.gone(process);
		for (Hold hold : holdsOf(process)) {
			this.ticks.died(hold);
			exited(hold, false);
		}
	}

	/**
	 * Somebody deletes the node of a lock, by hand.
	 * @param czxid the transaction that has created it
	 */
	void deletedByHand(long czxid) {
		this.handDeletes.deleted(czxid, this.schedule.now());
		this.open.forEach(this::excuseIfByHand);
	}

	/**
	 * Somebody ends the session of a process, by hand.
	 */
	void killed(Participant process, long session) {
		this.killed.put(process, session);
		this.open.forEach(this::excuseIfByHand);
	}

	// It is told soon, but not before the next one may have the lock.
	private void excuseIfByHand(Hold hold) {
		if (this.handDeletes.isDeleted(hold)
				|| this.killed.getOrDefault(hold.process(), 0L) == hold.process().session()) {
			hold.excuse();
		}
	}

	/**
	 * Return what a process holds.
	 */
	List<Hold> holdsOf(Participant process) {
		return this.open.stream().filter((hold) -> hold.process() == process).toList();
	}

	boolean isNobodyInside() {
		return this.open.isEmpty();
	}

	/**
	 * Return for how long somebody has waited for a key that nobody holds, in
	 * nanoseconds.
	 */
	long asleep(String key) {
		KeyBook book = book(key);
		if (!book.isWanted() || this.open.stream().anyMatch((hold) -> hold.key().equals(key))) {
			return 0;
		}
		return this.schedule.now() - book.idleSince();
	}

	/**
	 * A request has failed.
	 * @param calm whether nothing has gone wrong so far
	 */
	void failed(String caller, Throwable failure, boolean calm) {
		boolean expected = FailedStep.isCauseOf(failure) || failure instanceof LockNotAcquiredException
				|| failure instanceof LockInterruptedException
				|| (failure instanceof LockPermitsException other && this.permits.isAskedFor(other))
				|| failure instanceof LockUpgradeException || failure instanceof CancellationException
				|| (!calm && (failure instanceof LockUnavailableException || failure instanceof LockAccessException
						|| failure instanceof LockLostException));
		if (!expected || FailedStep.isHidden(failure)) {
			throw violated("I10", caller + " got an unexpected " + failure, failure);
		}
	}

	/**
	 * A request has ended.
	 * @param over by how many nanoseconds it was longer than it may
	 */
	void waited(String caller, String key, long over) {
		this.counts.longestExcess = Math.max(this.counts.longestExcess, over);
		if (over > TOLERATED_WAIT) {
			throw violated("I6",
					caller + " waited for '" + key + "' " + over / ONE_MILLI + " ms longer than it was to");
		}
	}

	/**
	 * A release has ended.
	 */
	void released(Hold hold, long took) {
		if (took > RELEASE + TOLERATED_WAIT) {
			throw violated("I6", "the release of " + hold + " took " + took / ONE_MILLI + " ms");
		}
	}

	private void note(Supplier<String> what) {
		this.schedule.trace().note(what);
	}

}
