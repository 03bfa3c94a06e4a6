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

package io.github.zklock.core.internal;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockTick;

/**
 * A run of a job that a backend has recorded for a {@link LockTick}. A backend that keeps
 * the outcome of runs returns one from {@link LockHandle#unwrap}.
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
	 * Take note that the work under a lock has failed.
	 * @param handle the lock, of one or of several keys
	 * @param failure what the work threw
	 */
	static void failed(LockHandle handle, Throwable failure) {
		RunOutcome outcome = isInterrupt(failure) ? RunOutcome.INTERRUPTED : RunOutcome.FAILED;
		for (LockHandle each : handle.handles()) {
			RecordedRun run = each.unwrap(RecordedRun.class);
			if (run != null) {
				run.endsAs(outcome);
			}
		}
	}

	private static boolean isInterrupt(Throwable failure) {
		Throwable cause = failure;
		for (int depth = 0; cause != null && depth < 20; depth++) {
			if (cause instanceof InterruptedException) {
				return true;
			}
			cause = cause.getCause();
		}
		return Thread.currentThread().isInterrupted();
	}

}
