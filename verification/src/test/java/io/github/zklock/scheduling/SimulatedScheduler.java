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
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.github.zklock.simulation.Lane;
import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.support.SimpleTriggerContext;

/**
 * A scheduler of Spring with one thread, which is a lane of a simulation. A task goes on
 * after its call until a future ends, and the next one waits for that.
 */
public final class SimulatedScheduler extends Clock implements TaskScheduler {

	private static final CompletableFuture<?> DONE = CompletableFuture.completedFuture(null);

	private final Lane lane;

	private final LongSupplier nanos;

	private final Duration ahead;

	private final Supplier<CompletableFuture<?>> beforeLook;

	private final Deque<Runnable> due = new ArrayDeque<>();

	private boolean busy;

	private CompletableFuture<?> running = DONE;

	/**
	 * Create the scheduler.
	 * @param lane its thread
	 * @param nanos the time of the schedule
	 * @param ahead what its clock says more than that
	 * @param beforeLook begins what has to end before a look for missed runs begins
	 */
	public SimulatedScheduler(Lane lane, LongSupplier nanos, Duration ahead,
			Supplier<CompletableFuture<?>> beforeLook) {
		this.lane = lane;
		this.nanos = nanos;
		this.ahead = ahead;
		this.beforeLook = beforeLook;
	}

	/**
	 * Plan the runs of a task.
	 * @return what looks for those that were missed
	 */
	public MissedRuns plan(Runnable task, Trigger trigger) {
		MissedRuns[] missed = new MissedRuns[1];
		PlannedRuns.schedule(this, task, trigger, (known) -> missed[0] = known);
		return missed[0];
	}

	/**
	 * Let the task that is being called go on until this ends.
	 */
	public void goesOn(CompletableFuture<?> until) {
		this.running = until;
	}

	@Override
	public @Nullable ScheduledFuture<?> schedule(Runnable task, Trigger trigger) {
		return schedule(task, trigger, new SimpleTriggerContext(this));
	}

	private @Nullable ScheduledFuture<?> schedule(Runnable task, Trigger trigger, SimpleTriggerContext context) {
		Instant time = trigger.nextExecution(context);
		if (time == null) {
			return null;
		}
		this.lane.after(Duration.between(instant(), time).toNanos(), "a task is due", () -> {
			this.due.add(() -> (isLook(trigger) ? this.beforeLook.get() : DONE).whenComplete(
					(none, failure) -> this.lane.run("a task begins", () -> run(task, trigger, context, time))));
			next();
		});
		return new Planned();
	}

	private static boolean isLook(Trigger trigger) {
		return trigger.getClass().getEnclosingClass() == MissedRuns.class;
	}

	private void next() {
		Runnable next = this.busy ? null : this.due.poll();
		if (next != null) {
			this.busy = true;
			next.run();
		}
	}

	private void run(Runnable task, Trigger trigger, SimpleTriggerContext context, Instant time) {
		Instant begin = instant();
		this.running = DONE;
		task.run();
		this.running.whenComplete((none, failure) -> this.lane.run("a task is over", () -> {
			context.update(time, begin, instant());
			schedule(task, trigger, context);
			this.busy = false;
			next();
		}));
	}

	@Override
	public Clock getClock() {
		return this;
	}

	@Override
	public Instant instant() {
		return Instant.EPOCH.plusNanos(this.nanos.getAsLong()).plus(this.ahead);
	}

	@Override
	public ZoneId getZone() {
		return ZoneOffset.UTC;
	}

	@Override
	public Clock withZone(ZoneId zone) {
		throw new UnsupportedOperationException();
	}

	@Override
	public ScheduledFuture<?> schedule(Runnable task, Instant startTime) {
		throw new UnsupportedOperationException();
	}

	@Override
	public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Instant startTime, Duration period) {
		throw new UnsupportedOperationException();
	}

	@Override
	public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Duration period) {
		throw new UnsupportedOperationException();
	}

	@Override
	public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Instant startTime, Duration delay) {
		throw new UnsupportedOperationException();
	}

	@Override
	public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Duration delay) {
		throw new UnsupportedOperationException();
	}

	/**
	 * A task that is planned. It is not cancelled here.
	 */
	private static final class Planned extends FutureTask<Object> implements ScheduledFuture<Object> {

		private Planned() {
			super(() -> {
				throw new UnsupportedOperationException();
			});
		}

		@Override
		public long getDelay(TimeUnit unit) {
			throw new UnsupportedOperationException();
		}

		@Override
		public int compareTo(Delayed other) {
			throw new UnsupportedOperationException();
		}

	}

}
