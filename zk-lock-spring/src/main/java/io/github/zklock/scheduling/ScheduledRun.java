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

import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

import io.github.zklock.core.LockJob;
import io.github.zklock.core.LockTick;
import org.jspecify.annotations.Nullable;

/**
 * One run of a task that Spring has scheduled. The thread on which it runs keeps it until
 * a guarded method takes it.
 *
 * @since 0.1.0
 */
public final class ScheduledRun {

	private static final ThreadLocal<ScheduledRun> CURRENT = new ThreadLocal<>();

	// No method has this name, so any guarded method takes the run.
	private static final String UNNAMED = "";

	private final RunPlan plan;

	// The run that is split into shards of which this is one.
	private final @Nullable ScheduledRun whole;

	private volatile boolean guarded;

	private volatile @Nullable Thread caller;

	private @Nullable RunShards shards;

	// Why the last attempt of the caller did not begin.
	private @Nullable Throwable failure;

	// Why this shard did not take place.
	private @Nullable Throwable refusal;

	ScheduledRun(RunPlan plan, @Nullable ScheduledRun whole) {
		this.plan = plan;
		this.whole = whole;
	}

	static ScheduledRun at(String task, @Nullable Instant time, @Nullable MissedRuns missed) {
		return new ScheduledRun(RunPlan.at(task, time, false, missed), null);
	}

	static ScheduledRun every(String task, Duration period) {
		return new ScheduledRun(RunPlan.every(task, period), null);
	}

	/** Return a run that is only to take place if no node has run its tick. */
	static ScheduledRun late(String task, Instant time, MissedRuns missed) {
		return new ScheduledRun(RunPlan.at(task, time, true, missed), null);
	}

	/** Return a run that repeats another one, settled when it begins or cannot. */
	static ScheduledRun again(String task, LockJob.Run died, MissedRuns missed, Runnable settled) {
		return new ScheduledRun(RunPlan.at(task, died.time(), true, missed).repeating(died, settled), null);
	}

	/**
	 * Return a run that is started by hand.
	 * @param begun ends when the method begins, or fails if it does not
	 */
	static ScheduledRun byHand(String task, Instant now, @Nullable Duration period,
			CompletableFuture<@Nullable Void> begun) {
		RunPlan plan = (period != null) ? RunPlan.every(task, period) : RunPlan.at(task, now, false, null);
		return new ScheduledRun(plan.byHand(begun), null);
	}

	/**
	 * Return this run as one that is for some objects, or one shard only.
	 * @param wanted whether the method is to be called on an object, or {@code null} if
	 * it is for any
	 * @param shard the shard, or {@code null} for all
	 */
	ScheduledRun on(@Nullable Predicate<Object> wanted, @Nullable Integer shard) {
		return new ScheduledRun(this.plan.on(wanted, shard), null);
	}

	/**
	 * Run a task on this thread, as a scheduler with a cron expression does. The first
	 * guarded method that the task calls takes the run. Use it for tests, and for
	 * schedulers other than Spring's.
	 * @param time the time for which the run is planned
	 * @param task the task
	 */
	public static void callAt(Instant time, Runnable task) {
		at(UNNAMED, time, null).call(task);
	}

	/**
	 * Run a task on this thread, as a node does that makes up for a missed run. The first
	 * guarded method that the task calls takes the run. Use it for tests.
	 * @param time the time for which the run was planned
	 * @param task the task
	 */
	public static void callLate(Instant time, Runnable task) {
		new ScheduledRun(RunPlan.at(UNNAMED, time, true, null), null).call(task);
	}

	/**
	 * Run a task on this thread, as a scheduler with a period does. The first guarded
	 * method that the task calls takes the run. Use it for tests, and for schedulers
	 * other than Spring's.
	 * @param period the time between two runs
	 * @param task the task
	 */
	public static void callEvery(Duration period, Runnable task) {
		every(UNNAMED, period).call(task);
	}

	/**
	 * Take the run of this thread for a call of a guarded method, so that no other call
	 * takes it. Other methods do not take the run of a {@code @Scheduled} method.
	 * @param method the method
	 * @param targetClass the class of the object it is called on
	 * @param proxy the proxy it is called through, if any
	 * @return the run, or {@code null} if the call is not the one that was scheduled
	 */
	public static @Nullable ScheduledRun take(Method method, Class<?> targetClass, @Nullable Object proxy) {
		ScheduledRun run = peek(method, targetClass, proxy);
		if (run != null) {
			CURRENT.remove();
		}
		return run;
	}

	/**
	 * Return the run that {@link #take} would take.
	 * @param method the method
	 * @param targetClass the class of the object it is called on
	 * @param proxy the proxy it is called through, if any
	 * @return the run, or {@code null} if the call is not the one that was scheduled
	 */
	public static @Nullable ScheduledRun peek(Method method, Class<?> targetClass, @Nullable Object proxy) {
		ScheduledRun run = CURRENT.get();
		boolean other = run != null && TaskText.isOfMethod(run.plan.task())
				&& !TaskText.isOf(run.plan.task(), method, targetClass, proxy);
		return other ? null : run;
	}

	/**
	 * Return whether this run is meant for an object. The beans of a class have tasks
	 * with one text.
	 * @param target the object on which the method is called
	 * @return whether it is
	 */
	public boolean isFor(Object target) {
		Predicate<Object> wanted = this.plan.wanted();
		return wanted == null || wanted.test(target);
	}

	/**
	 * Take note that the method was to be called on another object.
	 */
	public void isOfAnother() {
		CompletableFuture<@Nullable Void> begun = this.plan.begun();
		if (begun != null) {
			begun.cancel(false);
		}
	}

	/**
	 * Take the run of this thread for a lock whose method is not known, so that no other
	 * call takes it.
	 * @param wanted whether the lock belongs to a task, called with the text of the task
	 * @return the run, or {@code null} if there is no run, or it is not wanted
	 */
	public static @Nullable ScheduledRun takeTask(Predicate<String> wanted) {
		ScheduledRun run = CURRENT.get();
		if (run == null || !wanted.test(run.plan.task())) {
			return null;
		}
		CURRENT.remove();
		return run;
	}

	/**
	 * Return the text of the task.
	 * @return the text
	 */
	public String task() {
		return this.plan.task();
	}

	/**
	 * Return the tick of the run.
	 * @param schedule the name of the schedule, the same on all nodes
	 * @param shortestPeriod the shortest period for which runs are ticks
	 * @return the tick, or {@code null} if the period is shorter
	 */
	public @Nullable LockTick toTick(String schedule, Duration shortestPeriod) {
		return this.plan.toTick(schedule, shortestPeriod);
	}

	/**
	 * Return whether this run was not planned for now. Without a lock it must not take
	 * place.
	 * @return whether it only makes up for another run
	 */
	public boolean isLate() {
		return this.plan.late();
	}

	/**
	 * Return what looks for missed runs of the task.
	 * @return the missed runs, or {@code null} if the task has no cron expression
	 */
	public @Nullable MissedRuns missed() {
		return this.plan.missed();
	}

	/**
	 * Take note that the guarded method begins, so that the run takes place on this node.
	 */
	public void begins() {
		this.guarded = true;
		if (this.whole != null) {
			this.whole.guarded = true;
		}
		complete();
		settled();
	}

	/**
	 * Take note that the tick of this run has begun, here or on another node, or may not
	 * begin again. Has an effect only on a run that repeats another one.
	 */
	public void settled() {
		RunPlan.Repeat repeat = this.plan.repeat();
		if (repeat != null) {
			repeat.settled().run();
		}
	}

	/**
	 * Return the run that this run repeats.
	 * @return the run, or {@code null} if it is not known to repeat one
	 */
	public LockJob.@Nullable Run died() {
		RunPlan.Repeat repeat = this.plan.repeat();
		return (repeat != null) ? repeat.died() : null;
	}

	/**
	 * Return whether the guarded method has begun.
	 * @return whether it has
	 */
	public boolean hasBegun() {
		return this.guarded;
	}

	/**
	 * Take note that the method of a run by hand begins without a lock.
	 */
	public void beginsUnguarded() {
		complete();
	}

	/**
	 * Take note that a method begins without a lock. If it is the scheduled one, the run
	 * of this thread has begun, but is left to the guarded methods that it calls.
	 * @param method the method
	 * @param targetClass the class of the object it is called on
	 * @param proxy the proxy it is called through, if any
	 */
	public static void beginsUnguarded(Method method, Class<?> targetClass, @Nullable Object proxy) {
		ScheduledRun run = CURRENT.get();
		if (run != null && TaskText.isOf(run.plan.task(), method, targetClass, proxy)) {
			run.complete();
		}
	}

	private void complete() {
		CompletableFuture<@Nullable Void> begun = this.plan.begun();
		if (begun != null) {
			begun.complete(null);
		}
	}

	/**
	 * Take note that the method does not begin.
	 * @param refusal why not
	 * @return whether the refusal was reported, since the run was started by hand
	 */
	public boolean isRefused(Throwable refusal) {
		CompletableFuture<@Nullable Void> begun = this.plan.begun();
		if (isShard()) {
			// Another shard may begin.
			this.refusal = refusal;
			return begun != null;
		}
		return begun != null && begun.completeExceptionally(refusal);
	}

	/**
	 * Return whether this run is one shard of a run of this node.
	 * @return whether it is
	 */
	public boolean isShard() {
		return this.whole != null;
	}

	/**
	 * Return which shard it is, or the only one that it is for.
	 * @return the number, or {@code null} if it is for all
	 */
	public @Nullable Integer shard() {
		return this.plan.shard();
	}

	/**
	 * Return the shards of this run, which has begun on its thread.
	 * @return the shards
	 */
	public RunShards shards() {
		return Objects.requireNonNull(this.shards, "It is called");
	}

	/**
	 * Return why this shard did not take place.
	 * @return the reason, or {@code null} if it did
	 */
	public @Nullable Throwable refusal() {
		return this.guarded ? null : this.refusal;
	}

	/**
	 * Take note that the method cannot begin, for another reason than a refusal. On the
	 * thread of the task, advice around it may try again.
	 * @param failure the reason
	 */
	public void cannotBegin(Throwable failure) {
		if (Thread.currentThread() == this.caller) {
			this.failure = failure;
		}
		else {
			isRefused(failure);
		}
	}

	void call(Runnable task) {
		ScheduledRun outer = CURRENT.get();
		CURRENT.set(this);
		this.caller = Thread.currentThread();
		RunShards known = new RunShards(this, this.plan, task);
		this.shards = known;
		try {
			task.run();
			known.throwFailure();
			if (this.failure != null) {
				isRefused(this.failure);
			}
			else if (CURRENT.get() == this) {
				// No guarded method was called.
				complete();
			}
		}
		catch (RuntimeException | Error ex) {
			isRefused(ex);
			throw ex;
		}
		finally {
			known.end();
			this.caller = null;
			if (outer != null) {
				CURRENT.set(outer);
			}
			else {
				CURRENT.remove();
			}
		}
	}

}
