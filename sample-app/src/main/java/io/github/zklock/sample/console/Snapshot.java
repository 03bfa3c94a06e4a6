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

package io.github.zklock.sample.console;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.github.zklock.core.LockJob;
import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.support.CronExpression;

/**
 * What the page shows at one moment. Times are milliseconds since the epoch.
 *
 * @param time when it was made
 * @param nodes the nodes of this process
 * @param locks the locks that were used lately
 * @param jobs the scheduled jobs
 * @param roles the roles that one node leads
 * @param counters what has happened since the start
 */
record Snapshot(long time, List<Node> nodes, List<Lock> locks, List<Job> jobs, List<Role> roles, Counters counters) {

	Snapshot at(long time) {
		return new Snapshot(time, this.nodes, this.locks, this.jobs, this.roles, this.counters);
	}

	/**
	 * A node.
	 *
	 * @param name its name
	 * @param url its address
	 * @param state the state of its session, or of the node if it does not run
	 * @param session the mark of its session
	 * @param sessionsSoFar how many sessions it has had
	 * @param since when it came into this state
	 * @param fault what is wrong with its connection
	 * @param held how many locks it holds
	 * @param waiting how many of its requests wait
	 */
	record Node(String name, String url, State state, @Nullable String session, int sessionsSoFar, long since,
			ConsoleNode.Fault fault, int held, int waiting) {

	}

	/**
	 * The state of a node.
	 */
	enum State {

		/** Its session is good. */
		HELD,

		/** ZooKeeper does not answer. */
		UNCERTAIN,

		/** Its session has ended. */
		LOST,

		/** It starts. */
		STARTING,

		/** It does not run. */
		STOPPED

	}

	/**
	 * A lock.
	 *
	 * @param key the key
	 * @param holders who holds it, as ZooKeeper says
	 * @param queue the waiting clients, as ZooKeeper says
	 * @param timeline who of this process has held it in the last minute
	 */
	record Lock(String key, List<Holder> holders, List<Waiter> queue, List<Span> timeline) {

	}

	/**
	 * A holder.
	 *
	 * @param node who
	 * @param mode the mode
	 * @param token the fencing token
	 * @param since since when it is in the queue
	 */
	record Holder(String node, String mode, long token, long since) {

	}

	/**
	 * One that waits.
	 *
	 * @param node who
	 * @param mode the mode
	 * @param since since when it is in the queue
	 */
	record Waiter(String node, String mode, long since) {

	}

	/**
	 * How long a lock has been held.
	 *
	 * @param node who
	 * @param mode the mode
	 * @param token the fencing token
	 * @param from from when
	 * @param to until when, {@code null} while it is held
	 * @param end how it ended, {@code null} while it is held
	 */
	record Span(String node, String mode, long token, long from, @Nullable Long to, @Nullable String end) {

	}

	/**
	 * A scheduled job.
	 *
	 * @param name the key of its lock
	 * @param periodMs the time between two ticks
	 * @param shards into how many shards a tick is split, 1 if it is not
	 * @param ticks the last ticks that have run
	 * @param pausedBy who has paused it, {@code null} if it is not paused
	 * @param runs the last runs, the latest first
	 */
	record Job(String name, long periodMs, int shards, List<Tick> ticks, @Nullable String pausedBy, List<Run> runs) {

		// As many as of a job without shards. Of each shard there are as many again.
		private static final int MOST_RUNS = 21;

		static Job of(LockJob job, List<Tick> ticks) {
			CronExpression cron = CronExpression.parse(Objects.requireNonNull(job.cron(), "It has ticks"));
			LocalDateTime first = Objects.requireNonNull(cron.next(LocalDateTime.of(2026, 1, 1, 0, 0)));
			LocalDateTime second = Objects.requireNonNull(cron.next(first));
			return new Job(job.key(), Duration.between(first, second).toMillis(), job.shards(), ticks,
					(job.pausedSince() != null) ? Objects.requireNonNullElse(job.pausedBy(), "another client") : null,
					job.runs().stream().limit(MOST_RUNS).map(Run::of).toList());
		}

	}

	/**
	 * A run of a job.
	 *
	 * @param time the tick, {@code null} if it was started by hand
	 * @param shard which shard of the tick it was, {@code null} if there are none
	 * @param node where it ran
	 * @param attempt which attempt at the tick it was
	 * @param began when it began
	 * @param ended when it ended, {@code null} if that is not known
	 * @param outcome how it ended
	 */
	record Run(@Nullable Long time, @Nullable Integer shard, @Nullable String node, int attempt, long began,
			@Nullable Long ended, LockJob.Outcome outcome) {

		private static Run of(LockJob.Run run) {
			Instant time = run.time();
			Instant ended = run.ended();
			return new Run((time != null) ? time.toEpochMilli() : null, run.shard(), run.node(), run.attempt(),
					run.began().toEpochMilli(), (ended != null) ? ended.toEpochMilli() : null, run.outcome());
		}

	}

	/**
	 * A tick that has run.
	 *
	 * @param time the tick
	 * @param node where it ran
	 */
	record Tick(long time, String node) {

		static List<Tick> of(LockJob job) {
			List<Tick> ticks = new ArrayList<>();
			for (LockJob.Run run : job.runs()) {
				if (run.shard() == null && run.time() != null && run.node() != null
						&& run.outcome() == LockJob.Outcome.DONE) {
					ticks.add(0, new Tick(run.time().toEpochMilli(), run.node()));
				}
			}
			return ticks;
		}

	}

	/**
	 * A role.
	 *
	 * @param name its name
	 * @param leader who leads it, {@code null} if no node does
	 * @param token the fencing token, {@code null} if no node leads
	 * @param since since when it is led, {@code null} if that is not known here
	 * @param waiting the nodes that lead next, in their order
	 */
	record Role(String name, @Nullable String leader, @Nullable Long token, @Nullable Long since,
			List<String> waiting) {

	}

	/**
	 * What has happened since the start.
	 *
	 * @param grants how many locks were granted
	 * @param waits how many requests waited for longer than 50 ms
	 * @param losses how many locks were lost
	 * @param refusedWrites how many writes were refused by their token
	 */
	record Counters(long grants, long waits, long losses, long refusedWrites) {

	}

}
