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

package io.github.zklock.core.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.zklock.core.LockJob;
import org.jspecify.annotations.Nullable;

/**
 * What a backend keeps of jobs beside their locks. It is optional: without it, the jobs
 * of a provider can be neither listed nor paused.
 *
 * @since 0.1.0
 */
public interface JobStore {

	/**
	 * Read jobs.
	 * @param jobs the jobs
	 * @param bound how long this may take
	 * @return the state of each of them
	 * @throws io.github.zklock.core.LockUnavailableException if they cannot be read in
	 * time
	 * @throws io.github.zklock.core.LockAccessException if this client may not read them
	 */
	List<State> read(List<Job> jobs, Duration bound);

	/**
	 * Begin a pause. Has no effect if the job is paused already.
	 * @param job the job
	 * @param by who has asked for it, if that is known
	 * @param bound how long this may take
	 * @throws io.github.zklock.core.LockUnavailableException if that is not known to have
	 * been done in time
	 * @throws io.github.zklock.core.LockAccessException if this client may not write
	 */
	void pause(Job job, @Nullable String by, Duration bound);

	/**
	 * End the pause. Has no effect if the job is not paused.
	 * @param job the job
	 * @param bound how long this may take
	 * @throws io.github.zklock.core.LockUnavailableException if that is not known to have
	 * been done in time
	 * @throws io.github.zklock.core.LockAccessException if this client may not write
	 */
	void resume(Job job, Duration bound);

	/**
	 * Return which of some jobs have no record, although their key has records of jobs
	 * that are none of these. Such a record may be one of the same job under an earlier
	 * name.
	 * @param jobs all jobs of an application
	 * @param bound how long this may take
	 * @return the names in these records, for each such job
	 * @throws io.github.zklock.core.LockUnavailableException if that cannot be read in
	 * time
	 * @throws io.github.zklock.core.LockAccessException if this client may not read it
	 */
	default Map<Job, Set<String>> renamed(List<Job> jobs, Duration bound) {
		return Map.of();
	}

	/**
	 * A job, as its ticks name it.
	 *
	 * @param schedule the schedule of its ticks
	 * @param periodic whether its runs are periodic
	 * @param key the key of its lock
	 */
	record Job(String schedule, boolean periodic, String key) {

	}

	/**
	 * A pause. Its time is by the clock of the backend.
	 *
	 * @param since when it began
	 * @param by who has asked for it, if that is known
	 */
	record Pause(Instant since, @Nullable String by) {

	}

	/**
	 * A pause that is over.
	 *
	 * @param since when it began
	 * @param until when it ended
	 */
	record EarlierPause(Instant since, Instant until) {

		/**
		 * Return whether a run was planned for a time in this pause.
		 * @param time the time
		 * @return whether it was
		 */
		public boolean contains(Instant time) {
			return !time.isBefore(this.since) && time.isBefore(this.until);
		}

	}

	/**
	 * The state of a job.
	 *
	 * @param pause the pause, or {@code null} if it is not paused
	 * @param pauses the pauses that are over, the latest first
	 * @param runs the last runs, the latest first
	 */
	record State(@Nullable Pause pause, List<EarlierPause> pauses, List<LockJob.Run> runs) {

	}

	/**
	 * A run of a job.
	 *
	 * @param time for which time it was planned
	 * @param byHand whether it was started by hand
	 * @param attempt which attempt at the tick it was
	 * @param node which node ran it
	 * @param began when it began
	 * @param ended when it ended
	 * @param outcome how it ended
	 */
	record Run(@Nullable Instant time, boolean byHand, int attempt, @Nullable String node, Instant began,
			@Nullable Instant ended, LockJob.Outcome outcome) implements LockJob.Run {

		/**
		 * Return how a run ended.
		 * @param outcome the outcome that was recorded, or {@code null} for none
		 * @param held whether its lock is still held
		 * @return the outcome
		 */
		public static LockJob.Outcome outcome(@Nullable RunOutcome outcome, boolean held) {
			if (outcome == null) {
				return held ? LockJob.Outcome.RUNNING : LockJob.Outcome.LOST;
			}
			return switch (outcome) {
				case DONE -> LockJob.Outcome.DONE;
				case FAILED -> LockJob.Outcome.FAILED;
				case INTERRUPTED, UNUSED -> LockJob.Outcome.INTERRUPTED;
			};
		}

	}

	/**
	 * A {@link LockProvider} that keeps jobs implements it as well.
	 */
	interface Source {

		/**
		 * Return what it keeps.
		 * @return the store
		 */
		JobStore jobs();

	}

}
