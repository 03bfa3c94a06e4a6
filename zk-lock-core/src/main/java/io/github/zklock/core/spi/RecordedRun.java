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

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockTick;

/**
 * A run of a job that a backend has recorded for a {@link LockTick}. A backend that keeps
 * the outcome of runs returns one from {@link LockHandle#unwrap} of each lock that it has
 * granted for a tick. Without one, no run is known to have failed or died.
 *
 * @since 0.1.0
 */
public interface RecordedRun {

	/**
	 * Take note of how the work ends. Called before the lock is released; otherwise the
	 * work is done.
	 * @param outcome how the work ends
	 */
	void endsAs(RunOutcome outcome);

	/**
	 * Return how the work ended, as far as it is known.
	 * @return the outcome
	 */
	RunOutcome outcome();

	/**
	 * Run an action when the run has ended without coming to its end, and others can see
	 * that.
	 * @param action must be quick, and runs at most once
	 */
	default void whenUnfinished(Runnable action) {
	}

	/**
	 * Return which attempt at its tick the run is.
	 * @return the number, from 1
	 */
	default int attempt() {
		return 1;
	}

}
