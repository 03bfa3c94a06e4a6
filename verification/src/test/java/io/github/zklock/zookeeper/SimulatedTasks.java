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

package io.github.zklock.zookeeper;

import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;

import io.github.zklock.simulation.FailedStep;
import io.github.zklock.simulation.Lane;
import io.github.zklock.simulation.Schedule;
import io.github.zklock.zookeeper.tasks.Tasks;
import org.apache.zookeeper.ZooDefs.OpCode;

/**
 * Time and threads of a process of a simulation: a timer, and a pool whose threads run in
 * any order.
 */
final class SimulatedTasks implements Tasks {

	private final Schedule schedule;

	private final Lane timer;

	private final Lane others;

	private final long origin;

	private final BooleanSupplier delivering;

	private final FailedStep.Place failing;

	private final FailedStep.Place failingTask;

	private double drift;

	private long driftsFrom;

	private boolean stopped;

	/**
	 * Create the threads of a process.
	 * @param origin what its clock says more than that of the schedule
	 * @param delivering whether a reply is being delivered
	 */
	SimulatedTasks(Schedule schedule, String name, long origin, BooleanSupplier delivering) {
		this.schedule = schedule;
		this.timer = schedule.lane(name + "-timer");
		this.others = schedule.pool(name + "-pool");
		this.origin = origin;
		this.delivering = delivering;
		this.failing = new FailedStep.Place(schedule.trace());
		this.failingTask = new FailedStep.Place(schedule.trace());
	}

	/**
	 * End a reply with an error before it becomes a step.
	 * @param after how many others go before
	 */
	void failReply(int after) {
		this.failing.arm(after, false);
	}

	/**
	 * End a step with an error before or after one of the next hand-overs.
	 * @param after how many others go before
	 */
	void failTask(int after, boolean had) {
		this.failingTask.arm(after, had);
	}

	private void take(Runnable task) {
		boolean fails = this.failingTask.isAfter(OpCode.notification);
		task.run();
		if (fails) {
			this.failingTask.end();
		}
	}

	Lane timer() {
		return this.timer;
	}

	Lane others() {
		return this.others;
	}

	/**
	 * Let the clock go fast, or slow if this is negative, from now on.
	 */
	void drift(double rate) {
		this.drift = rate;
		this.driftsFrom = this.schedule.now();
	}

	@Override
	public long nanoTime() {
		return this.schedule.now() + this.origin + (long) (this.drift * (this.schedule.now() - this.driftsFrom));
	}

	private long ticks(long delay) {
		return (this.drift == 0) ? delay : (long) (delay / (1 + this.drift));
	}

	@Override
	public Future<?> schedule(Runnable action, long delay) {
		if (this.stopped) {
			throw new RejectedExecutionException("stopped");
		}
		FutureTask<Object> task = new FutureTask<>(action, "done");
		Lane.Scheduled[] scheduled = new Lane.Scheduled[1];
		take(() -> scheduled[0] = this.timer.after(ticks(delay), "timer", task));
		return new Planned(task, scheduled[0]);
	}

	@Override
	public void repeat(Runnable action, long pause) {
		this.timer.after(ticks(pause), "periodic", () -> {
			action.run();
			if (!this.stopped) {
				repeat(action, pause);
			}
		});
	}

	@Override
	public void callBack(Runnable code) {
		if (this.stopped) {
			code.run();
		}
		else {
			take(() -> this.others.run("callback", code));
		}
	}

	@Override
	public void onStepThread(Runnable step) {
		if (!this.stopped) {
			take(() -> this.others.run("step", step));
		}
	}

	@Override
	public boolean isReplyThread() {
		boolean reply = this.delivering.getAsBoolean();
		if (reply) {
			this.failing.isAfter(OpCode.notification);
		}
		return reply;
	}

	@Override
	public void stop() {
		this.stopped = true;
		this.timer.stop();
	}

	/**
	 * A task of the timer, which throws what the task of the engine throws: a real timer
	 * would hide it.
	 */
	private record Planned(FutureTask<Object> task, Lane.Scheduled scheduled) implements Future<Object> {

		@Override
		public boolean cancel(boolean mayInterrupt) {
			this.scheduled.cancel();
			return this.task.cancel(false);
		}

		@Override
		public boolean isCancelled() {
			return this.task.isCancelled();
		}

		@Override
		public boolean isDone() {
			return this.task.isDone();
		}

		@Override
		public Object get() {
			throw new UnsupportedOperationException("nobody may wait");
		}

		@Override
		public Object get(long timeout, java.util.concurrent.TimeUnit unit) {
			throw new UnsupportedOperationException("nobody may wait");
		}

	}

}
