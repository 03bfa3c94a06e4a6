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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockLoss;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.zookeeper.node.QueueNode;
import io.github.zklock.zookeeper.queue.Gate.Obligation;
import io.github.zklock.zookeeper.queue.Place;
import io.github.zklock.zookeeper.queue.PlaceState;
import io.github.zklock.zookeeper.session.LockNode;
import io.github.zklock.zookeeper.session.LockSession;
import io.github.zklock.zookeeper.session.NodeJanitor;
import io.github.zklock.zookeeper.tasks.StackRoom;
import org.jspecify.annotations.Nullable;

/**
 * One turn of this process to hold the lock of a key. It begins when a node of the
 * process is first in ZooKeeper's queue, and ends when this node is lost or deleted. With
 * the node, requests of the process hold the lock one after the other or, as readers,
 * together. After the last holder the node may be cached for the next request. It is
 * released when another contender wants the key or the node was idle for too long. Its
 * fields are guarded by the mutex of the local queue, except where they are volatile.
 */
public final class Turn implements LockNode.Holder {

	// While no other contender is known to wait, and before the node was cached. It
	// bounds the turn even if the event of a contender is late. Later the queue is listed
	// again each second.
	private static final long LONGEST_ALONE = TimeUnit.SECONDS.toNanos(1);

	private static final long LONGEST_BESIDE_OTHERS = TimeUnit.MILLISECONDS.toNanos(50);

	private static final int GRANTS_BESIDE_OTHERS = 8;

	private final LocalQueue queue;

	private final LockCache cache;

	private final Place place;

	private final LockNode node;

	private final List<Obligation> obligations;

	private final OthersBehind othersBehind;

	private final boolean cacheable;

	private final long begunAt;

	private int grants;

	private int grantsBesideOthers;

	private final List<ZooKeeperLockHandle> holders = new ArrayList<>(1);

	private volatile long idleSince;

	Turn(Place place, LocalQueue queue, LockCache cache) {
		this.queue = queue;
		this.cache = cache;
		this.place = place;
		this.node = place.node();
		this.obligations = place.obligations();
		this.othersBehind = new OthersBehind(this.node, place.areOthersBehind(), queue.mutex());
		// Only if its name shows that to other processes.
		this.cacheable = QueueNode.isCacheable(this.node.path());
		this.begunAt = this.node.session().nanoTime();
	}

	LocalQueue queue() {
		return this.queue;
	}

	@Override
	public LockNode node() {
		return this.node;
	}

	/** Return whether the node has to stay after the release of the lock. */
	boolean keepsNode() {
		boolean keeps = false;
		for (Obligation obligation : this.obligations) {
			keeps |= obligation.keepsNode();
		}
		return keeps;
	}

	/** Delete the node in the way that the lock owes, after its last release. */
	CompletableFuture<@Nullable Void> delete(NodeJanitor janitor, Runnable onLoss) {
		CompletableFuture<@Nullable Void> owed = deleteAsOwed(onLoss);
		return (owed != null) ? owed : janitor.release(this.node, onLoss);
	}

	private @Nullable CompletableFuture<@Nullable Void> deleteAsOwed(Runnable onLoss) {
		for (Obligation obligation : this.obligations) {
			CompletableFuture<@Nullable Void> owed = obligation.deleteNode(onLoss);
			if (owed != null) {
				return owed;
			}
		}
		return null;
	}

	/** The lock was never used, and its node is about to be deleted. */
	void lockUnused() {
		this.obligations.forEach(Obligation::lockUnused);
	}

	/** Return what the lock owes, if it is of this type. */
	<T> @Nullable T obligation(Class<T> type) {
		for (Obligation obligation : this.obligations) {
			if (type.isInstance(obligation)) {
				return type.cast(obligation);
			}
		}
		return null;
	}

	OthersBehind othersBehind() {
		return this.othersBehind;
	}

	/** Begin to rely on the lease of the session. The turn may be lost at once. */
	void relyOnLease() {
		this.obligations.forEach(Obligation::lockHeld);
		this.node.session().heartbeat().hold(this);
		this.node.session().addMember(this);
	}

	boolean hasBegunBefore(LockAttempt attempt) {
		return attempt.failures().start() - this.begunAt > 0;
	}

	/**
	 * Return the fencing token of the next holder. It is greater than the tokens before
	 * it and less than the tokens of any later node.
	 */
	long nextToken() {
		return this.node.token(this.grants++);
	}

	void addHolder(ZooKeeperLockHandle holder) {
		this.place.toIfPossible(PlaceState.HELD_AGAIN);
		this.holders.add(holder);
		if (this.othersBehind.areWaiting()) {
			this.grantsBesideOthers++;
		}
	}

	/**
	 * Remove a holder.
	 * @return whether other holders are left
	 */
	boolean removeHolder(ZooKeeperLockHandle holder) {
		this.holders.remove(holder);
		return !isIdle();
	}

	/** Return the holders, except those that are about to release their locks. */
	List<ZooKeeperLockHandle> holders() {
		return this.holders.stream().filter(ZooKeeperLockHandle::isInUse).toList();
	}

	/** Return whether no lock was granted with this node. */
	boolean isUnused() {
		return this.grants == 0;
	}

	/** Return whether no lock is held with this node. */
	boolean isIdle() {
		return this.holders.isEmpty();
	}

	/** Return whether the node was cached at some time, or is lost or deleted. */
	boolean isCachedOrLater() {
		return this.place.state().isCachedOrLater();
	}

	/**
	 * Cache the node for the next lock of this process. Called when the last holder has
	 * released its lock.
	 * @param last the request of the last holder
	 * @return whether the node is cached; otherwise it has to be deleted
	 */
	boolean cacheFor(LockRequest last) {
		if (!last.cache() || this.cache.isClosed() || !mayBeCached()) {
			return false;
		}
		// It may be asked again while the node is idle, which does not make it younger.
		if (!this.place.is(PlaceState.CACHED)) {
			this.idleSince = now();
			this.place.toIfPossible(PlaceState.CACHED);
			this.cache.add(this);
		}
		return true;
	}

	/**
	 * Return whether the node could be cached once no lock is held with it. Without a
	 * lease no clock shows when an idle node may be gone. A node without grants left is
	 * deleted at the next request.
	 */
	boolean mayBeCached() {
		return this.cacheable && !this.othersBehind.areWaiting() && this.node.session().lease().isPossible()
				&& isNodeThere();
	}

	/** Return whether the last listing is so old that an event may be lost. */
	boolean isListingOld() {
		return isCachedOrLater() && this.othersBehind.isListingOld();
	}

	/**
	 * Return whether the thread has stack for the listing that a release may need.
	 * @param usedAgain whether the node may be used once more
	 */
	boolean hasStackToList(boolean usedAgain) {
		boolean lists = isListingOld() || (usedAgain && !this.othersBehind.isKnown());
		return !lists || StackRoom.isLeft(StackRoom.MANY);
	}

	/** Return whether the lock can be granted with the cached node at once. */
	boolean admitsAtOnce() {
		return isCachedOrLater() && isIdle() && !this.cache.isClosed() && this.othersBehind.areNone() && isUsable();
	}

	/**
	 * Return whether the next request of this process may hold the lock with this node.
	 * Once another contender waits, eight more holders or 50 ms are allowed; then that
	 * contender comes first.
	 */
	boolean admits() {
		if (!this.othersBehind.isKnown() || !isUsable()) {
			return false;
		}
		if (!this.othersBehind.areWaiting()) {
			return isCachedOrLater() || now() - this.begunAt < LONGEST_ALONE;
		}
		return this.grantsBesideOthers < GRANTS_BESIDE_OTHERS
				&& now() - this.othersBehind.since() < LONGEST_BESIDE_OTHERS;
	}

	/** Return whether the node can be used for one more lock. */
	boolean isUsable() {
		return this.grants < LockNode.MAX_GRANTS && isNodeThere();
	}

	/** Return whether the node is certain to be in the queue, in its session. */
	// Without a lease an idle node may be gone unnoticed.
	boolean isNodeThere() {
		LockSession session = this.node.session();
		return session.isUsable() && session.lease().isFresh() && !this.othersBehind.isNodeGone() && !isLost()
				&& !hasEnded() && (!isCachedOrLater() || session.lease().isPossible());
	}

	/**
	 * Return whether the turn has ended: its node is deleted, is about to be, or stays
	 * for a minimum time.
	 */
	boolean hasEnded() {
		return this.place.is(PlaceState.RELEASED);
	}

	/**
	 * End the turn: no lock will be granted with this node again. Called by the hand-off,
	 * which knows why, and how the node is deleted.
	 */
	void end() {
		this.place.to(PlaceState.RELEASED);
		this.cache.remove(this);
		this.node.session().heartbeat().drop(this);
		this.node.session().removeMember(this);
	}

	/** Release the cached node, unless it is in use. */
	void releaseNodeIfIdle() {
		this.queue.handOff().releaseNodeIfIdle(this);
	}

	@Override
	public void lost() {
		lose(cause());
	}

	/** Grant no more, and notify the holders that their locks are lost. */
	void lose(LockLoss cause) {
		this.place.toIfPossible(PlaceState.LOST);
		this.queue.handOff().loseTurn(this, cause);
	}

	/** Return whether the node is lost, though its holders may not be notified yet. */
	boolean isLost() {
		return this.place.is(PlaceState.LOST);
	}

	/** Return why a lock with this node is lost. */
	LockLoss cause() {
		LockSession session = this.node.session();
		if (session.isBroken()) {
			return LockLoss.ENGINE_FAILED;
		}
		if (session.state() == LockState.LOST) {
			return LockLoss.SESSION_ENDED;
		}
		return session.lease().isOver() ? LockLoss.LEASE_ENDED : LockLoss.NODE_DELETED;
	}

	@Override
	public void loseIfOver() {
		if (this.node.session().stateOfLocks() == LockState.LOST) {
			lost();
		}
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other;
	}

	// Equal in every run of a simulation, so that sets have the same order.
	@Override
	public int hashCode() {
		return this.node.contender().hashCode();
	}

	/** Return for how long the node is idle, in nanoseconds, or -1 if it is in use. */
	long idleFor(long now) {
		return this.place.is(PlaceState.CACHED) ? now - this.idleSince : -1;
	}

	private long now() {
		return this.node.session().nanoTime();
	}

}
