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

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.github.zklock.core.LockTick;
import io.github.zklock.zookeeper.node.AtLeastStamp;
import io.github.zklock.zookeeper.node.ContenderNames;
import io.github.zklock.zookeeper.node.JobRecord;
import io.github.zklock.zookeeper.session.LockNode;
import io.github.zklock.zookeeper.session.NodeJanitor;
import io.github.zklock.zookeeper.tasks.MendedTasks;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The marks beside the queues as this process knows them. They say when the time of each
 * stamp ends, and when the process first saw the last periodic run of each key. They also
 * say which of its own locks keep their keys.
 * <p>
 * The time of a mark counts from the first sight, by the monotonic clock of this process;
 * no clock of another machine is used. A forgotten mark counts from the next sight, so
 * its key is kept for longer, never for less. Stamps are forgotten after their end, and
 * of the ended ones, which may be gone already, not more than 10,000 are remembered for
 * long. Of more than 100,000 the ones that end last are forgotten first, since another
 * client may create as many as it likes. 10,000 periodic runs are remembered.
 */
public final class Marks {

	/**
	 * A warning is logged when a schedule uses this many keys.
	 */
	static final int MANY_KEYS = 1000;

	private static final Logger logger = LoggerFactory.getLogger(Marks.class);

	private static final int MANY = 10_000;

	/**
	 * More stamps than this are not remembered.
	 */
	static final int MOST_STAMPS = 100_000;

	private static final int MOST_COUNTS = 1000;

	private final MendedTasks tasks;

	private final ContenderNames names;

	private final NodeJanitor janitor;

	private final Map<String, Long> ends = new HashMap<>();

	private final SplittableRandom random = new SplittableRandom(0);

	private int most = MANY;

	// By the path of the job. The one that was looked at longest ago comes first.
	private final Map<String, Seen> runs = new LinkedHashMap<>(16, 0.75F, true) {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Seen> eldest) {
			return size() > MANY;
		}

	};

	private final AtomicLong unreadable = new AtomicLong();

	private final Map<String, Integer> counts = new HashMap<>();

	private final Map<String, AtLeastTime> running = new ConcurrentHashMap<>();

	public Marks(MendedTasks tasks, ContenderNames names, NodeJanitor janitor) {
		this.tasks = tasks;
		this.names = names;
		this.janitor = janitor;
	}

	/**
	 * Return for how many nanoseconds a stamp still keeps its key.
	 * @param name the name of its node
	 * @param nanos how long it does in all
	 */
	long remaining(String name, long nanos) {
		return remaining(name, nanos, this.tasks.nanoTime());
	}

	synchronized long remaining(String name, long nanos, long now) {
		Long end = this.ends.get(name);
		if (end == null) {
			end = now + nanos;
			this.ends.put(name, end);
		}
		if (this.ends.size() > Math.min(this.most, MOST_STAMPS)) {
			forgetSome(now);
		}
		return end - now;
	}

	// At random: a process may use more keys in turn than are remembered. In a fixed
	// order it would find each of them forgotten, and wait for ever.
	private void forgetSome(long now) {
		this.ends.values().removeIf((end) -> end - now <= 0 && this.random.nextBoolean());
		if (this.ends.size() > MOST_STAMPS) {
			long[] left = this.ends.values().stream().mapToLong((end) -> end - now).sorted().toArray();
			this.ends.values().removeIf((end) -> end - now >= left[left.length / 2]);
		}
		this.most = Math.max(MANY, this.ends.size() + this.ends.size() / 2);
	}

	/**
	 * Return for how many nanoseconds the state of a job has been known here.
	 */
	synchronized long since(String job, int version, long now) {
		Seen seen = this.runs.compute(job,
				(path, before) -> (before != null && before.version() == version) ? before : new Seen(version, now));
		return now - seen.at();
	}

	synchronized void forget(String name) {
		this.ends.remove(name);
	}

	public synchronized int size() {
		return this.ends.size();
	}

	/**
	 * Delete a stamp, which may be gone already. It is forgotten only afterwards, or its
	 * time would begin again.
	 */
	void remove(String directory, AtLeastStamp stamp) {
		this.names.remember(stamp.name());
		this.janitor.remove(directory, stamp.name(), directory + "/" + stamp.name())
			.thenAccept((existed) -> forget(stamp.name()));
	}

	/**
	 * Return the minimum time of a lock.
	 * @param grantedAt when it was granted, by the clock of the engine
	 */
	AtLeastTime of(LockNode node, AtLeastStamp stamp, long grantedAt) {
		return new AtLeastTime(node, stamp, grantedAt);
	}

	/**
	 * End the timers of all minimum times, so that only the stamps keep the keys. Called
	 * at shutdown.
	 */
	public void leave() {
		this.running.values().forEach(AtLeastTime::leave);
	}

	/**
	 * Warn of wrong clocks and of many keys. Called when a run was recorded.
	 * @param leaderMillis when that was, by the clock of the leader
	 * @param first whether it is the first one of its job
	 */
	void recorded(LockTick tick, long leaderMillis, boolean first) {
		long ahead = (tick.time() != null) ? tick.time().toEpochMilli() - leaderMillis : 0;
		if (JobRecord.isAhead(ahead, 0) && count(tick.schedule() + " ahead") == 1) {
			logger.warn("{} is {} s ahead of the clock of the ZooKeeper servers, so it may run twice: set the clocks "
					+ "of this machine and of the servers", tick, TimeUnit.MILLISECONDS.toSeconds(ahead));
		}
		if (first && count(tick.schedule()) == MANY_KEYS) {
			logger.warn("{} uses {} different keys: each of them leaves a small node in ZooKeeper permanently, so use "
					+ "few keys for a job, or no ticks", tick, MANY_KEYS);
		}
	}

	/**
	 * Warn of the node of a job whose data are not a record. It is overwritten.
	 */
	void unreadable(String path) {
		this.unreadable.incrementAndGet();
		if (count(path + " unreadable") == 1) {
			logger.warn("The node {} of a job does not hold the record of a run, so the next run overwrites it: "
					+ "another client has written to it, and a tick may have run twice", path);
		}
	}

	/** Return how often the node of a job did not hold a record. */
	public long unreadableJobs() {
		return this.unreadable.get();
	}

	private synchronized int count(String what) {
		boolean counted = this.counts.size() < MOST_COUNTS || this.counts.containsKey(what);
		return counted ? this.counts.merge(what, 1, Integer::sum) : 0;
	}

	/**
	 * The state of a job.
	 *
	 * @param version the version of its node
	 * @param at when it was seen first
	 */
	private record Seen(int version, long at) {

	}

	/**
	 * The time for which a lock keeps its key at least. A lock that is released earlier
	 * leaves its node in the queue until the time is over. If this process or its session
	 * ends before, the stamp keeps the key.
	 */
	public final class AtLeastTime {

		private final LockNode node;

		private final AtLeastStamp stamp;

		private final long grantedAt;

		private final AtomicReference<State> state = new AtomicReference<>(State.HELD);

		private volatile @Nullable Future<?> timer;

		private AtLeastTime(LockNode node, AtLeastStamp stamp, long grantedAt) {
			this.node = node;
			this.stamp = stamp;
			this.grantedAt = grantedAt;
		}

		public void begin() {
			long elapsed = Marks.this.tasks.nanoTime() - this.grantedAt;
			try {
				Marks.this.running.put(this.stamp.name(), this);
				this.timer = Marks.this.tasks.schedule(this::over,
						TimeUnit.MILLISECONDS.toNanos(this.stamp.millis()) - elapsed, TimeUnit.NANOSECONDS);
			}
			catch (RejectedExecutionException ex) {
				leave();
			}
		}

		/**
		 * Mark the lock as released. Return whether its node has to stay; it is deleted
		 * when the time is over.
		 */
		public boolean keeps() {
			return this.state.compareAndSet(State.HELD, State.RELEASED);
		}

		/**
		 * Release the key. Called when the time is over or the lock was not used.
		 */
		public void over() {
			State before = end();
			if (before != State.OVER) {
				// A contender that sees the node gone must not find the stamp.
				remove(this.node.directory(), this.stamp);
			}
			removeIfReleased(before);
		}

		/**
		 * End the timer, so that only the stamp keeps the key.
		 */
		void leave() {
			removeIfReleased(end());
		}

		boolean isRunning() {
			return Marks.this.running.containsKey(this.stamp.name());
		}

		private State end() {
			Future<?> running = this.timer;
			if (running != null) {
				running.cancel(false);
			}
			Marks.this.running.remove(this.stamp.name());
			return this.state.getAndSet(State.OVER);
		}

		private void removeIfReleased(State before) {
			if (before == State.RELEASED) {
				Marks.this.janitor.remove(this.node);
			}
		}

		private enum State {

			/** The lock is not released yet. */
			HELD,

			/** The lock is released, but its node stays. */
			RELEASED,

			/** The time is over. */
			OVER

		}

	}

}
