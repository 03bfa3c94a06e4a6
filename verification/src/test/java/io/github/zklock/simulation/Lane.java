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

package io.github.zklock.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

import io.github.zklock.simulation.Schedule.Task;
import org.jspecify.annotations.Nullable;

/**
 * What runs tasks of a {@link Schedule}: a thread, a pool of threads, or one direction of
 * a connection.
 */
public final class Lane {

	private final Schedule schedule;

	private final String name;

	private final boolean ordered;

	private final TreeSet<Task> tasks = new TreeSet<>();

	// When the first of them is due.
	private long first = Long.MAX_VALUE;

	private boolean paused;

	private boolean stopped;

	// How many tasks run before it is paused again.
	private int passing;

	Lane(Schedule schedule, String name, boolean ordered) {
		this.schedule = schedule;
		this.name = name;
		this.ordered = ordered;
	}

	public String name() {
		return this.name;
	}

	/**
	 * Run the action soon.
	 */
	public Scheduled run(String what, Runnable action) {
		return after(0, what, action);
	}

	/**
	 * Run the action after a time. Tasks of a lane run in the order in which they become
	 * due.
	 */
	public Scheduled after(long nanos, String what, Runnable action) {
		Task task = new Task(this.schedule.nextNumber(), this.schedule.now() + Math.max(nanos, 0), what, action);
		if (!this.stopped) {
			this.tasks.add(task);
			this.first = Math.min(this.first, task.due());
		}
		return () -> remove(task);
	}

	/**
	 * Run nothing until {@link #resume()}; what becomes due meanwhile waits.
	 */
	public void pause() {
		this.paused = true;
	}

	public void resume() {
		this.paused = false;
		this.passing = 0;
	}

	/**
	 * Run the next so many tasks, and nothing after them until {@link #resume()}.
	 */
	void pass(int count) {
		this.paused = false;
		this.passing = count;
	}

	/**
	 * Forget all tasks, and take no other ones.
	 */
	public void stop() {
		this.stopped = true;
		this.tasks.clear();
		this.first = Long.MAX_VALUE;
		this.schedule.remove(this);
	}

	public boolean isStopped() {
		return this.stopped;
	}

	/**
	 * Return how many tasks wait, due or not.
	 */
	public int size() {
		return this.tasks.size();
	}

	boolean isDue() {
		return !this.paused && this.first <= this.schedule.now();
	}

	boolean isBefore(@Nullable Lane other) {
		if (this.paused || this.first == Long.MAX_VALUE) {
			return false;
		}
		return other == null || this.first < other.first
				|| (this.first == other.first && this.tasks.first().number() < other.tasks.first().number());
	}

	/**
	 * Return since when a task is due.
	 */
	long first() {
		return this.first;
	}

	/**
	 * Return when a task becomes due that is not due now.
	 */
	long next() {
		if (this.paused) {
			return Long.MAX_VALUE;
		}
		if (this.first > this.schedule.now()) {
			return this.first;
		}
		Task next = this.tasks.higher(new Task(Long.MAX_VALUE, this.schedule.now(), "", () -> {
		}));
		return (next != null) ? next.due() : Long.MAX_VALUE;
	}

	Task take() {
		Task task = (this.ordered || this.schedule.isInOrder()) ? this.tasks.first() : any();
		remove(task);
		if (this.passing > 0 && --this.passing == 0) {
			this.paused = true;
		}
		return task;
	}

	private boolean remove(Task task) {
		boolean removed = this.tasks.remove(task);
		if (removed && task.due() == this.first) {
			this.first = this.tasks.isEmpty() ? Long.MAX_VALUE : this.tasks.first().due();
		}
		return removed;
	}

	private Task any() {
		List<Task> due = new ArrayList<>(this.tasks.headSet(new Task(Long.MAX_VALUE, this.schedule.now(), "", () -> {
		}), true));
		return due.get(this.schedule.random().nextInt(due.size()));
	}

	/**
	 * A task that may not have run yet.
	 */
	@FunctionalInterface
	public interface Scheduled {

		/**
		 * Do not run it.
		 * @return whether it had not run
		 */
		boolean cancel();

	}

}
