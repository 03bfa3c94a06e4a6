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

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What the page shows at one moment. Times are milliseconds since the epoch.
 *
 * @param time when it was made
 * @param nodes the nodes of this process
 * @param locks the locks that were used lately
 * @param jobs the scheduled jobs
 * @param counters what has happened since the start
 */
record Snapshot(long time, List<Node> nodes, List<Lock> locks, List<Job> jobs, Counters counters) {

	Snapshot at(long time) {
		return new Snapshot(time, this.nodes, this.locks, this.jobs, this.counters);
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
	 * @param name its name
	 * @param periodMs the time between two ticks
	 * @param ticks the last ticks that have run
	 */
	record Job(String name, long periodMs, List<Tick> ticks) {

	}

	/**
	 * A tick that has run.
	 *
	 * @param time the tick
	 * @param node where it ran
	 */
	record Tick(long time, String node) {

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
