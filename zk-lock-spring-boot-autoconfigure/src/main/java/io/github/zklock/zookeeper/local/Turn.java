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
import io.github.zklock.zookeeper.queue.Marks.AtLeastTime;
import io.github.zklock.zookeeper.queue.QueueContender.Grant;
import io.github.zklock.zookeeper.session.LockNode;
import io.github.zklock.zookeeper.session.LockSession;
import org.jspecify.annotations.Nullable;

/**
 * The time for which a node of this process is first in ZooKeeper's queue. Requests hold
 * the lock by it one after the other or, as readers, together. Guarded by the lock of the
 * local queue.
 */
public class Turn {

	/**
	 * How many fencing tokens one node has. A transaction has 32 bits for the number of
	 * the leader, of which 19 are left: enough for one election every hour for 59 years.
	 */
	public static final int MAX_GRANTS = 1 << 12;

	// Limits the turn even if the event of a waiting process is late.
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
	 * Count a holder.
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
	 * Remove a holder.
	 * @return whether other holders are left
	 */
	boolean release() {
		return --this.holders > 0;
	}

	int holders() {
		return this.holders;
	}

	/** Return whether no lock is held by this node. */
	boolean isIdle() {
		return this.holders == 0;
	}

	/**
	 * Cache the node for the next lock of this process. Called when the last holder has
	 * released its lock.
	 * @param last the request of the last holder
	 * @param now a reading of the clock of the engine
	 * @return whether the node is cached; otherwise it has to be deleted
	 */
	boolean keep(LockRequest last, long now) {
		return false;
	}

	/**
	 * Return whether the node could be cached once no lock is held by it.
	 * @param now a reading of the clock of the engine
	 */
	boolean mayBeKept(long now) {
		return false;
	}

	/**
	 * Return whether the node has been cached, even if it is in use again.
	 */
	boolean isKept() {
		return false;
	}

	/**
	 * Return whether to list the queue again, since an event may be lost.
	 */
	boolean isToAskAgain() {
		return false;
	}

	/**
	 * Return whether the lock can be granted by the cached node at once.
	 * @param now a reading of the clock of the engine
	 */
	boolean admitsAtOnce(long now) {
		return false;
	}

	/**
	 * End the turn: no lock will be granted by this node again.
	 */
	void end() {
		this.remoteWaiters.end();
	}

	/** Return whether the node can be used for one more lock. */
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
	 * Return whether the next request of this process may hold the lock by this node.
	 * Once another process waits, eight more holders or 50 ms are allowed; then that
	 * process comes first.
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
