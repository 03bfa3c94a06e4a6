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
import java.util.function.Supplier;

import io.github.zklock.zookeeper.node.QueueNode;
import io.github.zklock.zookeeper.queue.AtLeastTime;
import io.github.zklock.zookeeper.queue.QueueContender.Grant;
import io.github.zklock.zookeeper.queue.QueueMutex;
import io.github.zklock.zookeeper.session.LockNode;
import io.github.zklock.zookeeper.session.LockSession;
import org.jspecify.annotations.Nullable;

/**
 * The time for which a node is first in its queue: those of this process who hold the
 * lock by it, one after the other or, if they read, together. Guarded by the lock of the
 * local queue.
 */
public final class Turn {

	/**
	 * How many holders one node can tell apart in their fencing tokens. A transaction has
	 * 32 bits for the number of the leader, of which 19 are left: enough for one election
	 * every hour for 59 years.
	 */
	public static final int MAX_GRANTS = 1 << 12;

	// Also if the event that tells of another process is late.
	private static final long LONGEST = TimeUnit.SECONDS.toNanos(1);

	private static final long LONGEST_BESIDE_OTHERS = TimeUnit.MILLISECONDS.toNanos(50);

	private static final int GRANTS_BESIDE_OTHERS = 8;

	private final LockNode node;

	private final @Nullable AtLeastTime atLeast;

	private final RemoteWaiters remoteWaiters;

	private final boolean cacheable;

	private final long begin;

	private int grants;

	private int grantsBesideOthers;

	private int holders;

	private @Nullable CachedNode cached;

	Turn(Grant grant, QueueMutex lock) {
		this.node = grant.node();
		this.atLeast = grant.atLeast();
		this.remoteWaiters = new RemoteWaiters(this.node, grant.knowledge().areOthersBehind(), lock);
		this.begin = this.node.session().nanoTime();
		this.cacheable = QueueNode.isCacheable(this.node.path());
	}

	LockNode node() {
		return this.node;
	}

	@Nullable AtLeastTime atLeast() {
		return this.atLeast;
	}

	RemoteWaiters remoteWaiters() {
		return this.remoteWaiters;
	}

	/**
	 * Count one more holder.
	 * @return its fencing token, which is greater than those before it and less than
	 * those of any later node
	 */
	long grant() {
		this.holders++;
		if (this.remoteWaiters.areThere()) {
			this.grantsBesideOthers++;
		}
		if (this.cached != null) {
			this.cached.used();
		}
		return this.node.transaction() * MAX_GRANTS + this.grants++;
	}

	/**
	 * Let the node tell its holder of the loss of the lock, which saves the holder to
	 * wait for that by itself.
	 * @return whether it does
	 */
	boolean join(ZooKeeperLockHandle holder) {
		return this.cached != null && this.cached.join(holder);
	}

	/**
	 * The holder does not hold the lock any more.
	 * @return whether it was to be told by the node
	 */
	boolean leave(ZooKeeperLockHandle holder) {
		return this.cached != null && this.cached.leave(holder);
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
	void idle(long now, Supplier<CachedNode> first) {
		if (this.cached == null) {
			this.cached = first.get();
			this.cached.begin(now);
		}
		else {
			this.cached.idle(now);
		}
	}

	/**
	 * Nobody holds the lock by this node any more, and nobody will.
	 */
	void end() {
		this.remoteWaiters.end();
		if (this.cached != null) {
			this.cached.end();
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
		return session.isUsable() && session.lease().isFresh(now) && !this.remoteWaiters.isNodeGone()
				&& isCachedRightly();
	}

	// A node that nobody used for a while may be gone unless there is a lease.
	private boolean isCachedRightly() {
		return this.cached == null || (!this.cached.isLost() && this.node.session().lease().isPossible());
	}

	/**
	 * Return whether the node may be kept while nobody holds the lock by it: others see
	 * by its name that it may be, as far as is known nobody waits, and the clock tells
	 * when that has to end. Once it is used up it goes when somebody wants the next one,
	 * who does not have to wait for that.
	 * @param now a reading of the clock of the engine
	 */
	boolean isCacheable(long now) {
		return this.cacheable && !this.remoteWaiters.areThere() && this.node.session().lease().isPossible()
				&& isThere(now);
	}

	/**
	 * Return whether the node was kept while nobody held the lock by it.
	 */
	boolean isCached() {
		return this.cached != null;
	}

	/**
	 * Return whether to ask again who waits, since an event may be lost.
	 */
	boolean isToAskAgain() {
		return this.cached != null && this.remoteWaiters.isToAskAgain();
	}

	/**
	 * Return whether the node is kept and somebody may hold the lock by it at once.
	 * @param now a reading of the clock of the engine
	 */
	boolean admitsAtOnce(long now) {
		return this.cached != null && isIdle() && this.remoteWaiters.areNone(now) && isUsable(now);
	}

	/**
	 * Return whether somebody of this process may hold the lock by this node next. Once
	 * another process waits, it is for eight more holders or 50 ms, and then it is the
	 * turn of that process.
	 */
	boolean admits() {
		if (!this.remoteWaiters.isKnown() || !isUsable()) {
			return false;
		}
		long now = this.node.session().nanoTime();
		if (!this.remoteWaiters.areThere()) {
			return this.cached != null || now - this.begin < LONGEST;
		}
		return this.grantsBesideOthers < GRANTS_BESIDE_OTHERS
				&& now - this.remoteWaiters.since() < LONGEST_BESIDE_OTHERS;
	}

}
