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
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * What happens next in a simulation, and when: one thread, virtual time, and a seed that
 * picks among the tasks that are due. The same seed gives the same order in every JVM.
 */
public final class Schedule {

	/** One in so many steps lets time pass although something is due. */
	private static final int DELAY = 16;

	/**
	 * What is due waits for about so long at most while time passes without it: that is
	 * what a busy machine may do to a thread. Longer than that is a pause.
	 */
	private static final long LONGEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	private static final long LONGEST_STEP_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

	private final SplittableRandom random;

	private final Trace trace = new Trace();

	private final List<Lane> lanes = new ArrayList<>();

	private long now = TimeUnit.SECONDS.toNanos(1);

	private long steps;

	private long tasks;

	private final boolean inOrder;

	public Schedule(long seed) {
		this(seed, false);
	}

	private Schedule(long seed, boolean inOrder) {
		this.random = new SplittableRandom(seed);
		this.inOrder = inOrder;
	}

	/**
	 * Make a schedule without chance: whatever is due first runs first, in no time, and a
	 * message takes as long as the longest may.
	 */
	public static Schedule inOrder() {
		return new Schedule(0, true);
	}

	/**
	 * Begin later.
	 * @param begin the time at which the schedule begins
	 */
	void begin(long begin) {
		this.now = begin;
	}

	boolean isInOrder() {
		return this.inOrder;
	}

	/**
	 * Return a time that is no longer than this.
	 */
	long upTo(long longest) {
		if (this.inOrder) {
			return longest;
		}
		return (longest > 0) ? this.random.nextLong(longest) : 0;
	}

	/**
	 * Return the virtual time, in nanoseconds.
	 */
	public long now() {
		return this.now;
	}

	/**
	 * Return how many tasks have run.
	 */
	public long steps() {
		return this.steps;
	}

	/**
	 * Return the only source of chance.
	 */
	public SplittableRandom random() {
		return this.random;
	}

	public Trace trace() {
		return this.trace;
	}

	/**
	 * Add what runs one task after the other, in order: a thread, or one direction of a
	 * connection.
	 */
	public Lane lane(String name) {
		return add(new Lane(this, name, true));
	}

	/**
	 * Add what runs tasks in any order: a pool of threads.
	 */
	public Lane pool(String name) {
		return add(new Lane(this, name, false));
	}

	private Lane add(Lane lane) {
		this.lanes.add(lane);
		return lane;
	}

	/**
	 * Run the next task.
	 * @return whether there was one
	 */
	public boolean step() {
		if (this.inOrder) {
			Lane lane = first();
			return lane != null && run(lane);
		}
		this.now += this.random.nextLong(LONGEST_STEP_NANOS) + 1;
		int due = due();
		if (due == 0 || this.random.nextInt(DELAY) == 0) {
			if (!pass()) {
				return due > 0;
			}
			due = due();
		}
		return run(due(this.random.nextInt(due)));
	}

	private boolean run(Lane lane) {
		Task task = lane.take();
		this.steps++;
		this.trace.add(this.steps, this.now, lane.name(), task.what());
		task.action().run();
		return true;
	}

	/**
	 * Let tasks run for a time, or until there are none.
	 */
	public void runFor(long nanos) {
		long end = this.now + nanos;
		while (this.now < end && step()) {
			// The step has done it.
		}
	}

	private @Nullable Lane first() {
		Lane first = null;
		for (Lane lane : this.lanes) {
			if (lane.isBefore(first)) {
				first = lane;
			}
		}
		if (first != null) {
			this.now = Math.max(this.now, first.first());
		}
		return first;
	}

	// How many lanes have something to do.
	private int due() {
		int count = 0;
		for (Lane lane : this.lanes) {
			if (lane.isDue()) {
				count++;
			}
		}
		return count;
	}

	private Lane due(int number) {
		int left = number;
		for (Lane lane : this.lanes) {
			if (lane.isDue() && left-- == 0) {
				return lane;
			}
		}
		throw new IllegalStateException();
	}

	// Time jumps to the next task that is not due yet.
	private boolean pass() {
		long next = Long.MAX_VALUE;
		long latest = Long.MAX_VALUE;
		for (Lane lane : this.lanes) {
			next = Math.min(next, lane.next());
			if (lane.isDue()) {
				latest = Math.min(latest, lane.first());
			}
		}
		if (next == Long.MAX_VALUE) {
			return false;
		}
		if (latest != Long.MAX_VALUE) {
			next = Math.min(next, latest + LONGEST_WAIT_NANOS);
		}
		this.now = Math.max(this.now, next);
		return true;
	}

	long nextNumber() {
		return this.tasks++;
	}

	void remove(Lane lane) {
		this.lanes.remove(lane);
	}

	/**
	 * Something to do.
	 *
	 * @param number its place among all tasks
	 * @param due when it may run
	 * @param what what the trace says of it
	 */
	record Task(long number, long due, String what, Runnable action) implements Comparable<Task> {

		@Override
		public int compareTo(@Nullable Task other) {
			int byTime = Long.compare(this.due, other.due);
			return (byTime != 0) ? byTime : Long.compare(this.number, other.number);
		}

	}

}
