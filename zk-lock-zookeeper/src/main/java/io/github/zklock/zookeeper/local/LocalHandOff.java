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

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockLoss;
import io.github.zklock.core.LockRequest;
import io.github.zklock.zookeeper.local.LockAttempt.LocalHolder;
import io.github.zklock.zookeeper.queue.Place;
import io.github.zklock.zookeeper.queue.QueueMutex;
import io.github.zklock.zookeeper.queue.Services;
import io.github.zklock.zookeeper.session.NodeJanitor;
import io.github.zklock.zookeeper.tasks.EngineTasks;
import org.jspecify.annotations.Nullable;

/**
 * Grants the lock to the requests in a local queue with one node, which is first in
 * ZooKeeper's queue. Readers may also hold the lock with earlier nodes. The last release
 * of such a turn ends it. Guarded by the mutex of the local queue.
 */
final class LocalHandOff {

	private static final long LONGEST_LOOK_MS = 50;

	private final EngineTasks tasks;

	private final NodeJanitor janitor;

	private final HeldLocks held;

	private final QueueMutex mutex;

	private final Waiters<LockAttempt> waiters;

	private final boolean forReaders;

	// Whether a writer of this process is in ZooKeeper's queue, for readers.
	private final BooleanSupplier writerIsQueued;

	// The latest one.
	private @Nullable Turn turn;

	// The latest holder in this process, until its node goes.
	private @Nullable LocalHolder lastHolder;

	LocalHandOff(Services services, HeldLocks held, QueueMutex mutex, Waiters<LockAttempt> waiters, boolean forReaders,
			BooleanSupplier writerIsQueued) {
		this.tasks = services.tasks();
		this.janitor = services.janitor();
		this.held = held;
		this.mutex = mutex;
		this.waiters = waiters;
		this.forReaders = forReaders;
		this.writerIsQueued = writerIsQueued;
	}

	/** Take over a node that is first in ZooKeeper's queue. */
	void takeOver(Turn begun) {
		if (this.turn != null && this.turn.isIdle()) {
			// No release would end it.
			releaseNode(this.turn);
		}
		this.turn = begun;
	}

	/**
	 * Grant the lock to the first waiting request, and to others that can hold it
	 * together.
	 * @param begun the turn that was taken over, which may be lost at once
	 */
	void grantFirst(Turn begun) {
		begun.othersBehind().whenChanged(() -> queueChanged(begun));
		begun.relyOnLease();
		if (begun == this.turn) {
			grant(begun);
		}
		grantWaiting();
		listEarly();
	}

	/** List the queue early, so that the next release need not wait for the answer. */
	void listEarly() {
		Turn current = this.turn;
		if (current != null && !current.othersBehind().isKnown() && !this.waiters.isEmpty()) {
			listOnce(current);
		}
	}

	/**
	 * Grant waiting requests the lock beside its readers, or with the cached node. A
	 * cached node that admits none of them is released.
	 */
	void grantWaiting() {
		Turn current = this.turn;
		if (current == null || this.waiters.isEmpty() || !(this.forReaders || current.isIdle())) {
			return;
		}
		if (!current.othersBehind().isKnown()) {
			listOnce(current);
		}
		if (current.isListingOld()) {
			listAgain(current);
		}
		while ((this.forReaders || current.isIdle()) && mayGrantNext(current)) {
			grant(current);
		}
		if (current.isIdle() && !current.othersBehind().isListing()) {
			releaseNode(current);
		}
	}

	/**
	 * Grant the lock with the cached node, unless another request waits or the queue has
	 * to be listed.
	 */
	@Nullable ZooKeeperLockHandle grantAtOnce(LockRequest request, Supplier<byte[]> data) {
		return this.mutex.get(() -> {
			Turn current = this.turn;
			if (current == null || !this.waiters.isEmpty() || !current.admitsAtOnce()
					|| this.writerIsQueued.getAsBoolean()) {
				return null;
			}
			return grant(current, new LocalHolder(request, data, this.tasks.nanoTime()));
		}, null);
	}

	/**
	 * Hand the lock over to the next waiting request, at once or after a listing, or
	 * cache the node. Called when a lock is released.
	 * @return whether the node is still needed, or the lock is lost after a failed step;
	 * otherwise the caller deletes the node
	 */
	boolean handOver(Turn current, ZooKeeperLockHandle released) {
		return this.mutex.get(() -> current.removeHolder(released) || handOverOrEnd(current), true);
	}

	// Return whether the node is still needed. If not, its turn has ended.
	private boolean handOverOrEnd(Turn current) {
		boolean usedAgain = !this.waiters.isEmpty() || (this.lastHolder != null && this.lastHolder.request().cache());
		if (current == this.turn && current.hasStackToList(usedAgain)) {
			if (current.isListingOld()) {
				listAgain(current);
			}
			if (!this.waiters.isEmpty() && !current.othersBehind().isKnown() && current.isUsable()) {
				listOnce(current);
				return true;
			}
			if (mayGrantNext(current)) {
				grant(current);
				return true;
			}
			if (this.waiters.isEmpty() && cacheIfPossible(current)) {
				return true;
			}
		}
		endTurn(current);
		return false;
	}

	// Only a listing with a watch shows that no other contender waits.
	private boolean cacheIfPossible(Turn current) {
		if (this.lastHolder == null || !current.cacheFor(this.lastHolder.request())) {
			return false;
		}
		if (!current.othersBehind().isKnown()) {
			listOnce(current);
		}
		return true;
	}

	private void listOnce(Turn current) {
		current.othersBehind().listOnce(() -> {
			if (current == this.turn) {
				onListing(current);
			}
		});
	}

	private void onListing(Turn current) {
		grantWaiting();
		if (current == this.turn && current.isIdle() && !cacheIfPossible(current)) {
			releaseNode(current);
		}
		current.queue().createPlaceIfNeeded();
	}

	// A change behind a cached node means that another contender waits. Readers come and
	// go without waiting, so only a listing shows them.
	private void queueChanged(Turn current) {
		if (current != this.turn) {
			return;
		}
		if (this.forReaders || !current.mayBeCached()) {
			listAgain(current);
		}
		else {
			current.othersBehind().assumeWaiting();
			releaseNodeUnlessCacheable(current);
		}
	}

	private void listAgain(Turn current) {
		current.othersBehind().list(() -> releaseNodeUnlessCacheable(current));
	}

	private void releaseNodeUnlessCacheable(Turn current) {
		if (!current.mayBeCached()) {
			releaseNodeIfIdle(current);
		}
	}

	/** Release a node, unless a lock is held with it. */
	void releaseNodeIfIdle(Turn current) {
		this.mutex.run(() -> {
			if (current == this.turn && current.isIdle()) {
				releaseNode(current);
				current.queue().createPlaceIfNeeded();
			}
		});
	}

	/**
	 * Notify all holders of a lost turn, and delete its node. They are notified because
	 * the lease may be valid again when they look. The session may still live, or a
	 * server may not know of its end yet. So the node stays for a moment in which they
	 * stop.
	 */
	void loseTurn(Turn current, LockLoss cause) {
		this.mutex.run(() -> {
			if (!current.hasEnded()) {
				detach(current);
				current.holders().forEach((handle) -> handle.turnLost(cause));
				if (current.isUnused()) {
					current.lockUnused();
				}
				if (current.isIdle()) {
					this.janitor.remove(current.node());
				}
				else {
					this.janitor.removeSoon(current.node());
				}
				endTurn(current);
				current.queue().createPlaceIfNeeded();
			}
		});
	}

	private void releaseNode(Turn current) {
		this.janitor.remove(current.node());
		endTurn(current);
	}

	// All ends of a turn come here: a release without a next holder, an idle node that is
	// not kept, and a loss. A failed step ends no turn, since it ends the generation.
	private void endTurn(Turn current) {
		current.end();
		detach(current);
	}

	private void detach(Turn current) {
		if (current == this.turn) {
			this.turn = null;
			this.lastHolder = null;
		}
	}

	/** Return whether the lock is held, or can be held, with the latest node. */
	boolean hasTurn() {
		return this.turn != null;
	}

	/**
	 * Return whether a request of this queue holds the lock. It does not count readers
	 * with earlier nodes.
	 */
	boolean isHeld() {
		return this.turn != null && !this.turn.isIdle();
	}

	/** Return whether requests that still wait have to enter ZooKeeper's queue. */
	boolean waitersMustEnter() {
		return this.turn == null || (this.forReaders && !this.turn.othersBehind().isListing());
	}

	/**
	 * Return the holder of the lock, in this process or in another one.
	 * @param loser the place that knows the node of the holder, if there is one
	 */
	CompletableFuture<Optional<LockHolder>> holder(@Nullable Place loser) {
		String path = (this.lastHolder == null && loser != null) ? loser.obstacle() : null;
		if (loser != null && path != null) {
			return this.tasks.within(LONGEST_LOOK_MS, loser.session().ownerOf(path), Optional.empty());
		}
		return CompletableFuture.completedFuture(
				Optional.ofNullable(this.lastHolder).map((holder) -> holder.describe(this.tasks.nanoTime())));
	}

	int withoutNode() {
		return (this.turn != null) ? Math.max(this.turn.holders().size() - 1, 0) : 0;
	}

	// Whether the next waiting request may hold the lock with this node.
	private boolean mayGrantNext(Turn current) {
		LockAttempt next = this.waiters.first();
		return next != null && current.admits() && !overtakes(current, next);
	}

	// Readers that had waited when the turn began hold the lock together.
	private boolean overtakes(Turn current, LockAttempt next) {
		return current.hasBegunBefore(next) && this.writerIsQueued.getAsBoolean();
	}

	private void grant(Turn current) {
		LockAttempt next = Objects.requireNonNull(this.waiters.first(), "A request waits");
		ZooKeeperLockHandle handle = grant(current, next.asHolder());
		this.mutex.afterwards(() -> next.granted(handle));
		this.waiters.remove(next);
		// Its place would leave only when it is first, which a lost event may hide.
		current.queue().leaveIfNoneWaits();
	}

	private ZooKeeperLockHandle grant(Turn current, LocalHolder holder) {
		this.lastHolder = holder;
		ZooKeeperLockHandle handle = new ZooKeeperLockHandle(this.tasks, holder.request(), current, this.held);
		handle.enterTurn();
		return handle;
	}

}
