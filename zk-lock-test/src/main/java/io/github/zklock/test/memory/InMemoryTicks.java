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

package io.github.zklock.test.memory;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockJob;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.spi.JobStore;
import io.github.zklock.core.spi.JobStore.EarlierPause;
import io.github.zklock.core.spi.JobStore.Job;
import io.github.zklock.core.spi.JobStore.Pause;
import io.github.zklock.core.spi.JobStore.State;
import io.github.zklock.core.spi.RunOutcome;
import org.jspecify.annotations.Nullable;

/**
 * The runs and the pauses of jobs. Used under the monitor of the queues only.
 */
final class InMemoryTicks {

	private static final double PART_OF_A_PERIOD = 0.9;

	private static final int MOST_RUNS = 21;

	private final InMemoryClock clock;

	// The latest run of each job comes first.
	private final Map<Job, List<Run>> runs = new HashMap<>();

	private final Map<Job, Pause> pauses = new HashMap<>();

	// The latest pause of each job comes first.
	private final Map<Job, List<EarlierPause>> earlierPauses = new HashMap<>();

	InMemoryTicks(InMemoryClock clock) {
		this.clock = clock;
	}

	/**
	 * Return why a request with a tick is refused, if it is.
	 */
	@Nullable Supplier<LockException> refusal(InMemoryLockHandle handle) {
		LockTick tick = handle.request().tick();
		if (tick == null || tick.isByHand()) {
			return null;
		}
		Job job = job(handle, tick);
		Run last = runs(job).stream().findFirst().orElse(null);
		if (last != null && last.goesOnWith(tick)) {
			return null;
		}
		Pause pause = this.pauses.get(job);
		if (pause != null) {
			return () -> LockNotAcquiredException.paused(handle.request(), handle.waited(), pause.since(), pause.by());
		}
		Run run = tick.isPeriodic() ? lastInPeriod(last, handle, tick) : runAtOrAfter(job, tick);
		if (run == null && yieldsToDead(job, tick)) {
			return () -> LockNotAcquiredException.yields(handle.request(), handle.waited());
		}
		if (run == null) {
			return (tick.isRecovery() && runs(job).stream().allMatch((one) -> one.tick().isByHand()))
					? () -> LockNotAcquiredException.hasNeverRun(handle.request(), handle.waited()) : null;
		}
		if (tick.isRecoverable() && millis(tick) == millis(run.tick()) && tick.shards() == run.tick().shards()
				&& run.isUnfinished()) {
			return (run.isHeld() || run.next() <= tick.maxAttempts()) ? null : () -> LockNotAcquiredException
				.hasDied(handle.request(), handle.waited(), run.next() - 1, runner(run));
		}
		return () -> LockNotAcquiredException.hasRun(handle.request(), handle.waited(), run.tick(), runner(run));
	}

	private @Nullable Run lastInPeriod(@Nullable Run last, InMemoryLockHandle handle, LockTick tick) {
		return (last != null && last.runner.node() != handle.node()
				&& this.clock.nanoTime() - last.last < tick.period().toNanos() * PART_OF_A_PERIOD) ? last : null;
	}

	private @Nullable Run runAtOrAfter(Job job, LockTick tick) {
		return runs(job).stream()
			.filter((run) -> !run.tick().isByHand() && millis(tick) <= millis(run.tick()))
			.findFirst()
			.orElse(null);
	}

	private boolean yieldsToDead(Job job, LockTick tick) {
		return runs(job).stream()
			.filter((run) -> !run.tick().isByHand())
			.findFirst()
			.filter((run) -> run.isUnfinished() && !run.isHeld())
			.filter((run) -> tick.yieldsTo(Instant.ofEpochMilli(millis(run.tick()))))
			.isPresent();
	}

	private List<Run> runs(Job job) {
		return this.runs.getOrDefault(job, List.of());
	}

	/**
	 * Record the tick of a granted lock as run.
	 */
	void add(InMemoryLockHandle handle) {
		LockTick tick = handle.request().tick();
		if (tick != null) {
			List<Run> of = this.runs.computeIfAbsent(job(handle, tick), (job) -> new ArrayList<>());
			of.removeIf((run) -> run.tick().call().equals(tick.call()));
			of.stream()
				.filter((run) -> !tick.isPeriodic() && !tick.isByHand() && !run.tick().isByHand()
						&& millis(run.tick()) == millis(tick))
				.findFirst()
				.ifPresent((run) -> handle.attempt(run.next()));
			of.add(0, new Run(tick, handle, this.clock.nanoTime(), this.clock.instant()));
			while (of.size() > MOST_RUNS) {
				of.remove(MOST_RUNS);
			}
		}
	}

	/**
	 * Let the period begin again. Called when a lock is released.
	 */
	void ended(InMemoryLockHandle handle) {
		LockTick tick = handle.request().tick();
		if (tick != null) {
			runs(job(handle, tick)).stream().filter((run) -> run.runner == handle).forEach((run) -> {
				run.last = this.clock.nanoTime();
				run.ended = this.clock.instant();
			});
		}
	}

	void clear() {
		this.runs.clear();
		this.pauses.clear();
		this.earlierPauses.clear();
	}

	void pause(Job job, Pause pause) {
		this.pauses.putIfAbsent(job, pause);
	}

	void resume(Job job, Instant at) {
		Pause pause = this.pauses.remove(job);
		if (pause != null) {
			this.earlierPauses.computeIfAbsent(job, (unknown) -> new ArrayList<>())
				.add(0, new EarlierPause(pause.since(), at));
		}
	}

	State state(Job job) {
		return new State(this.pauses.get(job), List.copyOf(this.earlierPauses.getOrDefault(job, List.of())),
				List.copyOf(runs(job).stream().map(Run::describe).toList()));
	}

	private LockHolder runner(Run run) {
		return run.runner.holder().withQueuedFor(this.clock.since(run.at));
	}

	private static long millis(LockTick tick) {
		Instant time = tick.time();
		return (time != null) ? time.toEpochMilli() : 0;
	}

	private static Job job(InMemoryLockHandle handle, LockTick tick) {
		return new Job(tick.schedule(), tick.isPeriodic(), handle.key());
	}

	/**
	 * A run. Its last moment is when it began or, once it is over, ended.
	 */
	private static final class Run {

		private final LockTick tick;

		private final InMemoryLockHandle runner;

		private final long at;

		private final Instant began;

		private final int attempt;

		private long last;

		private @Nullable Instant ended;

		Run(LockTick tick, InMemoryLockHandle runner, long at, Instant began) {
			this.tick = tick;
			this.runner = runner;
			this.at = at;
			this.began = began;
			this.last = at;
			this.attempt = runner.attempt();
		}

		LockTick tick() {
			return this.tick;
		}

		boolean isHeld() {
			return this.ended == null && this.runner.isInUse();
		}

		// A run that never began was no attempt.
		int next() {
			return this.attempt + ((this.runner.outcome() == RunOutcome.UNUSED) ? 0 : 1);
		}

		boolean goesOnWith(LockTick call) {
			boolean done = this.ended != null && this.runner.outcome() == RunOutcome.DONE;
			return !done && this.tick.call().equals(call.call());
		}

		boolean isUnfinished() {
			return this.ended == null || this.runner.outcome().isUnfinished();
		}

		LockJob.Run describe() {
			boolean held = this.ended == null && this.runner.state() != LockState.LOST;
			LockHolder holder = this.runner.holder();
			return new JobStore.Run(this.tick.isByHand() ? null : this.tick.time(), this.tick.isByHand(), this.attempt,
					Objects.requireNonNullElse(holder.instance(), holder.application()), this.began, this.ended,
					JobStore.Run.outcome((this.ended != null) ? this.runner.outcome() : null, held));
		}

	}

}
