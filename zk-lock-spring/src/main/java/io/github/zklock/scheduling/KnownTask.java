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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.support.CronTrigger;
import org.springframework.scheduling.support.SimpleTriggerContext;

/**
 * A repeated task whose runs are passed to its thread.
 *
 * @param task the task
 * @param scheduler the scheduler that runs it
 * @param trigger its trigger, or {@code null} if it is periodic
 * @param period the time between two runs, or {@code null} if it has a trigger
 * @param missed what looks for missed runs, or {@code null} if it is periodic
 * @param future all its runs, or {@code null} if there is none
 * @since 0.1.0
 */
public record KnownTask(Runnable task, TaskScheduler scheduler, @Nullable Trigger trigger, @Nullable Duration period,
		@Nullable MissedRuns missed, @Nullable Future<?> future) {

	// Whatever the clock of the scheduler says.
	private static final Instant AT_ONCE = Instant.EPOCH;

	/**
	 * Return whether the task has further runs. A bean that is destroyed cancels its
	 * tasks.
	 */
	public boolean isPlanned() {
		return this.future == null || !this.future.isCancelled();
	}

	/**
	 * Let a run that goes on take no further shard.
	 */
	public void takeNoMoreShards() {
		if (this.missed != null) {
			this.missed.takeNoMoreShards();
		}
	}

	/**
	 * Return the text of the task.
	 */
	public String text() {
		return TaskText.of(this.task);
	}

	/**
	 * Return the cron expression, or {@code null} if the task is periodic.
	 */
	public @Nullable String cron() {
		return (this.trigger instanceof CronTrigger cron) ? cron.getExpression() : null;
	}

	/**
	 * Return the next planned time, or {@code null} if there is none.
	 */
	public @Nullable Instant next() {
		return next(this.scheduler.getClock().instant());
	}

	private @Nullable Instant next(Instant after) {
		return (this.trigger != null) ? this.trigger.nextExecution(new SimpleTriggerContext(after, after, after))
				: null;
	}

	/**
	 * Count the planned times of a span.
	 * @param after the time after which they are counted
	 * @param until the time until which they are counted
	 * @param most the number at which counting ends
	 * @return the number
	 */
	public long count(Instant after, Instant until, int most) {
		if (this.period != null) {
			return Math.max(0, Duration.between(after, until).dividedBy(this.period));
		}
		int count = 0;
		Instant next = next(after);
		while (next != null && !next.isAfter(until) && count < most) {
			count++;
			next = CronTicks.after(this::next, next, next(next));
		}
		return count;
	}

	/**
	 * Run the task now, with its scheduler. If the future fails before the run begins,
	 * the run does not take place.
	 * @param wanted whether the method is to be called on an object, or {@code null} if
	 * it is for any
	 * @param shard the only shard that is to run, or {@code null} for all
	 * @return a future that ends when its method begins, fails if it does not, and is
	 * cancelled if the task belongs to another object. It does not end if the scheduler
	 * drops the task
	 * @throws org.springframework.core.task.TaskRejectedException if the scheduler takes
	 * no task
	 */
	public CompletableFuture<@Nullable Void> runNow(@Nullable Predicate<Object> wanted, @Nullable Integer shard) {
		CompletableFuture<@Nullable Void> begun = new CompletableFuture<>();
		ScheduledRun run = ScheduledRun.byHand(text(), this.scheduler.getClock().instant(), this.period, begun)
			.on(wanted, shard);
		this.scheduler.schedule(new ScheduledRunTask(this.task, () -> begun.isDone() ? null : run), AT_ONCE);
		return begun;
	}

}
