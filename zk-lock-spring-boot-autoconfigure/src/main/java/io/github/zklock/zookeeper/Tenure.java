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

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * The time for which a node is first in its queue: those of this process who hold the
 * lock by it, one after the other or, if they read, together. Guarded by the lock of the
 * local queue.
 */
final class Tenure {

	/**
	 * How many holders one node can tell apart in their fencing tokens. A transaction has
	 * 32 bits for the number of the leader, of which 19 are left: enough for one election
	 * every hour for 59 years.
	 */
	static final int MAX_GRANTS = 1 << 12;

	// Also if the event that tells of another process is late.
	private static final long LONGEST = TimeUnit.SECONDS.toNanos(1);

	private static final long LONGEST_BESIDE_OTHERS = TimeUnit.MILLISECONDS.toNanos(50);

	private static final int GRANTS_BESIDE_ONE = 2;

	private static final int GRANTS_PER_FURTHER_ONE = 3;

	private static final int MAX_GRANTS_BESIDE_OTHERS = 8;

	private final LockNode node;

	private final @Nullable KeepTime keep;

	private final Followers followers;

	private final @Nullable QueueTail tail;

	private final boolean back;

	private final boolean seen;

	private final boolean quiet;

	private final boolean keepable;

	private final long begin;

	private int grants;

	private int holders;

	private @Nullable KeptNode kept;

	Tenure(LockNode node, @Nullable KeepTime keep, QueueSight sight, AttemptLock lock) {
		this.node = node;
		this.keep = keep;
		this.back = sight.isBack();
		this.seen = sight.followers() > 0 || !this.back;
		this.followers = new Followers(node, this.seen ? sight.followers() : 1, lock);
		this.tail = sight.tail();
		this.quiet = sight.isQuiet();
		this.begin = node.session().nanoTime();
		this.keepable = QueueNode.isKeepable(node.path());
	}

	LockNode node() {
		return this.node;
	}

	@Nullable KeepTime keep() {
		return this.keep;
	}

	Followers followers() {
		return this.followers;
	}

	/**
	 * Return who waited behind the node when it was first or next, if that is known.
	 */
	@Nullable QueueTail tail() {
		return this.tail;
	}

	/**
	 * Return whether others wait, or are likely to be back in a moment.
	 */
	boolean isBesideOthers() {
		return this.seen && this.followers.count() > 0;
	}

	/**
	 * Count one more holder.
	 * @return its fencing token, which is greater than those before it and less than
	 * those of any later node
	 */
	long grant() {
		this.holders++;
		if (this.kept != null) {
			this.kept.used();
		}
		return this.node.transaction() * MAX_GRANTS + this.grants++;
	}

	/**
	 * Let the node tell its holder of the loss of the lock, which saves the holder to
	 * wait for that by itself.
	 * @return whether it does
	 */
	boolean join(ZooKeeperLockHandle holder) {
		return this.kept != null && this.kept.join(holder);
	}

	/**
	 * The holder does not hold the lock any more.
	 * @return whether it was to be told by the node
	 */
	boolean leave(ZooKeeperLockHandle holder) {
		return this.kept != null && this.kept.leave(holder);
	}

	/**
	 * Count one holder less.
	 * @return whether there are still others
	 */
	boolean release() {
		return --this.holders > 0;
	}

	int holders() {
		return this.holders;
	}

	/** Return whether nobody holds the lock by this node. */
	boolean isIdle() {
		return this.holders == 0;
	}

	/**
	 * Keep the node while nobody holds the lock by it.
	 * @param now a reading of the clock of the engine
	 * @param first creates what keeps it, if it was not kept before
	 */
	void idle(long now, Supplier<KeptNode> first) {
		if (this.kept == null) {
			this.kept = first.get();
			this.kept.begin(now);
		}
		else {
			this.kept.idle(now);
		}
	}

	/**
	 * Nobody holds the lock by this node any more, and nobody will.
	 */
	void end() {
		this.followers.end();
		if (isIdle()) {
			this.node.session().quietQueues().left(this.node, this.quiet && this.followers.count() == 0);
		}
		if (this.kept != null) {
			this.kept.end();
		}
	}

	/** Return whether another lock could be granted by this node at all. */
	boolean isUsable() {
		return isUsable(this.node.session().nanoTime());
	}

	private boolean isUsable(long now) {
		return this.grants < MAX_GRANTS && isThere(now);
	}

	private boolean isThere(long now) {
		LockSession session = this.node.session();
		return session.isUsable() && session.lease().isFresh(now) && !this.followers.isNodeGone() && isKeptRightly();
	}

	// A node that nobody used for a while may be gone unless there is a lease.
	private boolean isKeptRightly() {
		return this.kept == null || (!this.kept.isLost() && this.node.session().lease().isPossible());
	}

	/**
	 * Return whether the node may be kept while nobody holds the lock by it: others see
	 * by its name that it may be, as far as is known nobody waits, and the clock tells
	 * when that has to end. Once it is used up it goes when somebody wants the next one,
	 * who does not have to wait for that.
	 * @param now a reading of the clock of the engine
	 */
	boolean isKeepable(long now) {
		return this.keepable && this.followers.count() == 0 && this.node.session().lease().isPossible() && isThere(now);
	}

	/**
	 * Return whether the node was kept while nobody held the lock by it.
	 */
	boolean isKept() {
		return this.kept != null;
	}

	/**
	 * Return whether to ask again who waits, since an event may be lost.
	 */
	boolean isToAskAgain() {
		return this.kept != null && this.followers.isToAskAgain();
	}

	/**
	 * Return whether the node is kept and somebody may hold the lock by it at once.
	 * @param now a reading of the clock of the engine
	 */
	boolean admitsAtOnce(long now) {
		return this.kept != null && isIdle() && this.followers.areNone(now) && isUsable(now);
	}

	/**
	 * Return whether somebody of this process may hold the lock by this node next.
	 * @param enteredAt since when it waits, by the clock of the engine
	 */
	boolean admits(long enteredAt) {
		if (!this.followers.isKnown() || !isUsable()) {
			return false;
		}
		int others = this.followers.count();
		if (others == 0) {
			return this.kept != null || this.node.session().nanoTime() - this.begin < LONGEST;
		}
		long now = this.node.session().nanoTime();
		long since = this.followers.since();
		return !this.back && enteredAt - since < 0 && now - since < LONGEST_BESIDE_OTHERS && this.grants < Math
			.min(GRANTS_BESIDE_ONE + (others - 1) * GRANTS_PER_FURTHER_ONE, MAX_GRANTS_BESIDE_OTHERS);
	}

}
