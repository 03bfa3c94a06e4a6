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

package io.github.zklock.scheduling;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.SchedulingAwareRunnable;

/**
 * A scheduled task that passes each of its runs to its thread.
 */
final class ScheduledRunTask implements SchedulingAwareRunnable {

	private final Runnable task;

	private final Supplier<@Nullable ScheduledRun> runs;

	/**
	 * Create the task.
	 * @param runs returns the run, or {@code null} if there is nothing to do
	 */
	ScheduledRunTask(Runnable task, Supplier<@Nullable ScheduledRun> runs) {
		this.task = task;
		this.runs = runs;
	}

	@Override
	public void run() {
		ScheduledRun run = this.runs.get();
		if (run != null) {
			run.call(this.task);
		}
	}

	@Override
	public boolean isLongLived() {
		return this.task instanceof SchedulingAwareRunnable aware && aware.isLongLived();
	}

	@Override
	public @Nullable String getQualifier() {
		return (this.task instanceof SchedulingAwareRunnable aware) ? aware.getQualifier() : null;
	}

	@Override
	public String toString() {
		return this.task.toString();
	}

}
