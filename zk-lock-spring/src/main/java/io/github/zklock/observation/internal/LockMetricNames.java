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

package io.github.zklock.observation.internal;

/**
 * The names of the meters of locks and of their tags.
 *
 * @since 0.1.0
 */
public final class LockMetricNames {

	/** Timer: from the request to its answer. */
	public static final String WAIT = "zk.lock.wait";

	/** Timer: from the lock to its release. */
	public static final String HOLD = "zk.lock.hold";

	/** Gauge: locks that are held. */
	public static final String HELD = "zk.lock.held";

	/** Gauge: requests that have no answer yet. */
	public static final String WAITING = "zk.lock.waiting";

	/** Counter: locks that were lost while they were held. */
	public static final String LOST = "zk.lock.lost";

	/**
	 * Counter: transactions that were rolled back because the lock was not known to be
	 * held.
	 */
	public static final String ROLLBACKS = "zk.lock.rollbacks";

	/** Counter: requests that failed because ZooKeeper did not answer. */
	public static final String UNAVAILABLE = "zk.lock.unavailable";

	/** Counter: runs of scheduled tasks that got their lock. */
	public static final String TICKS_RUN = "zk.lock.ticks.run";

	/** Counter: skipped runs of scheduled tasks, except in outages. */
	public static final String TICKS_SKIPPED = "zk.lock.ticks.skipped";

	/** Counter: runs of jobs on this node, by outcome. */
	public static final String JOB_RUNS = "zk.lock.job.runs";

	/** Counter: runs on this node that made up for a run that died or was missed. */
	public static final String JOB_RECOVERIES = "zk.lock.job.recoveries";

	/** Counter: ticks of which all attempts have died, as this node was first to see. */
	public static final String JOB_GIVEN_UP = "zk.lock.job.given.up";

	/** Gauge: the time since the last success of a job on any node. */
	public static final String JOB_LAST_SUCCESS = "zk.lock.job.last.success";

	/** Gauge: planned times of a job since its last success. */
	public static final String JOB_MISSED = "zk.lock.job.missed";

	/** Gauge: 1 if a job is paused, 0 if not. */
	public static final String JOB_PAUSED = "zk.lock.job.paused";

	/** Counter: reads of a job whose znode another client has overwritten. */
	public static final String JOB_UNREADABLE = "zk.lock.job.unreadable";

	/** Counter: requests that lost their place in the queue. */
	public static final String REQUEUED = "zk.lock.requeued";

	/** Gauge: znodes that are to be deleted and may still exist. */
	public static final String PENDING_DELETES = "zk.lock.pending.deletes";

	/** Gauge: how long locks are certain to be held if ZooKeeper does not answer. */
	public static final String LEASE_LEFT = "zk.lock.lease.left";

	/** Gauge: 1 if there is a connection to ZooKeeper, 0 if not. */
	public static final String CONNECTED = "zk.lock.connected";

	/** Counter: fences that were raised for a holder. */
	public static final String FENCE_RAISED = "zk.lock.fence.raised";

	/** Counter: holders that were refused because a later one had raised the fence. */
	public static final String FENCE_REFUSED = "zk.lock.fence.refused";

	/**
	 * Counter: transactions that were rolled back because a later holder had raised the
	 * fence.
	 */
	public static final String FENCE_ROLLBACKS = "zk.lock.fence.rollbacks";

	/** Gauge: 1 if this node leads a role, 0 if not. */
	public static final String LEADER = "zk.lock.leader";

	/** Counter: terms whose beans had not stopped when the lease of the role ended. */
	public static final String LEADER_OVERRUN = "zk.lock.leader.overrun";

	/** Tag: the role. */
	public static final String ROLE = "role";

	/** Tag: the name of the bean that provides the locks. */
	public static final String PROVIDER = "provider";

	/** Tag: the name of the lock, not its key. */
	public static final String NAME = "name";

	/** Tag: the mode of the lock. */
	public static final String MODE = "mode";

	/** Tag: the outcome. */
	public static final String OUTCOME = "outcome";

	private LockMetricNames() {
	}

}
