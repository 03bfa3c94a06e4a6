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

import io.github.zklock.zookeeper.tasks.MendedTasks;

/**
 * The nodes that this process keeps for its own next locks.
 */
public final class CachedNodes {

	private final MendedTasks tasks;

	private final long origin;

	private final Set<Idle> nodes = ConcurrentHashMap.newKeySet();

	// Those in use included, unless all are.
	private volatile int most = 1000;

	private volatile long longestIdle = TimeUnit.SECONDS.toNanos(10);

	private volatile boolean closed;

	public CachedNodes(MendedTasks tasks) {
		this.tasks = tasks;
		this.origin = tasks.nanoTime();
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

	/**
	 * Return the time by which all of them are compared, in nanoseconds.
	 * @param reading a reading of the clock of the engine
	 */
	long at(long reading) {
		return reading - this.origin;
	}

	long longestIdle() {
		return this.longestIdle;
	}

	public int size() {
		return this.nodes.size();
	}

	// On another thread, since the caller holds the lock of another queue.
	void add(Idle node) {
		this.nodes.add(node);
		if (this.closed) {
			this.tasks.handOver(node::giveBack);
		}
		else if (this.nodes.size() > this.most) {
			this.tasks.handOver(this::makeRoom);
		}
	}

	// Some may be on their way already.
	private void makeRoom() {
		List<Idle> all = new ArrayList<>(this.nodes);
		while (all.size() > this.most) {
			Idle eldest = Collections.min(all, Comparator.comparingLong(Idle::idleSince));
			all.remove(eldest);
			eldest.giveBack();
		}
	}

	void remove(Idle node) {
		this.nodes.remove(node);
	}

	/**
	 * Give all of them back, and keep none any more.
	 */
	public void close() {
		this.closed = true;
		this.nodes.forEach(Idle::giveBack);
	}

	/**
	 * A node that is kept.
	 */
	interface Idle {

		/**
		 * Return since when it is idle, for comparison; the greatest value if it is in
		 * use.
		 */
		long idleSince();

		/**
		 * Give it back unless it is in use; then it goes with the lock.
		 */
		void giveBack();

	}

}
