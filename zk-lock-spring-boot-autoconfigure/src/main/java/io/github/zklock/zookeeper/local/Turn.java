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

import io.github.zklock.core.LockRequest;
import io.github.zklock.zookeeper.queue.AtLeastTimes.AtLeastTime;
import io.github.zklock.zookeeper.queue.QueueContender.Grant;
import io.github.zklock.zookeeper.session.LockNode;
import io.github.zklock.zookeeper.session.LockSession;
import org.jspecify.annotations.Nullable;

/**
 * The time for which a node is first in its queue: those of this process who hold the
 * lock by it, one after the other or, if they read, together. Guarded by the lock of the
 * local queue.
 */
public class Turn {

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

	private final LocalQueue queue;

	private final LockNode node;

	private final @Nullable AtLeastTime atLeast;

	private final RemoteWaiters remoteWaiters;

	private final long begin;

	private int grants;

	private int grantsBesideOthers;

	private int holders;

	Turn(Grant grant, LocalQueue queue) {
		this.queue = queue;
		this.node = grant.node();
		this.atLeast = grant.atLeast();
		this.remoteWaiters = new RemoteWaiters(this.node, grant.othersBehind(), queue.lock());
		this.begin = this.node.session().nanoTime();
	}

	LocalQueue queue() {
		return this.queue;
	}

	public LockNode node() {
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
		return this.node.transaction() * MAX_GRANTS + this.grants++;
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
	 * Nobody holds the lock by this node any more: keep it for the next one of this
	 * process.
	 * @param last what the last holder has asked for
	 * @param now a reading of the clock of the engine
	 * @return whether it is kept; otherwise it has to go
	 */
	boolean keep(LockRequest last, long now) {
		return false;
	}

	/**
	 * Return whether the node could be kept if nobody held the lock by it.
	 * @param now a reading of the clock of the engine
	 */
	boolean mayBeKept(long now) {
		return false;
	}

	/**
	 * Return whether the node was kept while nobody held the lock by it.
	 */
	boolean isKept() {
		return false;
	}

	/**
	 * Return whether to ask again who waits, since an event may be lost.
	 */
	boolean isToAskAgain() {
		return false;
	}

	/**
	 * Return whether the node is kept and somebody may hold the lock by it at once.
	 * @param now a reading of the clock of the engine
	 */
	boolean admitsAtOnce(long now) {
		return false;
	}

	/**
	 * Nobody holds the lock by this node any more, and nobody will.
	 */
	void end() {
		this.remoteWaiters.end();
	}

	/** Return whether another lock could be granted by this node at all. */
	boolean isUsable() {
		return isUsable(this.node.session().nanoTime());
	}

	boolean isUsable(long now) {
		return this.grants < MAX_GRANTS && isThere(now);
	}

	boolean isThere(long now) {
		LockSession session = this.node.session();
		return session.isUsable() && session.lease().isFresh(now) && !this.remoteWaiters.isNodeGone();
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
			return isKept() || now - this.begin < LONGEST;
		}
		return this.grantsBesideOthers < GRANTS_BESIDE_OTHERS
				&& now - this.remoteWaiters.since() < LONGEST_BESIDE_OTHERS;
	}

}
