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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

import io.github.zklock.zookeeper.node.QueueNode;
import io.github.zklock.zookeeper.queue.Place;
import io.github.zklock.zookeeper.tasks.EngineTasks;
import org.jspecify.annotations.Nullable;

/**
 * The turns whose nodes are cached for the next locks of this process, and the limits of
 * that.
 */
public final class LockCache {

	private final EngineTasks tasks;

	final Set<Turn> turns = ConcurrentHashMap.newKeySet();

	// Counts nodes in use too, which alone may exceed it.
	private volatile int most = 1000;

	private volatile long longestIdle = TimeUnit.SECONDS.toNanos(10);

	private volatile boolean closed;

	private final AtomicBoolean roomIsWanted = new AtomicBoolean();

	// One thread at a time releases nodes, or several would release too many.
	private final ReentrantLock eviction = new ReentrantLock();

	public LockCache(EngineTasks tasks) {
		this.tasks = tasks;
	}

	EngineTasks tasks() {
		return this.tasks;
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

	public int size() {
		return this.turns.size();
	}

	/**
	 * Add a turn. Called whenever its node becomes idle, because a node in use does not
	 * make space. The caller holds the mutex of its queue, so another thread takes the
	 * mutexes of other queues.
	 */
	void add(Turn turn) {
		this.turns.add(turn);
		if (this.closed) {
			this.tasks.onStepThread(turn::releaseNodeIfIdle);
		}
		else if (this.turns.size() > this.most && this.roomIsWanted.compareAndSet(false, true)) {
			this.tasks.onStepThread(this::makeRoom);
		}
	}

	void remove(Turn turn) {
		this.turns.remove(turn);
	}

	private void makeRoom() {
		this.eviction.lock();
		try {
			// Reset first, so that a node that becomes idle meanwhile asks again.
			this.roomIsWanted.set(false);
			long now = this.tasks.nanoTime();
			List<Turn> all = new ArrayList<>(this.turns);
			while (this.turns.size() > this.most && !all.isEmpty()) {
				Turn eldest = Collections.max(all, Comparator.comparingLong((turn) -> turn.idleFor(now)));
				all.remove(eldest);
				eldest.releaseNodeIfIdle();
			}
		}
		finally {
			this.eviction.unlock();
		}
	}

	/** Release the nodes that were idle for too long. Called now and then. */
	public void tidy() {
		long now = this.tasks.nanoTime();
		this.turns.stream().filter((turn) -> turn.idleFor(now) >= this.longestIdle).forEach(Turn::releaseNodeIfIdle);
	}

	/** Forget the nodes of earlier generations, which are deleted by their names. */
	public void renew() {
		this.roomIsWanted.set(false);
		this.turns.removeIf((turn) -> turn.node().session().isBroken());
	}

	/** Release all cached nodes, and cache no more. */
	public void close() {
		this.closed = true;
		this.turns.forEach(Turn::releaseNodeIfIdle);
	}

	/**
	 * Lets requests that do not wait stay briefly behind a node that its process may
	 * cache, so that it can be released. Guarded by the mutex of the queue.
	 */
	static final class TryGrace {

		private static final int PART_OF_A_TRY = 5;

		private final EngineTasks tasks;

		private @Nullable Place waiting;

		private long end;

		TryGrace(EngineTasks tasks) {
			this.tasks = tasks;
		}

		/**
		 * Give requests that do not wait a moment more, once for each place.
		 * @param bound how long the first request may take, in nanoseconds
		 * @param behind the place of the requests, which lists the queue when it is over
		 * @return whether it is too early to refuse them
		 */
		boolean give(long bound, Place behind) {
			if (!QueueNode.isCacheable(behind.obstacle())) {
				return false;
			}
			if (this.waiting == behind) {
				return this.end - this.tasks.nanoTime() > 0;
			}
			this.waiting = behind;
			long length = bound / PART_OF_A_TRY;
			this.end = this.tasks.nanoTime() + length;
			return this.tasks.later(behind::listAgain, length) != null;
		}

	}

}
