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

package io.github.zklock.zookeeper.local;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockMode;
import io.github.zklock.zookeeper.local.LockCache.TryGrace;
import io.github.zklock.zookeeper.queue.AttemptFailures;
import io.github.zklock.zookeeper.queue.Place;
import io.github.zklock.zookeeper.queue.PlaceOwner;
import io.github.zklock.zookeeper.queue.QueueMutex;
import io.github.zklock.zookeeper.queue.Services;
import io.github.zklock.zookeeper.session.LockSession;
import io.github.zklock.zookeeper.session.SessionTracker;
import io.github.zklock.zookeeper.tasks.StateMachine;
import org.jspecify.annotations.Nullable;

/**
 * The requests of this process for one key in one mode, or one request that needs a node
 * of its own. One node in ZooKeeper stands for all of them. While it is first, they hold
 * the lock in turn or, as readers, together.
 */
final class LocalQueue implements PlaceOwner {

	private static final long OFTEN = TimeUnit.SECONDS.toNanos(1);

	private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(50);

	private final Services services;

	private final SessionTracker tracker;

	private final LongAdder requeued;

	private final boolean forReaders;

	private final Consumer<LocalQueue> onIdle;

	private final QueueMutex mutex;

	private final Waiters<LockAttempt> waiters = new Waiters<>();

	private final LockCache cache;

	private final LocalHandOff handOff;

	private @Nullable TryGrace grace;

	private final Runnable onUsable = this::sessionIsUsable;

	private @Nullable Place place;

	private final StateMachine<State> state = new StateMachine<>(State.IDLE, State::leadsTo);

	private @Nullable Long vanishedAt;

	// The lock was seen taken, so a timeout means that it was not acquired.
	private boolean contended;

	/**
	 * Create a queue.
	 * @param writerIsQueued returns whether a request of another queue, which a reader
	 * must not overtake, is in ZooKeeper's queue
	 */
	LocalQueue(Services services, LockCache cache, HeldLocks held, LongAdder requeued, LockMode mode,
			BooleanSupplier writerIsQueued, Consumer<LocalQueue> onIdle) {
		this.services = services;
		this.tracker = services.tracker();
		this.requeued = requeued;
		this.forReaders = mode == LockMode.READ;
		this.onIdle = onIdle;
		this.mutex = new QueueMutex(services.tasks());
		this.cache = cache;
		this.handOff = new LocalHandOff(services, held, this.mutex, this.waiters, this.forReaders,
				this.forReaders ? writerIsQueued : () -> false);
	}

	/** Let a request wait here. Return {@code false} if that needs another queue. */
	boolean enter(LockAttempt attempt) {
		return this.mutex.get(() -> {
			if (this.state.is(State.RETIRED)) {
				return false;
			}
			attempt.queue = this;
			if (!attempt.isDecided()) {
				this.waiters.add(attempt);
				grantOrWait(attempt);
			}
			retireIfIdle();
			return true;
		}, false);
	}

	QueueMutex mutex() {
		return this.mutex;
	}

	LocalHandOff handOff() {
		return this.handOff;
	}

	// In this order, since a grant with a node that is there takes no request. A try
	// that is refused at once needs no place in ZooKeeper's queue.
	private void grantOrWait(LockAttempt attempt) {
		this.handOff.grantWaiting();
		if (attempt.isTry() && this.waiters.contains(attempt) && isTaken()) {
			this.waiters.decide(attempt, this::notAcquiredBesideHolder);
		}
		this.handOff.listEarly();
		createPlaceIfNeeded();
		if (attempt.isTry() && this.waiters.contains(attempt) && this.tracker.usable() == null) {
			this.tracker.whenUsable(this.onUsable);
		}
		if (isTaken() && this.waiters.contains(attempt)) {
			attempt.reportWaiting();
		}
	}

	/**
	 * Enter ZooKeeper's queue for requests that cannot use the current node. Called under
	 * the mutex.
	 */
	void createPlaceIfNeeded() {
		if (this.handOff.waitersMustEnter()) {
			createPlace();
		}
	}

	private boolean isTaken() {
		boolean here = !this.forReaders && (this.waiters.size() > 1 || this.handOff.isHeld());
		return (here || this.state.is(State.BEHIND_OTHERS)) && this.tracker.usable() != null;
	}

	/** Return whether a request is in ZooKeeper's queue. May be called by any thread. */
	boolean isQueued() {
		return this.state.is(State.ENTERED) || this.state.is(State.BEHIND_OTHERS);
	}

	private void createPlace() {
		LockAttempt next = this.waiters.first();
		if (this.place != null || next == null) {
			retireIfIdle();
			return;
		}
		LockSession session = this.tracker.usable();
		if (session == null) {
			awaitSession();
			return;
		}
		this.place = new Place(this.services, session, next.request(), next.data(), next.acls(), this.mutex, this);
		this.state.to(State.ENTERED);
		this.place.enter(next.isTry());
	}

	private void sessionIsUsable() {
		this.mutex.run(() -> {
			answerTriesBehindHolder();
			createPlaceIfNeeded();
		});
	}

	// They came while it was unknown whether the lock is held.
	private void answerTriesBehindHolder() {
		if (!this.forReaders && this.handOff.isHeld() && this.tracker.usable() != null) {
			this.waiters.decideAll(LockAttempt::isTry, this::notAcquiredBesideHolder);
		}
	}

	private void awaitSession() {
		this.contended = false;
		if (!this.tracker.isOpening()) {
			this.waiters.decideAll(LockAttempt::isTry, (attempt) -> attempt.fail(attempt.failures()::noConnection));
		}
		if (this.waiters.isEmpty()) {
			retireIfIdle();
		}
		else {
			this.waiters.forEach(LockAttempt::reportWaiting);
			this.tracker.whenUsable(this.onUsable);
		}
	}

	@Override
	public void placeIsFirst(Place winner) {
		if (this.waiters.isEmpty()) {
			leaveIfNoneWaits();
			return;
		}
		if (!winner.ensureConfirmed()) {
			return;
		}
		winner.hold();
		Turn begun = newTurn(winner);
		this.handOff.takeOver(begun);
		// Before the grant, since a loss may create the next place.
		clearPlace();
		// Readers do not keep each other out.
		this.contended = !this.forReaders;
		this.handOff.grantFirst(begun);
		answerTriesBehindHolder();
		createPlaceIfNeeded();
	}

	Turn newTurn(Place held) {
		return new Turn(held, this, this.cache);
	}

	@Override
	public boolean placeIsBehindOthers(Place behind) {
		this.contended = true;
		LockAttempt next = this.waiters.first();
		boolean hasGrace = next != null && next.isTry() && giveGrace(next, behind);
		this.state.to(hasGrace ? State.ENTERED : State.BEHIND_OTHERS);
		if (!hasGrace) {
			this.waiters.decideAll(LockAttempt::isTry, this::notAcquired);
			this.waiters.forEach(LockAttempt::reportWaiting);
			leaveIfNoneWaits();
		}
		return this.place == behind;
	}

	private boolean giveGrace(LockAttempt next, Place behind) {
		if (this.grace == null) {
			this.grace = new TryGrace(this.services.tasks());
		}
		return this.grace.give(next.bound(), behind);
	}

	@Override
	public boolean withdrawOverdue(Place waiting) {
		this.waiters.decideAll(LockAttempt::isOverdue, this::notAcquired);
		leaveIfNoneWaits();
		return this.place == waiting;
	}

	/**
	 * End a request whose time is over.
	 * @return {@code false} if it waits here no longer, after a failed step
	 */
	boolean expire(LockAttempt attempt) {
		this.mutex.run(() -> {
			long grace = (this.place != null && this.waiters.contains(attempt)) ? this.place.grace() : 0;
			if (grace == 0 || !attempt.waitOn(grace)) {
				withdraw(attempt, this::notAcquired);
			}
		});
		return !this.mutex.isBroken();
	}

	private void notAcquired(LockAttempt attempt) {
		if (this.contended && this.tracker.usable() != null) {
			notAcquiredBesideHolder(attempt);
		}
		else if (attempt.isTry() && this.tracker.usable() == null) {
			attempt.fail(attempt.failures()::noConnection);
		}
		else {
			attempt.fail(attempt.failures()::noAnswer);
		}
	}

	private void notAcquiredBesideHolder(LockAttempt attempt) {
		String refusal = this.services.janitor().refusal(attempt.acls().path());
		attempt.notAcquired(this.handOff.holder(this.place), this.place, refusal);
	}

	void leave(LockAttempt attempt, Supplier<LockException> failure) {
		withdraw(attempt, (left) -> left.fail(failure));
		if (this.mutex.isBroken()) {
			attempt.fail(failure);
		}
	}

	private void withdraw(LockAttempt attempt, Consumer<LockAttempt> answer) {
		this.mutex.run(() -> {
			if (this.waiters.contains(attempt)) {
				this.waiters.decide(attempt, answer);
				leaveIfNoneWaits();
			}
		});
	}

	@Override
	public void placeVanished() {
		clearPlace();
		this.contended = false;
		this.waiters.decideAll(LockAttempt::isOverdue, this::notAcquired);
		this.requeued.add(this.waiters.size());
		long now = this.services.tasks().nanoTime();
		boolean often = this.vanishedAt != null && now - this.vanishedAt < OFTEN;
		this.vanishedAt = now;
		if (often) {
			createPlaceLater();
		}
		else {
			createPlace();
		}
	}

	// Otherwise a node that is deleted again and again would cost requests without end.
	private void createPlaceLater() {
		this.services.tasks().later(() -> this.mutex.run(this::createPlaceIfNeeded), PAUSE, this::createPlace);
	}

	@Override
	public void placeRefused(Function<AttemptFailures, LockException> failure) {
		clearPlace();
		fail(failure);
		retireIfIdle();
	}

	private void fail(Function<AttemptFailures, LockException> failure) {
		this.waiters.decideAll((any) -> true, (attempt) -> attempt.fail(() -> failure.apply(attempt.failures())));
	}

	void checkWatchedNode(LockAttempt attempt) {
		this.mutex.run(() -> {
			if (this.place != null && attempt == this.waiters.first()) {
				this.place.checkWatchedNode();
			}
		});
	}

	/** Leave ZooKeeper's queue if no request waits. */
	void leaveIfNoneWaits() {
		if (this.waiters.isEmpty()) {
			this.tracker.forget(this.onUsable);
			if (this.place != null) {
				this.place.leave();
				clearPlace();
			}
			retireIfIdle();
		}
	}

	int withoutNode() {
		return this.mutex.get(() -> this.waiters.size() + this.handOff.withoutNode() - ((this.place != null) ? 1 : 0),
				0);
	}

	// The next request then gets another queue, so nothing is kept for a key out of use.
	private void retireIfIdle() {
		if (this.state.is(State.IDLE) && this.waiters.isEmpty() && !this.handOff.hasTurn()) {
			this.state.to(State.RETIRED);
			this.onIdle.accept(this);
		}
	}

	// There is no place any more, or it has become a turn.
	private void clearPlace() {
		this.place = null;
		this.state.to(State.IDLE);
	}

	private enum State {

		/** There is no place in ZooKeeper's queue, or it has become a turn. */
		IDLE,

		/** There is a place, and none is known to be ahead, or a try waits a moment. */
		ENTERED,

		/** Other contenders are ahead. */
		BEHIND_OTHERS,

		/** A new request needs another queue. */
		RETIRED;

		boolean leadsTo(State next) {
			return switch (this) {
				case IDLE -> next == ENTERED || next == RETIRED;
				case ENTERED, BEHIND_OTHERS -> true;
				case RETIRED -> false;
			};
		}

	}

}
