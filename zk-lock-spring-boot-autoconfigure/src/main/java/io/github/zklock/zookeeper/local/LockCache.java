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
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.zookeeper.node.QueueNode;
import io.github.zklock.zookeeper.queue.QueueContender.Grant;
import io.github.zklock.zookeeper.session.LockNode;
import io.github.zklock.zookeeper.tasks.MendedTasks;
import io.github.zklock.zookeeper.tasks.StateMachine;
import org.jspecify.annotations.Nullable;

/**
 * Caches the nodes of released locks for the next locks of this process. The rest of the
 * engine uses a cached turn like any other turn.
 */
public final class LockCache {

	private final MendedTasks tasks;

	private final long origin;

	final Set<CachedTurn> turns = ConcurrentHashMap.newKeySet();

	// Counts nodes in use too, which alone may exceed it.
	private volatile int most = 1000;

	private volatile long longestIdle = TimeUnit.SECONDS.toNanos(10);

	private volatile boolean closed;

	public LockCache(MendedTasks tasks) {
		this.tasks = tasks;
		this.origin = tasks.nanoTime();
	}

	/**
	 * Create a turn. Its node may be cached only if its name tells other processes so.
	 */
	Turn turn(Grant grant, LocalQueue queue) {
		return QueueNode.isCacheable(grant.node().path()) ? new CachedTurn(grant, queue) : new Turn(grant, queue);
	}

	boolean isClosed() {
		return this.closed;
	}

	/**
	 * Set the limits of the cache.
	 * @param most the largest number of cached nodes
	 * @param longest how long a cached node may be idle
	 */
	public void limit(int most, Duration longest) {
		this.most = most;
		this.longestIdle = longest.toNanos();
	}

	// Readings of the clock may overflow, so all times count from one origin.
	private long at(long reading) {
		return reading - this.origin;
	}

	public int size() {
		return this.turns.size();
	}

	// The caller holds the lock of its queue, so another thread takes those of others.
	private void add(CachedTurn turn) {
		this.turns.add(turn);
		if (this.closed) {
			this.tasks.handOver(turn::giveBack);
		}
		else if (this.turns.size() > this.most) {
			this.tasks.handOver(this::makeRoom);
		}
	}

	private void makeRoom() {
		List<CachedTurn> all = new ArrayList<>(this.turns);
		while (all.size() > this.most) {
			CachedTurn eldest = Collections.min(all, Comparator.comparingLong(CachedTurn::idleSince));
			all.remove(eldest);
			eldest.giveBack();
		}
	}

	/**
	 * Give all cached nodes back, and cache no more.
	 */
	public void close() {
		this.closed = true;
		this.turns.forEach(CachedTurn::giveBack);
	}

	/**
	 * A turn that may outlast its holders. Its node is cached until another process wants
	 * the key or the node was idle for too long.
	 */
	final class CachedTurn extends Turn implements LockNode.Holder {

		private static final long IN_USE = Long.MAX_VALUE;

		private volatile long idleSince = IN_USE;

		private volatile @Nullable Future<?> timer;

		private final StateMachine<State> state = new StateMachine<>(State.FIRST_USE, State::leadsTo);

		CachedTurn(Grant grant, LocalQueue queue) {
			super(grant, queue);
		}

		@Override
		long grant() {
			if (isKept()) {
				this.state.toIfPossible(State.IN_USE);
				this.idleSince = IN_USE;
			}
			return super.grant();
		}

		@Override
		boolean isKept() {
			return !this.state.is(State.FIRST_USE);
		}

		// Without a lease no clock tells when an idle node may be gone. A node without
		// grants left is deleted at the next request.
		@Override
		boolean mayBeKept(long now) {
			return !remoteWaiters().areThere() && node().session().lease().isPossible() && isThere(now);
		}

		@Override
		boolean keep(LockRequest last, long now) {
			if (!last.cache() || LockCache.this.closed || !mayBeKept(now)) {
				return false;
			}
			boolean first = !isKept();
			this.state.toIfPossible(State.IDLE);
			this.idleSince = at(now);
			if (first) {
				LockCache.this.add(this);
				node().session().heartbeat().hold(this);
				node().session().join(this);
				lookAgain(LockCache.this.longestIdle);
			}
			return true;
		}

		@Override
		boolean admitsAtOnce(long now) {
			return isKept() && isIdle() && !LockCache.this.closed && remoteWaiters().areNone(now) && isUsable(now);
		}

		@Override
		boolean isToAskAgain() {
			return isKept() && remoteWaiters().isToAskAgain();
		}

		// Without a lease an idle node may be gone unnoticed.
		@Override
		boolean isThere(long now) {
			return super.isThere(now) && (!isKept() || (!isLost() && node().session().lease().isPossible()));
		}

		private boolean isLost() {
			return this.state.is(State.LOST) || this.state.is(State.ENDED);
		}

		@Override
		void end() {
			super.end();
			if (isKept()) {
				this.state.to(State.ENDED);
				LockCache.this.turns.remove(this);
				node().session().heartbeat().drop(this);
				node().session().leave(this);
				cancel(this.timer);
			}
		}

		private static void cancel(@Nullable Future<?> timer) {
			if (timer != null) {
				timer.cancel(false);
			}
		}

		/**
		 * Return since when the node is idle, or the greatest value if it is in use.
		 */
		long idleSince() {
			return this.idleSince;
		}

		/**
		 * Give the node back, unless it is in use.
		 */
		void giveBack() {
			queue().handOff().giveBackIfIdle(this);
		}

		@Override
		public LockNode node() {
			return super.node();
		}

		// The latest holder may have joined after the check of the nodes was sent.
		@Override
		public void sessionLost() {
			this.state.toIfPossible(State.LOST);
			queue().handOff().lost(this);
		}

		@Override
		public LockState state() {
			LockState now = node().session().stateOfLocks();
			if (now == LockState.LOST) {
				sessionLost();
			}
			return now;
		}

		@Override
		public boolean equals(@Nullable Object other) {
			return this == other;
		}

		// Equal in every run of a simulation, so that sets have the same order.
		@Override
		public int hashCode() {
			return node().contender().hashCode();
		}

		// Rescheduled, because a timer for each idle time would cost more.
		private void look() {
			long longest = LockCache.this.longestIdle;
			long since = this.idleSince;
			long left = (since != IN_USE) ? since + longest - at(LockCache.this.tasks.nanoTime()) : longest;
			if (left <= 0) {
				giveBack();
			}
			lookAgain((left > 0) ? left : longest);
		}

		private void lookAgain(long delay) {
			if (this.state.is(State.ENDED)) {
				return;
			}
			try {
				Future<?> next = LockCache.this.tasks.schedule(this::look, delay, TimeUnit.NANOSECONDS);
				this.timer = next;
				if (this.state.is(State.ENDED)) {
					cancel(next);
				}
			}
			catch (RejectedExecutionException ex) {
				giveBack();
			}
		}

		private enum State {

			/** The node was never idle, so it is not cached yet. */
			FIRST_USE,

			/** No lock is held by the node. */
			IDLE,

			/** A lock is held by the cached node. */
			IN_USE,

			/** The node is lost, though some holders may not be told yet. */
			LOST,

			/** The node is given back. */
			ENDED;

			boolean leadsTo(State next) {
				return switch (this) {
					case FIRST_USE -> next == IDLE;
					case IDLE, IN_USE -> next != FIRST_USE;
					case LOST -> next == ENDED;
					case ENDED -> false;
				};
			}

		}

	}

}
