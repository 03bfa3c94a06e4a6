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

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLoss;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.internal.LockKeys;
import io.github.zklock.core.spi.UnusedRelease;
import io.github.zklock.zookeeper.session.LockSession;
import io.github.zklock.zookeeper.session.SessionLease;
import io.github.zklock.zookeeper.tasks.EngineTasks;
import io.github.zklock.zookeeper.tasks.StackRoom;
import io.github.zklock.zookeeper.tasks.StateMachine;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lock that is held with a node, which is first in its queue in a living session.
 */
public final class ZooKeeperLockHandle implements LockHandle, UnusedRelease {

	private static final Logger logger = LoggerFactory.getLogger(ZooKeeperLockHandle.class);

	private static final long RELEASE_WAIT_MS = 1000;

	// Only the next connection shows whether the session has ended. A client that has one
	// server tries to connect two seconds later at most.
	private static final long UNCERTAIN_RELEASE_WAIT_MS = 3000;

	private static final CompletableFuture<@Nullable Void> NOTHING_TO_DELETE = CompletableFuture.completedFuture(null);

	private final EngineTasks tasks;

	private final LockRequest request;

	private final Turn turn;

	private final long fencingToken;

	private final HeldLocks held;

	private final StateMachine<HoldState> hold = new StateMachine<>(HoldState.HELD, HoldState::leadsTo);

	// They are not notified yet; a notice thread notifies each of them once.
	private final Queue<Runnable> listeners = new ConcurrentLinkedQueue<>();

	// The caller has the lock, and may use it.
	private volatile boolean delivered;

	private final long since;

	private volatile @Nullable LockLoss loss;

	ZooKeeperLockHandle(EngineTasks tasks, LockRequest request, Turn turn, HeldLocks held) {
		this.tasks = tasks;
		this.request = request;
		this.turn = turn;
		this.fencingToken = turn.nextToken();
		this.held = held;
		this.since = tasks.nanoTime();
	}

	/**
	 * Return whether this lock is counted there while it is held.
	 */
	public boolean isIn(HeldLocks held) {
		return this.held == held;
	}

	void enterTurn() {
		this.held.add(this);
		this.turn.addHolder(this);
	}

	@Override
	public String key() {
		return this.request.key();
	}

	@Override
	public LockMode mode() {
		return this.request.mode();
	}

	@Override
	public long fencingToken() {
		return this.fencingToken;
	}

	@Override
	public LockState state() {
		HoldState now = this.hold.get();
		if (now != HoldState.HELD) {
			return now.lockState;
		}
		LockState state = known();
		if (state == LockState.LOST) {
			// Once lost, it stays so while the loss is reported.
			if (!this.turn.isLost()) {
				this.turn.lost();
			}
			HoldState after = this.hold.get();
			return (after != HoldState.HELD) ? after.lockState : LockState.LOST;
		}
		return state;
	}

	/**
	 * Return whether the lock is still held. Called by the thread that is going to use
	 * it, which may have been paused since the grant.
	 */
	boolean deliver() {
		if (state() == LockState.LOST) {
			return false;
		}
		this.delivered = true;
		return this.hold.is(HoldState.HELD);
	}

	/**
	 * Return the known state of the lock, without the end of a lock that is lost.
	 */
	public LockState knownState() {
		HoldState now = this.hold.get();
		return (now != HoldState.HELD) ? now.lockState : known();
	}

	private LockState known() {
		return this.turn.isLost() ? LockState.LOST : this.turn.node().session().stateOfLocks();
	}

	long remainingLease() {
		SessionLease lease = this.turn.node().session().lease();
		return lease.isPossible() ? lease.remaining() : Long.MAX_VALUE;
	}

	/**
	 * Return the path of the node of the lock, without the chroot of the client.
	 */
	public String path() {
		return this.turn.node().path();
	}

	public LockRequest request() {
		return this.request;
	}

	public Duration heldFor() {
		return Duration.ofNanos(this.tasks.nanoTime() - this.since);
	}

	@Override
	public @Nullable LockLoss loss() {
		HoldState now = this.hold.get();
		if (now == HoldState.HELD) {
			return this.turn.isLost() ? this.turn.cause() : null;
		}
		return (now.lockState == LockState.LOST) ? this.loss : null;
	}

	@Override
	public CompletableFuture<LockState> whenCertain() {
		return this.held.whenCertain(this);
	}

	@Override
	public <T> @Nullable T unwrap(Class<T> type) {
		T owed = this.turn.obligation(type);
		return (owed == null && type.isInstance(this)) ? type.cast(this) : owed;
	}

	@Override
	public void onLost(Consumer<? super LockHandle> listener) {
		this.listeners.add(EngineTasks.once(() -> notifyListener(listener)));
		if (state() == LockState.LOST) {
			notifyListeners();
		}
	}

	/** Take the lock away from all its holders. */
	void revoke(LockLoss cause) {
		this.turn.lose(cause);
	}

	/**
	 * Take note that the lock is lost. Called for all holders of the turn.
	 */
	void turnLost(LockLoss cause) {
		if (this.loss == null) {
			this.loss = cause;
		}
		boolean first = this.hold.toIfPossible(HoldState.LOST);
		if (this.hold.is(HoldState.LOST)) {
			notifyListeners();
			// Last, since the periodic check looks at the others again.
			this.held.remove(this);
		}
		if (first) {
			reportLoss(cause);
		}
	}

	/** The lock is lost if a step of its generation has failed. */
	void loseIfBroken() {
		if (this.turn.node().session().isBroken()) {
			turnLost(LockLoss.ENGINE_FAILED);
		}
	}

	boolean isInUse() {
		return this.hold.is(HoldState.HELD);
	}

	/** Return what the loss means for the caller, as a sentence. */
	String consequence() {
		return this.hold.get().consequence(this.request.onLost());
	}

	private void reportLoss(LockLoss cause) {
		if (!this.delivered) {
			logger.debug("{} was lost before its caller could use it", this);
			return;
		}
		this.held.reportLoss(this, cause);
	}

	@Override
	public void release() {
		CompletableFuture<@Nullable Void> deleted = beginRelease();
		if (!deleted.isDone() && !this.tasks.isReplyThread()) {
			this.tasks.awaitUninterruptibly(deleted, RELEASE_WAIT_MS);
			if (!deleted.isDone()) {
				this.tasks.awaitUninterruptibly(deleted, moreReleaseWait());
			}
		}
		this.hold.toIfPossible(HoldState.RELEASED);
	}

	@Override
	public CompletableFuture<Void> releaseAsync() {
		CompletableFuture<@Nullable Void> deleted = beginRelease();
		CompletableFuture<Void> released = new CompletableFuture<>();
		this.tasks.untilDone(() -> await(deleted, released));
		return released;
	}

	private void await(CompletableFuture<@Nullable Void> deleted, CompletableFuture<Void> released) {
		CompletableFuture<@Nullable Void> first = this.tasks.within(RELEASE_WAIT_MS, deleted, null);
		this.tasks.whenEnded(first, () -> {
			CompletableFuture<@Nullable Void> last = this.tasks.within(deleted.isDone() ? 0 : moreReleaseWait(),
					deleted, null);
			this.tasks.whenEnded(last, () -> {
				this.hold.toIfPossible(HoldState.RELEASED);
				this.tasks.callBack(() -> released.complete(null));
			});
		});
	}

	// After the end of the lease a missing node says nothing about the body.
	private long moreReleaseWait() {
		LockSession session = this.turn.node().session();
		if (session.isUsable() || session.lease().isOver()) {
			return 0;
		}
		return Math.min(UNCERTAIN_RELEASE_WAIT_MS - RELEASE_WAIT_MS, TimeUnit.NANOSECONDS.toMillis(remainingLease()));
	}

	@Override
	public CompletableFuture<Void> releaseUnused() {
		this.tasks.run(this.turn::lockUnused);
		return releaseAsync();
	}

	// Another thread releases the lock if this one has too little stack for that. The
	// delete checks for more, because a hand-off sends nothing.
	private CompletableFuture<@Nullable Void> beginRelease() {
		if (StackRoom.isLeft(StackRoom.framesWithoutRequest())) {
			return this.tasks.onPlatformThread(this::handOverOrDelete);
		}
		this.tasks.onStepThread(this::handOverOrDelete);
		return NOTHING_TO_DELETE;
	}

	// The step of a release. Return a future that ends when the node is gone, if the
	// caller has to wait for that.
	private CompletableFuture<@Nullable Void> handOverOrDelete() {
		if (state() == LockState.LOST || !this.hold.toIfPossible(HoldState.RELEASING)) {
			return NOTHING_TO_DELETE;
		}
		try {
			this.held.remove(this);
			if (this.turn.queue().handOff().handOver(this.turn, this)) {
				return NOTHING_TO_DELETE;
			}
			if (StackRoom.isLeft(StackRoom.MANY)) {
				return deleteNode();
			}
			this.tasks.onStepThread(this::deleteNode);
			return NOTHING_TO_DELETE;
		}
		catch (Throwable ex) {
			this.tasks.generation().failed(ex);
			return NOTHING_TO_DELETE;
		}
	}

	private CompletableFuture<@Nullable Void> deleteNode() {
		CompletableFuture<@Nullable Void> deleted = this.turn.keepsNode() ? NOTHING_TO_DELETE
				: this.turn.delete(this.held.janitor(), this::foundLost);
		this.turn.queue().mutex().run(this.turn.queue()::createPlaceIfNeeded);
		return this.held.awaitsDelete() ? deleted : NOTHING_TO_DELETE;
	}

	private void foundLost() {
		LockLoss cause = this.turn.cause();
		this.loss = cause;
		if (!this.hold.toIfPossible(HoldState.FOUND_LOST)) {
			this.hold.toIfPossible(HoldState.FOUND_LATE);
		}
		notifyListeners();
		reportLoss(cause);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other;
	}

	// The identity hash takes longer than the other work of a set. Nodes of one
	// transaction share their tokens, so the key counts too.
	@Override
	public int hashCode() {
		return 31 * Long.hashCode(this.fencingToken) + key().hashCode();
	}

	@Override
	public String toString() {
		return LockKeys.describe(key(), mode()) + " at " + this.turn.node().path() + " " + state();
	}

	private void notifyListeners() {
		for (Runnable notice = this.listeners.peek(); notice != null; notice = this.listeners.peek()) {
			this.tasks.notice(notice);
			this.listeners.remove(notice);
		}
	}

	private void notifyListener(Consumer<? super LockHandle> listener) {
		try {
			listener.accept(this);
		}
		catch (Throwable ex) {
			logger.warn("Listener {} of the lost {} failed", listener, this, ex);
		}
	}

}
