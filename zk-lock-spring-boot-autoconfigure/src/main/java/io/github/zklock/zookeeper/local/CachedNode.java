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

import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockState;
import io.github.zklock.zookeeper.session.LeaseMember;
import io.github.zklock.zookeeper.session.LockNode;
import io.github.zklock.zookeeper.tasks.MendedTasks;
import io.github.zklock.zookeeper.tasks.StateMachine;
import org.jspecify.annotations.Nullable;

/**
 * A node that stays first in its queue between the locks that are granted by it, so that
 * the next one asks nobody. Keeps the lease of its session meanwhile. It is given back
 * when somebody else wants the key, when it was idle for long, and when the process ends;
 * it is forgotten with its session.
 */
final class CachedNode implements LeaseMember, CachedNodes.Idle {

	private static final long IN_USE = Long.MAX_VALUE;

	private final MendedTasks tasks;

	private final CachedNodes all;

	private final Turn turn;

	private final LocalHandOff handOff;

	private final long longestIdle;

	private final boolean shared;

	private volatile long idleSince = IN_USE;

	// Set before the thread that takes the lock looks whether the session has ended.
	private volatile @Nullable ZooKeeperLockHandle holder;

	private volatile @Nullable Future<?> timer;

	private final StateMachine<State> state = new StateMachine<>(State.IDLE, State::leadsTo);

	CachedNode(MendedTasks tasks, CachedNodes all, Turn turn, LocalHandOff handOff, boolean shared) {
		this.tasks = tasks;
		this.all = all;
		this.turn = turn;
		this.handOff = handOff;
		this.shared = shared;
		this.longestIdle = all.longestIdle();
	}

	@Override
	public LockNode node() {
		return this.turn.node();
	}

	/** Keep it from now on. Guarded by the lock of the queue, as its end is. */
	void begin(long now) {
		idle(now);
		this.all.add(this);
		node().session().heartbeat().hold(this);
		node().session().join(this);
		lookAgain(this.longestIdle);
	}

	void end() {
		this.state.to(State.ENDED);
		this.all.remove(this);
		node().session().heartbeat().drop(this);
		node().session().leave(this);
		cancel(this.timer);
	}

	private static void cancel(@Nullable Future<?> timer) {
		if (timer != null) {
			timer.cancel(false);
		}
	}

	/**
	 * Return whether nobody may hold the lock by it any more.
	 */
	boolean isLost() {
		return this.state.is(State.LOST) || this.state.is(State.ENDED);
	}

	void idle(long now) {
		this.state.toIfPossible(State.IDLE);
		this.idleSince = this.all.at(now);
	}

	void used() {
		this.state.toIfPossible(State.IN_USE);
		this.idleSince = IN_USE;
	}

	/**
	 * Tell the holder when the lock by this node is lost. Readers come and go beside one
	 * another, and may outlast what keeps the node.
	 * @return whether it is told
	 */
	boolean join(ZooKeeperLockHandle next) {
		if (this.shared) {
			return false;
		}
		this.holder = next;
		return true;
	}

	/**
	 * Tell the holder no more.
	 * @return whether it was to be told
	 */
	boolean leave(ZooKeeperLockHandle left) {
		if (this.holder != left) {
			return false;
		}
		this.holder = null;
		return true;
	}

	@Override
	public long idleSince() {
		return this.idleSince;
	}

	@Override
	public void giveBack() {
		this.handOff.giveBackIfIdle(this.turn);
	}

	@Override
	public void sessionLost() {
		// Whoever takes the lock meanwhile does so before, and is told, or does not.
		this.state.toIfPossible(State.LOST);
		giveBack();
		ZooKeeperLockHandle told = this.holder;
		if (told != null) {
			told.sessionLost();
		}
	}

	@Override
	public LockState state() {
		LockState state = node().session().stateOfLocks();
		if (state == LockState.LOST) {
			sessionLost();
		}
		return state;
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
		long since = this.idleSince;
		long left = (since != IN_USE) ? since + this.longestIdle - this.all.at(this.tasks.nanoTime())
				: this.longestIdle;
		if (left <= 0) {
			giveBack();
		}
		lookAgain((left > 0) ? left : this.longestIdle);
	}

	private void lookAgain(long delay) {
		if (this.state.is(State.ENDED)) {
			return;
		}
		try {
			Future<?> next = this.tasks.schedule(this::look, delay, TimeUnit.NANOSECONDS);
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

		/** Nobody here holds the lock. */
		IDLE,

		/** Somebody here holds the lock. */
		IN_USE,

		/** The lock is lost, though perhaps nobody but this one was told. */
		LOST,

		/** The node goes. */
		ENDED;

		boolean leadsTo(State next) {
			return switch (this) {
				case IDLE, IN_USE -> true;
				case LOST -> next == ENDED;
				case ENDED -> false;
			};
		}

	}

}
