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

package io.github.zklock.zookeeper.queue;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.github.zklock.zookeeper.node.AtLeastStamp;
import io.github.zklock.zookeeper.node.ContenderNames;
import io.github.zklock.zookeeper.session.LockNode;
import io.github.zklock.zookeeper.session.NodeJanitor;
import io.github.zklock.zookeeper.tasks.EngineTasks;
import org.jspecify.annotations.Nullable;

/**
 * The locks of this process that keep their keys for a minimum time, and the stamps of
 * all processes.
 */
public final class MinimumHolds implements Gate.Source {

	private final EngineTasks tasks;

	private final ContenderNames names;

	private final NodeJanitor janitor;

	private final StampMemory stamps;

	private final Map<String, MinimumHold> running = new ConcurrentHashMap<>();

	public MinimumHolds(EngineTasks tasks, ContenderNames names, NodeJanitor janitor) {
		this.tasks = tasks;
		this.names = names;
		this.janitor = janitor;
		this.stamps = new StampMemory(tasks::nanoTime);
	}

	@Override
	public Gate gate(Place place) {
		return new AtLeastGate(place, this);
	}

	/** Return when the stamps end. */
	public StampMemory stamps() {
		return this.stamps;
	}

	/**
	 * Delete a stamp, which may be gone already. It is forgotten only afterwards, or its
	 * time would begin again.
	 */
	void remove(String directory, AtLeastStamp stamp) {
		this.names.remember(stamp.name(), directory, this.tasks.generation());
		this.janitor.remove(directory, stamp.name(), directory + "/" + stamp.name())
			.thenAccept((existed) -> this.stamps.forget(stamp.name()));
	}

	/**
	 * Return the minimum time of a lock.
	 * @param grantedAt when it was granted, by the clock of the engine
	 */
	MinimumHold of(LockNode node, AtLeastStamp stamp, long grantedAt) {
		return new MinimumHold(node, stamp, grantedAt);
	}

	/**
	 * End the timers of all minimum times, so that only the stamps keep the keys. Called
	 * at shutdown.
	 */
	public void stopTimers() {
		this.running.values().forEach(MinimumHold::stopTimer);
	}

	/** Plan the ends of all minimum times again. Called after a failed step. */
	public void renew() {
		this.running.values().forEach(MinimumHold::plan);
	}

	/**
	 * The time for which a lock keeps its key at least. A lock that is released earlier
	 * leaves its node in the queue until the time is over. If this process or its session
	 * ends before, the stamp keeps the key.
	 */
	public final class MinimumHold implements Gate.Obligation {

		private final LockNode node;

		private final AtLeastStamp stamp;

		private final long grantedAt;

		private final AtomicReference<State> state = new AtomicReference<>(State.HELD);

		private volatile @Nullable Future<?> timer;

		private MinimumHold(LockNode node, AtLeastStamp stamp, long grantedAt) {
			this.node = node;
			this.stamp = stamp;
			this.grantedAt = grantedAt;
		}

		@Override
		public void lockHeld() {
			MinimumHolds.this.running.put(this.stamp.name(), this);
			// It has to stay from now on.
			MinimumHolds.this.names.forget(this.stamp.name());
			plan();
		}

		private void plan() {
			long elapsed = MinimumHolds.this.tasks.nanoTime() - this.grantedAt;
			this.timer = MinimumHolds.this.tasks.later(this::releaseKey,
					TimeUnit.MILLISECONDS.toNanos(this.stamp.millis()) - elapsed, this::stopTimer);
		}

		// Of a lock that is released early. The node is deleted when the time is over.
		@Override
		public boolean keepsNode() {
			return this.state.compareAndSet(State.HELD, State.RELEASED_EARLY);
		}

		@Override
		public void lockUnused() {
			releaseKey();
		}

		private void releaseKey() {
			if (this.state.get() != State.OVER) {
				// Before the node, since a contender that finds a stamp waits for it.
				remove(this.node.directory(), this.stamp);
			}
			removeIfReleased(cancelTimer());
		}

		/**
		 * End the timer, so that only the stamp keeps the key.
		 */
		void stopTimer() {
			removeIfReleased(cancelTimer());
		}

		boolean isRunning() {
			return MinimumHolds.this.running.containsKey(this.stamp.name());
		}

		private State cancelTimer() {
			Future<?> running = this.timer;
			if (running != null) {
				running.cancel(false);
			}
			MinimumHolds.this.running.remove(this.stamp.name());
			return this.state.getAndSet(State.OVER);
		}

		private void removeIfReleased(State before) {
			if (before == State.RELEASED_EARLY) {
				MinimumHolds.this.janitor.remove(this.node);
			}
		}

		private enum State {

			/** The lock is not released yet. */
			HELD,

			/** The lock is released, but its node stays. */
			RELEASED_EARLY,

			/** The time is over. */
			OVER

		}

	}

}
