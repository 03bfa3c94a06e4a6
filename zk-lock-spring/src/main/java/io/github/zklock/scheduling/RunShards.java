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

import org.jspecify.annotations.Nullable;

/**
 * The shards of a {@link ScheduledRun}. Each is a run of its own, with another call of
 * the task.
 *
 * @since 0.1.0
 */
public final class RunShards {

	private final ScheduledRun run;

	private final RunPlan plan;

	private final Runnable task;

	private volatile boolean over;

	private @Nullable Throwable failure;

	RunShards(ScheduledRun run, RunPlan plan, Runnable task) {
		this.run = run;
		this.plan = plan;
		this.task = task;
	}

	/**
	 * Return which helper of a run of this node the run is.
	 * @return the number, 0 if it is none
	 */
	public int helper() {
		return this.plan.helper();
	}

	/**
	 * Run one shard on this thread. If it fails, the whole run fails at its end.
	 * @param shard which one
	 * @param shards how many there are
	 * @return the run of the shard
	 */
	public ScheduledRun call(int shard, int shards) {
		ScheduledRun each = new ScheduledRun(this.plan.part(shard, shards), this.run);
		try {
			each.call(this.task);
		}
		catch (RuntimeException | Error ex) {
			if (this.failure == null) {
				this.failure = ex;
			}
			else if (this.failure != ex) {
				this.failure.addSuppressed(ex);
			}
		}
		return each;
	}

	/**
	 * Return whether this node takes no further shard, since its application is closed.
	 * @return whether it does not
	 */
	public boolean isEnough() {
		MissedRuns missed = this.plan.missed();
		return missed != null && missed.isClosing();
	}

	/**
	 * Let the scheduler run the task beside this run, if it has threads, to take shards
	 * as well.
	 * @param number how many times
	 */
	public void callHelpers(int number) {
		MissedRuns missed = this.plan.missed();
		for (int i = 1; i <= number && missed != null && this.plan.helper() == 0; i++) {
			ScheduledRun helper = new ScheduledRun(this.plan.helper(i), null);
			missed.beside(() -> this.over ? null : helper);
		}
	}

	void end() {
		this.over = true;
	}

	// Only at the end, as advice around the whole run must not repeat all shards.
	void throwFailure() {
		if (this.failure instanceof Error error) {
			throw error;
		}
		if (this.failure instanceof RuntimeException exception) {
			throw exception;
		}
	}

}
