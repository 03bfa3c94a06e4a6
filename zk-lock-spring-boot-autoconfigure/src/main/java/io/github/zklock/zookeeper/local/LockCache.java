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
import io.github.zklock.zookeeper.session.LeaseMember;
import io.github.zklock.zookeeper.session.LockNode;
import io.github.zklock.zookeeper.tasks.MendedTasks;
import io.github.zklock.zookeeper.tasks.StateMachine;
import org.jspecify.annotations.Nullable;

/**
 * The turns of this process that are kept for its own next locks. The rest of the engine
 * knows turns only, of which some may be kept.
 */
public final class LockCache {

	private final MendedTasks tasks;

	private final long origin;

	final Set<CachedTurn> turns = ConcurrentHashMap.newKeySet();

	// Those in use included, unless all are.
	private volatile int most = 1000;

	private volatile long longestIdle = TimeUnit.SECONDS.toNanos(10);

	private volatile boolean closed;

	public LockCache(MendedTasks tasks) {
		this.tasks = tasks;
		this.origin = tasks.nanoTime();
	}

	/**
	 * Return a turn, which may be kept if others can see by the name of its node that it
	 * may be.
	 */
	Turn turn(Grant grant, LocalQueue queue) {
		return QueueNode.isCacheable(grant.node().path()) ? new CachedTurn(grant, queue) : new Turn(grant, queue);
	}

	boolean isClosed() {
		return this.closed;
	}

	/**
	 * Set other bounds than usual.
	 * @param most how many nodes are kept at most
	 * @param longest how long each of them may be idle
	 */
	public void limit(int most, Duration longest) {
		this.most = most;
		this.longestIdle = longest.toNanos();
	}

	// The time by which all of them are compared.
	private long at(long reading) {
		return reading - this.origin;
	}

	public int size() {
		return this.turns.size();
	}

	// On another thread, since the caller holds the lock of another queue.
	private void add(CachedTurn turn) {
		this.turns.add(turn);
		if (this.closed) {
			this.tasks.handOver(turn::giveBack);
		}
		else if (this.turns.size() > this.most) {
			this.tasks.handOver(this::makeRoom);
		}
	}

	// Some may be on their way already.
	private void makeRoom() {
		List<CachedTurn> all = new ArrayList<>(this.turns);
		while (all.size() > this.most) {
			CachedTurn eldest = Collections.min(all, Comparator.comparingLong(CachedTurn::idleSince));
			all.remove(eldest);
			eldest.giveBack();
		}
	}

	/**
	 * Give all of them back, and keep none any more.
	 */
	public void close() {
		this.closed = true;
		this.turns.forEach(CachedTurn::giveBack);
	}

	/**
	 * A turn that may outlast its holders: its node is kept for the next lock of this
	 * process, until another process wants the key or nobody has used it for a while.
	 */
	final class CachedTurn extends Turn implements LeaseMember {

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

		// The clock has to tell when that ends. A node that is used up goes when somebody
		// wants the next one, who does not have to wait for that.
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

		// A node that nobody used for a while may be gone unless there is a lease.
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
		 * Return since when it is idle, for comparison; the greatest value if it is in
		 * use.
		 */
		long idleSince() {
			return this.idleSince;
		}

		/**
		 * Give the node back unless it is in use; then it goes with the lock.
		 */
		void giveBack() {
			queue().handOff().giveBackIfIdle(this);
		}

		@Override
		public LockNode node() {
			return super.node();
		}

		// Who took the lock just before may not be asked whether its node is there.
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

		// The same in every run of a simulation, for the order in which all are told.
		@Override
		public int hashCode() {
			return node().contender().hashCode();
		}

		// One timer, not one for each time that it is idle.
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

			/** The first holder has the lock, or those who came while it was held. */
			FIRST_USE,

			/** Nobody here holds the lock. */
			IDLE,

			/** Somebody here holds the lock again. */
			IN_USE,

			/** The lock is lost, though perhaps not all were told. */
			LOST,

			/** The node goes. */
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
