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

package io.github.zklock.zookeeper.session;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.github.zklock.zookeeper.tasks.EngineTasks;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats deletes until ZooKeeper has confirmed them, all with one timer and at a bounded
 * rate. Where the leader refuses one delete, the others in the same directory wait for
 * it. It is tried again after a pause, which grows to a minute.
 */
final class Sweeper {

	private static final Logger logger = LoggerFactory.getLogger(Sweeper.class);

	private static final long FIRST_DELAY = TimeUnit.MILLISECONDS.toNanos(50);

	private static final long MAX_DELAY = TimeUnit.SECONDS.toNanos(2);

	private static final long FIRST_PAUSE = TimeUnit.SECONDS.toNanos(1);

	private static final long LONGEST_PAUSE = TimeUnit.MINUTES.toNanos(1);

	private static final int MOST_AT_ONCE = 500;

	private static final long TIME_BETWEEN_ROUNDS = TimeUnit.MILLISECONDS.toNanos(10);

	private final SessionTracker tracker;

	private final EngineTasks tasks;

	private final Runnable round;

	// In the order in which they came.
	private final Map<Long, Work> open = new ConcurrentSkipListMap<>();

	private final AtomicLong count = new AtomicLong();

	private final Map<String, Refusal> refusals = new ConcurrentHashMap<>();

	// When the next round begins, if there is a timer for it.
	private final AtomicReference<@Nullable Long> planned = new AtomicReference<>();

	private volatile @Nullable Long warned;

	Sweeper(SessionTracker tracker, EngineTasks tasks) {
		this.tracker = tracker;
		this.tasks = tasks;
		this.round = () -> tasks.run(this::sweep);
	}

	/** Return how many deletes are not confirmed yet. */
	int size() {
		return this.open.size();
	}

	/** Return what the leader has refused in a directory, until a delete succeeds. */
	@Nullable Refusal refusal(String directory) {
		return this.refusals.isEmpty() ? null : this.refusals.get(directory);
	}

	/** Begin to delete a node. */
	void add(Work work) {
		this.open.put(work.number, work);
		work.state.set(State.DUE);
		trySend(work);
	}

	private void trySend(Work work) {
		LockSession session = this.tracker.usable();
		if (session == null) {
			this.tracker.whenUsable(this.round);
			return;
		}
		if (isBehindRefusal(work) || !work.state.compareAndSet(State.DUE, State.SENT)) {
			return;
		}
		work.send(session);
	}

	/**
	 * Send all deletes again that are not confirmed, after a failed step. A second delete
	 * does no harm.
	 */
	void renew() {
		this.planned.set(null);
		long now = this.tasks.nanoTime();
		for (Work work : this.open.values()) {
			work.due = now;
			work.state.set(State.DUE);
		}
		sweep();
	}

	private boolean isBehindRefusal(Work work) {
		Refusal refusal = refusal(work.directory);
		return refusal != null && refusal.probe != work;
	}

	private void sweep() {
		long now = this.tasks.nanoTime();
		Long timer = this.planned.get();
		// This is the timer that was planned, which may come a little early.
		if (timer != null && timer - now <= TIME_BETWEEN_ROUNDS) {
			this.planned.compareAndSet(timer, null);
		}
		if (this.tracker.usable() == null) {
			this.tracker.whenUsable(this.round);
			return;
		}
		long next = Long.MAX_VALUE;
		int sent = 0;
		for (Work work : this.open.values()) {
			if (work.state.get() != State.DUE || isBehindRefusal(work)) {
				continue;
			}
			if (work.due - now <= 0 && sent < MOST_AT_ONCE) {
				sent++;
				trySend(work);
			}
			else {
				next = Math.min(next, Math.max(work.due - now, TIME_BETWEEN_ROUNDS));
			}
		}
		if (next != Long.MAX_VALUE) {
			plan(next);
		}
	}

	private void plan(long wait) {
		long at = this.tasks.nanoTime() + wait;
		Long before = this.planned.get();
		if (before != null && before - at <= 0) {
			return;
		}
		this.planned.set(at);
		this.tasks.later(this.round, wait);
	}

	/** Try a delete again soon, as its outcome is open. */
	void again(Work work) {
		long wait = work.delay;
		work.delay = Math.min(wait * 2, MAX_DELAY);
		again(work, wait);
	}

	/** Try a delete again after a while. */
	void again(Work work, long wait) {
		work.due = this.tasks.nanoTime() + wait;
		work.state.compareAndSet(State.SENT, State.DUE);
		plan(wait);
	}

	/**
	 * Pause in a directory in which the leader has refused a request.
	 * @param permission what this client lacks on the directory
	 */
	void refused(Work work, String code, String permission) {
		Refusal refusal = this.refusals.compute(work.directory, (directory, before) -> (before != null)
				? before.after(work) : new Refusal(work, code, permission, FIRST_PAUSE));
		warn(work.directory, refusal);
		if (refusal.probe == work) {
			again(work, refusal.pause);
		}
		else {
			work.due = this.tasks.nanoTime();
			work.state.compareAndSet(State.SENT, State.DUE);
			if (!isBehindRefusal(work)) {
				plan(0);
			}
		}
	}

	private void warn(String directory, Refusal refusal) {
		long now = this.tasks.nanoTime();
		Long before = this.warned;
		if (before == null || now - before >= LONGEST_PAUSE) {
			this.warned = now;
			int others = this.refusals.size() - 1;
			logger.warn(
					"ZooKeeper answers {} when this client{} deletes its nodes in {}{}: give it the permission {} "
							+ "on that path, the parent of the nodes. Requests for the key are refused until a delete "
							+ "succeeds. Nodes that are left: {}",
					refusal.code, this.tracker.label(), directory, (others > 0) ? ", and in " + others + " more" : "",
					refusal.permission, size());
		}
	}

	/** A delete is done, or cannot be. */
	void remove(Work work) {
		allowed(work.directory);
		this.open.remove(work.number);
	}

	/** The leader has executed a delete in a directory. */
	void allowed(String directory) {
		if (!this.refusals.isEmpty() && this.refusals.remove(directory) != null) {
			plan(0);
		}
	}

	/**
	 * A delete that is repeated until it is confirmed.
	 */
	abstract static class Work {

		private final String directory;

		private final long number;

		// A sweep must not send it before it is added.
		private final AtomicReference<State> state = new AtomicReference<>(State.SENT);

		private volatile long due;

		private volatile long delay = FIRST_DELAY;

		Work(Sweeper sweeper, String directory) {
			this.directory = directory;
			this.number = sweeper.count.incrementAndGet();
			this.due = sweeper.tasks.nanoTime();
		}

		/** Send the request. Its reply has to be reported to the sweeper. */
		abstract void send(LockSession session);

	}

	/**
	 * What the leader has refused in a directory.
	 */
	static final class Refusal {

		// The only delete in the directory that is tried again.
		private final Work probe;

		private final String code;

		private final String permission;

		private final long pause;

		private Refusal(Work probe, String code, String permission, long pause) {
			this.probe = probe;
			this.code = code;
			this.permission = permission;
			this.pause = pause;
		}

		private Refusal after(Work work) {
			return (work == this.probe)
					? new Refusal(work, this.code, this.permission, Math.min(this.pause * 2, LONGEST_PAUSE)) : this;
		}

		String code() {
			return this.code;
		}

		String permission() {
			return this.permission;
		}

	}

	private enum State {

		/** It is sent again when it is due. */
		DUE,

		/** A reply will come. */
		SENT

	}

}
