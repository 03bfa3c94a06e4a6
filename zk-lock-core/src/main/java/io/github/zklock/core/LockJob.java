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

package io.github.zklock.core;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A job as it was at one moment: a guarded {@code @Scheduled} method that runs once per
 * tick in the whole cluster. Applications do not implement this interface.
 *
 * @since 0.1.0
 * @see LockJobs
 */
public interface LockJob {

	/**
	 * Return the name of the job, which is the name of its lock. If several beans of its
	 * class are jobs, a dot and the name of the bean follow.
	 * @return the name, like {@code report-job-run}
	 */
	String name();

	/**
	 * Return what identifies the job together with its key, as its
	 * {@linkplain LockTick#schedule() ticks} have it. That is the name of its lock if it
	 * is set explicitly, else the class and the method.
	 * @return the schedule
	 */
	String schedule();

	/**
	 * Return the class and the method.
	 * @return the method, like {@code com.example.ReportJob.run}
	 */
	String method();

	/**
	 * Return the key of its lock; of several keys, the last one as strings sort.
	 * @return the key
	 */
	String key();

	/**
	 * Return the cron expression; several are separated by commas.
	 * @return the expression, or {@code null} if the job is periodic
	 */
	@Nullable String cron();

	/**
	 * Return the time zone of the cron expression.
	 * @return the zone, or {@code null} if {@code @Scheduled} sets none
	 */
	@Nullable String zone();

	/**
	 * Return the time between two periodic runs, the shortest of several.
	 * @return the period, or {@code null} if the job has none
	 */
	@Nullable Duration period();

	/**
	 * Return the time that this node has planned next.
	 * @return the time, or {@code null} if the job is periodic or has no further time
	 */
	@Nullable Instant nextTime();

	/**
	 * Return since when the job is paused.
	 * @return the time, or {@code null} if it is not paused
	 */
	@Nullable Instant pausedSince();

	/**
	 * Return who has paused the job.
	 * @return a name, or {@code null} if that is not known or the job is not paused
	 */
	@Nullable String pausedBy();

	/**
	 * Return the last runs on all nodes, the latest first.
	 * @return up to 21 runs, or up to 21 of each shard
	 */
	List<Run> runs();

	/**
	 * Return into how many shards its ticks are split, as this application is configured.
	 * @return the number, 1 if they are not split
	 */
	default int shards() {
		return 1;
	}

	/**
	 * A run of a job on one node.
	 */
	interface Run {

		/**
		 * Return the time for which the run was planned.
		 * @return the time, or {@code null} if the job is periodic or the run was started
		 * by hand
		 */
		@Nullable Instant time();

		/**
		 * Return whether the run was started by hand.
		 * @return whether it was
		 */
		boolean byHand();

		/**
		 * Return which shard of its tick the run was.
		 * @return the number, from 0, or {@code null} if the job has no shards
		 */
		default @Nullable Integer shard() {
			return null;
		}

		/**
		 * Return which attempt at its tick the run was.
		 * @return the number, from 1
		 */
		int attempt();

		/**
		 * Return the node that ran the job: the instance of the application, or its name.
		 * @return the name, or {@code null} if that is not known
		 */
		@Nullable String node();

		/**
		 * Return when the run began, by the clock of the servers.
		 * @return the time
		 */
		Instant began();

		/**
		 * Return when the run ended, by the clock of the servers.
		 * @return the time, or {@code null} if the run goes on or its end is not known
		 */
		@Nullable Instant ended();

		/**
		 * Return how the run ended.
		 * @return the outcome
		 */
		Outcome outcome();

	}

	/**
	 * How a run ended.
	 */
	enum Outcome {

		/** The run goes on: its node still holds the lock. */
		RUNNING,

		/** The method returned without a failure. */
		DONE,

		/** The method threw an exception. */
		FAILED,

		/** The method was interrupted, as in a shutdown, or never began. */
		INTERRUPTED,

		/** The node died or lost its lock, so the end is not known. */
		LOST

	}

}
