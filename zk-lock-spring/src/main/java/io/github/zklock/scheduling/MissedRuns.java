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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.zklock.core.LockJob;
import io.github.zklock.core.LockJob.Outcome;
import io.github.zklock.core.spi.JobStore.EarlierPause;
import io.github.zklock.core.spi.JobStore.State;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.task.TaskRejectedException;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.TriggerContext;
import org.springframework.scheduling.support.SimpleTriggerContext;

/**
 * The ticks of a task that its nodes may have missed. A look is one more run of the task
 * through its scheduler. It is for the tick whose run has died. When that is settled, or
 * no run has died, it is for the latest tick that was planned, except in a pause. The
 * lock refuses a tick that has run.
 *
 * @since 0.1.0
 */
public final class MissedRuns {

	private static final Logger logger = LoggerFactory.getLogger(MissedRuns.class);

	// A pause between two looks for one tick doubles up to 32 seconds.
	private static final int MOST_DOUBLINGS = 5;

	private final TaskScheduler scheduler;

	private final Runnable task;

	private final String text;

	private final Trigger trigger;

	// The keys on which a look waits.
	private final Set<String> waiting = new HashSet<>();

	// How often it was looked for the present tick of a key.
	private final Map<String, Integer> looks = new HashMap<>();

	private volatile boolean cancelled;

	private volatile boolean closing;

	MissedRuns(TaskScheduler scheduler, Runnable task, Trigger trigger) {
		this.scheduler = scheduler;
		this.task = task;
		this.text = TaskText.of(task);
		this.trigger = trigger;
	}

	String task() {
		return this.text;
	}

	void cancel() {
		this.cancelled = true;
	}

	void takeNoMoreShards() {
		this.closing = true;
	}

	boolean isClosing() {
		return this.closing;
	}

	// Another tick: the next look comes at once.
	synchronized void planned() {
		this.looks.clear();
	}

	/**
	 * Look for a missed tick now.
	 * @param job the job of the task
	 */
	public void look(Job job) {
		look(new Look(job, Duration.ZERO, null));
	}

	/**
	 * Look for a missed tick when what keeps it from running is gone. While one look
	 * waits, another call for the same key has no effect.
	 * @param key the key of the job
	 * @param obstacle begins to watch that
	 * @param job the job of the task
	 */
	public void lookAfter(String key, Supplier<CompletableFuture<?>> obstacle, Job job) {
		synchronized (this) {
			if (!this.waiting.add(key)) {
				return;
			}
		}
		watched(obstacle).whenComplete((none, failure) -> look(new Look(job, pause(key), null)));
	}

	// An obstacle that cannot be watched must not end all looks.
	private CompletableFuture<?> watched(Supplier<CompletableFuture<?>> obstacle) {
		try {
			return obstacle.get();
		}
		catch (RuntimeException ex) {
			logger.debug("What keeps a tick of {} from running cannot be watched", this.task, ex);
			return CompletableFuture.completedFuture(null);
		}
	}

	private synchronized Duration pause(String key) {
		this.waiting.remove(key);
		int doublings = Math.min(this.looks.merge(key, 1, Integer::sum) - 1, MOST_DOUBLINGS);
		return (doublings == 0) ? Duration.ZERO : Duration.ofSeconds(1L << doublings);
	}

	/**
	 * Run the task once more now, beside a run that goes on.
	 * @param run returns the run, or {@code null} if it is not needed any more
	 */
	void beside(Supplier<@Nullable ScheduledRun> run) {
		try {
			this.scheduler.schedule(new ScheduledRunTask(this.task, run), Instant.EPOCH);
		}
		catch (TaskRejectedException ex) {
			logger.debug("No other shard of {} runs beside: its scheduler has ended", this.task, ex);
		}
	}

	private void look(Look look) {
		try {
			this.scheduler.schedule(new ScheduledRunTask(this.task, look::begin), look);
		}
		catch (TaskRejectedException ex) {
			logger.debug("No missed tick of {} is looked for: its scheduler has ended", this.task, ex);
		}
	}

	/**
	 * The trigger of one look. Only the scheduler that runs the task knows its clock.
	 */
	private final class Look implements Trigger {

		private final Job job;

		private final Duration pause;

		// What the look before this one has found.
		private final LockJob.@Nullable Run settled;

		private volatile @Nullable Clock clock;

		Look(Job job, Duration pause, LockJob.@Nullable Run settled) {
			this.job = job;
			this.pause = pause;
			this.settled = settled;
		}

		@Override
		public @Nullable Instant nextExecution(TriggerContext context) {
			if (this.clock != null) {
				return null;
			}
			this.clock = context.getClock();
			return context.getClock().instant().plus(this.pause);
		}

		@Nullable ScheduledRun begin() {
			Clock known = Objects.requireNonNull(this.clock, "The look has a time");
			String key = this.job.key();
			State state = MissedRuns.this.cancelled ? null : this.job.read(key);
			LockJob.Run last = (state != null) ? last(state) : null;
			// A run that goes on may die.
			if (state == null || (last != null && last.outcome() == Outcome.RUNNING)) {
				if (!MissedRuns.this.cancelled) {
					lookAfter(key, () -> this.job.whenReadable(key), this.job);
				}
				return null;
			}
			Instant now = known.instant();
			Instant time = latest(now, known.getZone(), pauses(state));
			LockJob.Run dead = hasDied(last) ? last : null;
			if (dead != null && !dead.equals(this.settled) && isYoung(dead.time(), now)) {
				return ScheduledRun.again(task(), dead, MissedRuns.this, () -> lookFurther(dead, time))
					.on(this.job.wanted(), this.job.shard());
			}
			// A shard that has never run is not made up for.
			boolean unknown = last == null && this.job.shard() != null;
			return (time != null && isYoung(time, now) && !unknown)
					? ScheduledRun.late(task(), time, MissedRuns.this).on(this.job.wanted(), this.job.shard()) : null;
		}

		private LockJob.@Nullable Run last(State state) {
			return state.runs().stream().filter((run) -> run.time() != null).findFirst().orElse(null);
		}

		private boolean hasDied(LockJob.@Nullable Run run) {
			return run != null && (run.outcome() == Outcome.LOST || run.outcome() == Outcome.INTERRUPTED);
		}

		// The present pause may end before the run begins.
		private List<EarlierPause> pauses(State state) {
			if (state.pause() == null) {
				return state.pauses();
			}
			EarlierPause present = new EarlierPause(state.pause().since(), Instant.MAX);
			return Stream.concat(Stream.of(present), state.pauses().stream()).toList();
		}

		// The pauses have the times of the servers, like the plans of a node whose clock
		// is right.
		private @Nullable Instant latest(Instant now, ZoneId zone, List<EarlierPause> pauses) {
			Instant latest = CronTicks.latest((before) -> next(before, zone), now, this.job.within());
			for (EarlierPause pause : pauses) {
				if (latest != null && pause.contains(latest)) {
					latest = CronTicks.latest((before) -> next(before, zone), pause.since().minusMillis(1),
							this.job.within());
				}
			}
			return latest;
		}

		// A node whose clock is behind plans the tick later.
		private boolean isYoung(@Nullable Instant time, Instant now) {
			return time != null && !time.isAfter(now) && Duration.between(time, now).compareTo(this.job.within()) < 0;
		}

		private void lookFurther(LockJob.Run dead, @Nullable Instant latest) {
			if (latest != null && latest.isAfter(Objects.requireNonNull(dead.time(), "It was planned"))) {
				look(new Look(this.job, Duration.ZERO, dead));
			}
		}

		private @Nullable Instant next(Instant time, ZoneId zone) {
			return MissedRuns.this.trigger.nextExecution(new SimpleTriggerContext(Clock.fixed(time, zone)));
		}

	}

	/**
	 * The job of a task.
	 */
	public interface Job {

		/**
		 * Return how long after its time a tick may be made up for.
		 * @return the time
		 */
		Duration within();

		/**
		 * Return which objects the job belongs to, if the beans of its class have tasks
		 * with one text.
		 * @return whether the method is to be called on an object, or {@code null} if it
		 * is for any
		 */
		default @Nullable Predicate<Object> wanted() {
			return null;
		}

		/**
		 * Return which shard of the job is looked for.
		 * @return the number, or {@code null} for all, or if it has none
		 */
		default @Nullable Integer shard() {
			return null;
		}

		/**
		 * Return its key, which may be computed.
		 * @return the present key, empty if it cannot be computed now
		 */
		String key();

		/**
		 * Read what is known of it.
		 * @param key the key of the job
		 * @return the state, or {@code null} if it cannot be read now
		 */
		@Nullable State read(String key);

		/**
		 * Return what ends when it can be read and no run goes on, or earlier.
		 * @param key the key of the job
		 * @return a future that never fails
		 */
		CompletableFuture<?> whenReadable(String key);

	}

}
