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

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.TriggerContext;
import org.springframework.scheduling.support.SimpleTriggerContext;

/**
 * The runs of a task with a cron trigger. Each run is passed to the scheduler as a task
 * of its own, together with its planned time. A scheduler may begin a run long after it
 * has planned the next one, in another order, or never. Even then no run has the time of
 * another run. The scheduler still decides when it requests the next time.
 */
final class PlannedRuns implements ScheduledFuture<Object> {

	// After a run on this node, the next one begins a little late, so that another node
	// comes first.
	private static final Duration STEP_BACK = Duration.ofMillis(50);

	private final TaskScheduler scheduler;

	private final Runnable task;

	private final Trigger trigger;

	private final MissedRuns missed;

	private @Nullable ScheduledFuture<?> latest;

	private int latestNumber = -1;

	private volatile boolean cancelled;

	private PlannedRuns(TaskScheduler scheduler, Runnable task, Trigger trigger) {
		this.scheduler = scheduler;
		this.task = task;
		this.trigger = trigger;
		this.missed = new MissedRuns(scheduler, task, trigger);
	}

	/**
	 * Schedule a task.
	 * @param known receives what looks for missed runs
	 * @return the future of all its runs, or {@code null} if the trigger has no time
	 */
	static @Nullable ScheduledFuture<?> schedule(TaskScheduler scheduler, Runnable task, Trigger trigger,
			Consumer<MissedRuns> known) {
		PlannedRuns runs = new PlannedRuns(scheduler, task, trigger);
		known.accept(runs.missed);
		return runs.plan(runs.new Run(0, null, false)) ? runs : null;
	}

	private boolean plan(Run run) {
		ScheduledRunTask one = new ScheduledRunTask(this.task, run::begin);
		ScheduledFuture<?> future = this.scheduler.schedule(one, run);
		if (future == null) {
			return false;
		}
		remember(run.number, future);
		// The run may have been cancelled before.
		if (this.cancelled) {
			future.cancel(false);
		}
		return true;
	}

	// A run that is due at once may have planned the next one already.
	private synchronized void remember(int number, ScheduledFuture<?> future) {
		if (number > this.latestNumber) {
			this.latestNumber = number;
			this.latest = future;
		}
	}

	private synchronized ScheduledFuture<?> latest() {
		return Objects.requireNonNull(this.latest, "No run is planned");
	}

	@Override
	public boolean cancel(boolean mayInterruptIfRunning) {
		this.cancelled = true;
		this.missed.cancel();
		return latest().cancel(mayInterruptIfRunning);
	}

	@Override
	public boolean isCancelled() {
		return this.cancelled || latest().isCancelled();
	}

	@Override
	public boolean isDone() {
		return latest().isDone();
	}

	@Override
	public Object get() throws InterruptedException, ExecutionException {
		return latest().get();
	}

	@Override
	public Object get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
		return latest().get(timeout, unit);
	}

	@Override
	public long getDelay(TimeUnit unit) {
		return latest().getDelay(unit);
	}

	@Override
	public int compareTo(Delayed other) {
		return latest().compareTo(other);
	}

	/**
	 * The trigger of one run. When its scheduler requests the time of the next run, it
	 * plans that run and has no further time itself.
	 */
	private final class Run implements Trigger {

		private final int number;

		private volatile @Nullable Instant time;

		private final boolean stepsBack;

		private volatile @Nullable ScheduledRun begun;

		private volatile boolean over;

		Run(int number, @Nullable Instant time, boolean stepsBack) {
			this.number = number;
			this.time = time;
			this.stepsBack = stepsBack;
		}

		ScheduledRun begin() {
			PlannedRuns.this.missed.planned();
			ScheduledRun run = ScheduledRun.at(PlannedRuns.this.missed.task(), this.time, PlannedRuns.this.missed);
			this.begun = run;
			return run;
		}

		@Override
		public @Nullable Instant nextExecution(TriggerContext context) {
			// A run that its scheduler has rejected is over, too.
			boolean fired = this.begun != null || context.lastScheduledExecution() != null;
			if (!fired) {
				Instant planned = this.time;
				this.time = (planned != null) ? planned : PlannedRuns.this.trigger.nextExecution(context);
				return (this.stepsBack && this.time != null) ? this.time.plus(STEP_BACK) : this.time;
			}
			if (!this.over) {
				this.over = true;
				planNext(later(context));
			}
			return null;
		}

		// A run whose time comes again would begin at once, again and again.
		private @Nullable Instant later(TriggerContext context) {
			Trigger trigger = PlannedRuns.this.trigger;
			Instant next = trigger.nextExecution(context);
			Instant planned = this.time;
			if (planned == null) {
				return next;
			}
			return CronTicks.after((after) -> trigger.nextExecution(new SimpleTriggerContext(after, after, after)),
					planned, next);
		}

		private void planNext(@Nullable Instant next) {
			if (next != null && !PlannedRuns.this.cancelled) {
				ScheduledRun run = this.begun;
				plan(new Run(this.number + 1, next, run != null && run.hasBegun()));
			}
		}

		@Override
		public String toString() {
			return PlannedRuns.this.trigger.toString();
		}

	}

}
