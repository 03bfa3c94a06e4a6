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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import io.github.zklock.core.LockTick;
import io.github.zklock.zookeeper.node.JobRecord;
import io.github.zklock.zookeeper.node.JobRecord.Run;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this process knows of jobs: when it first saw the last periodic run of each, and
 * of what it has warned. It also knows the ends of its own runs that others may not see.
 * 10,000 runs are remembered. A forgotten periodic run counts from the next sight.
 */
public final class JobMemory implements Gate.Source {

	/**
	 * A warning is logged when a schedule uses this many keys.
	 */
	static final int MANY_KEYS = 1000;

	private static final Logger logger = LoggerFactory.getLogger(JobMemory.class);

	private static final int MANY = 10_000;

	private static final int MOST_COUNTS = 1000;

	// By the path of the job. The one that was looked at longest ago comes first.
	private final Map<String, Seen> runs = new LinkedHashMap<>(16, 0.75F, true) {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Seen> eldest) {
			return size() > MANY;
		}

	};

	// The transactions that created the nodes, and the versions of their ACLs.
	private final Map<String, List<Long>> nodes = new LinkedHashMap<>(16, 0.75F, true) {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, List<Long>> eldest) {
			return size() > MANY;
		}

	};

	private final Map<String, Integer> counts = new HashMap<>();

	// The last runs of this process whose ends other processes may not see, by the path
	// of the job.
	private final Map<String, Run> ends = new LinkedHashMap<>(16, 0.75F, true) {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Run> eldest) {
			return size() > MANY;
		}

	};

	// The runs whose ends are being written.
	private final Set<JobRun> ending = ConcurrentHashMap.newKeySet();

	private final LongAdder unreadable = new LongAdder();

	void ending(JobRun run) {
		this.ending.add(run);
	}

	void ended(JobRun run) {
		this.ending.remove(run);
	}

	/** Write all ends again that are not confirmed. Called after a failed step. */
	public void renew() {
		this.ending.forEach(JobRun::send);
	}

	@Override
	public @Nullable Gate gate(Place place) {
		LockTick tick = place.request.tick();
		return (tick != null) ? new JobGate(place, tick, this) : null;
	}

	/**
	 * Return for how many nanoseconds the state of a job has been known here.
	 */
	synchronized long since(String job, int version, long now) {
		Seen seen = this.runs.compute(job,
				(path, before) -> (before != null && before.version() == version) ? before : new Seen(version, now));
		return now - seen.at();
	}

	/**
	 * Return whether the node of a job, with its present ACL, is seen for the first time.
	 */
	synchronized boolean isNew(String path, Stat stat) {
		List<Long> seen = List.of(stat.getCzxid(), (long) stat.getAversion());
		return !seen.equals(this.nodes.put(path, seen));
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
	 * Read the record of a job. Its times end with the last write of its node.
	 * @return the record, or {@code null} if there is none, or the data are not one
	 */
	public @Nullable JobRecord read(String path, byte @Nullable [] data, @Nullable Stat stat) {
		return believed(path, JobRecord.parse(data), stat);
	}

	/**
	 * Do the same with a record that is parsed already.
	 */
	@Nullable JobRecord believed(String path, @Nullable JobRecord record, @Nullable Stat stat) {
		if (record == null || stat == null) {
			return record;
		}
		JobRecord known = record.until(stat.getMtime());
		if (!known.equals(record) && record.isBeyond(stat.getMtime())) {
			this.unreadable.increment();
			if (count(path + " beyond") == 1) {
				logger.warn("The record of a job at {} has times after its last write, which are not believed: another "
						+ "client has written to it, or the clock of a ZooKeeper server was set back. If no clock was, "
						+ "restrict who may write to the node, and delete it in a pause between two runs", path);
			}
		}
		Run end = record.isOpen() ? knownEnd(path, record.last()) : null;
		return (end != null) ? known.ended(Objects.requireNonNull(end.ended()), Objects.requireNonNull(end.outcome()))
				: known;
	}

	/** Return whether both are the same run, with the same node. */
	static boolean isSame(Run run, @Nullable Run other) {
		return other != null && run.isOfCallOf(other) && run.lock().equals(other.lock());
	}

	private synchronized @Nullable Run knownEnd(String path, @Nullable Run run) {
		Run end = this.ends.get(path);
		return (end != null && isSame(end, run)) ? end : null;
	}

	/**
	 * Remember how a run of this process has ended. The process does not take it for dead
	 * before that is written, or if it cannot be written.
	 */
	synchronized void hasEnded(String path, Run run) {
		this.ends.put(path, run);
	}

	/** The end of a run is written, or its lock was lost. */
	synchronized void forget(String path, Run run) {
		this.ends.remove(path, run);
	}

	/**
	 * Warn of the node of a job whose data are not a record. It is overwritten.
	 */
	public void unreadable(String path) {
		this.unreadable.increment();
		if (count(path + " unreadable") == 1) {
			logger.warn("The node {} of a job does not hold the record of a run, so the next run or pause overwrites "
					+ "it: another client has written to it, and a tick may have run twice", path);
		}
	}

	/**
	 * Warn of the node of a job that the servers might have deleted with its record.
	 */
	void replaced(String path) {
		if (count(path + " replaced") == 1) {
			logger.warn("The node {} of a job is created again with its record: another client had created it for "
					+ "its session, or nodes below it, so the servers might have deleted it and a tick might have run "
					+ "twice. Look for clients that may create nodes there", path);
		}
	}

	/**
	 * Return how often the data of a job were not a record.
	 */
	public long unreadable() {
		return this.unreadable.sum();
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

}
