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

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.support.CronTrigger;

/**
 * Delegates to another scheduler, and passes each run of a repeated task to the thread on
 * which it runs.
 */
final class ScheduledRunTaskScheduler implements TaskScheduler {

	private final TaskScheduler scheduler;

	private final Consumer<KnownTask> tasks;

	private final Predicate<String> needed;

	/**
	 * Create the scheduler.
	 * @param scheduler the scheduler that runs the tasks
	 * @param tasks receives each repeated task
	 * @param needed whether there is a guarded method that the task with a text may call.
	 * The lazy bean of a task may be the first bean with one
	 */
	ScheduledRunTaskScheduler(TaskScheduler scheduler, Consumer<KnownTask> tasks, Predicate<String> needed) {
		this.scheduler = scheduler;
		this.tasks = tasks;
		this.needed = needed;
	}

	@Override
	public Clock getClock() {
		return this.scheduler.getClock();
	}

	@Override
	public @Nullable ScheduledFuture<?> schedule(Runnable task, Trigger trigger) {
		if (!(trigger instanceof CronTrigger) || !this.needed.test(TaskText.of(task))) {
			return this.scheduler.schedule(task, trigger);
		}
		AtomicReference<@Nullable MissedRuns> missed = new AtomicReference<>();
		ScheduledFuture<?> future = PlannedRuns.schedule(this.scheduler, task, trigger, missed::set);
		this.tasks.accept(new KnownTask(task, this.scheduler, trigger, null, missed.get(), future));
		return future;
	}

	@Override
	public ScheduledFuture<?> schedule(Runnable task, Instant startTime) {
		return this.scheduler.schedule(task, startTime);
	}

	@Override
	public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Instant startTime, Duration period) {
		return every(period, task, (each) -> this.scheduler.scheduleAtFixedRate(each, startTime, period));
	}

	@Override
	public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Duration period) {
		return every(period, task, (each) -> this.scheduler.scheduleAtFixedRate(each, period));
	}

	@Override
	public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Instant startTime, Duration delay) {
		return every(delay, task, (each) -> this.scheduler.scheduleWithFixedDelay(each, startTime, delay));
	}

	@Override
	public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Duration delay) {
		return every(delay, task, (each) -> this.scheduler.scheduleWithFixedDelay(each, delay));
	}

	private ScheduledFuture<?> every(Duration period, Runnable task, Function<Runnable, ScheduledFuture<?>> plan) {
		String text = TaskText.of(task);
		if (!this.needed.test(text)) {
			return plan.apply(task);
		}
		ScheduledFuture<?> future = plan.apply(new ScheduledRunTask(task, () -> ScheduledRun.every(text, period)));
		this.tasks.accept(new KnownTask(task, this.scheduler, null, period, null, future));
		return future;
	}

	@Override
	public String toString() {
		return this.scheduler.toString();
	}

}
