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

package io.github.zklock.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import io.github.zklock.core.internal.DurationText;
import io.github.zklock.core.internal.LockKeys;
import org.jspecify.annotations.Nullable;

/**
 * Other holders had the lock for the whole timeout, or the {@linkplain LockTick planned
 * run} that it was for has happened. The backend answered; trying again later is
 * reasonable, though not for the same run.
 *
 * @since 0.1.0
 * @see LockUnavailableException
 */
@SuppressWarnings("serial")
public class LockNotAcquiredException extends LockException {

	private final transient @Nullable LockTick tick;

	private final transient @Nullable LockHolder holder;

	private final int diedAttempts;

	private final transient @Nullable Instant pausedSince;

	private final transient @Nullable LockTick run;

	/**
	 * Create the exception.
	 * @param request the request
	 * @param waited how long the caller waited
	 * @param holder the holder of the lock, if known
	 */
	public LockNotAcquiredException(LockRequest request, Duration waited, @Nullable LockHolder holder) {
		this(request, waited, holder, "");
	}

	/**
	 * Create the exception with a remark.
	 * @param request the request
	 * @param waited how long the caller waited
	 * @param holder the holder of the lock, if known
	 * @param remark a remark to add to the message, or empty
	 */
	public LockNotAcquiredException(LockRequest request, Duration waited, @Nullable LockHolder holder, String remark) {
		super(message(request, holder, remark), null, request.key(), request.mode(), waited);
		this.holder = holder;
		this.tick = null;
		this.diedAttempts = 0;
		this.pausedSince = null;
		this.run = null;
	}

	private LockNotAcquiredException(LockRequest request, Duration waited, String reason, @Nullable LockHolder runner,
			int diedAttempts, @Nullable Instant pausedSince, @Nullable LockTick run) {
		super(LockKeys.describe(request.key(), request.mode()) + " not acquired: " + request.tick() + reason
				+ ((runner != null) ? "; run by " + ago(runner) : ""), null, request.key(), request.mode(), waited);
		this.tick = Objects.requireNonNull(request.tick(), "The request is for no tick");
		this.holder = runner;
		this.diedAttempts = diedAttempts;
		this.pausedSince = pausedSince;
		this.run = run;
	}

	/**
	 * Create the exception for a key that its last holder keeps taken for a time, whether
	 * or not that holder still uses it.
	 * @param request the request
	 * @param waited how long the caller waited
	 * @param holder the holder of the lock, if known
	 * @param lockAtLeastFor how long the holder keeps the key, counted from its grant
	 * @return the exception
	 * @see LockRequest#lockAtLeastFor()
	 */
	public static LockNotAcquiredException kept(LockRequest request, Duration waited, @Nullable LockHolder holder,
			Duration lockAtLeastFor) {
		return new LockNotAcquiredException(request, waited, holder,
				"its last holder keeps it at least " + DurationText.of(lockAtLeastFor));
	}

	/**
	 * Create the exception for a tick that has run.
	 * @param request the request, which is for a tick
	 * @param waited how long the caller waited
	 * @param run the tick that has run: the same, or a later one of its schedule
	 * @param runner the node that ran it and how long ago, or {@code null} if that is not
	 * known
	 * @return the exception
	 * @see LockRequest#tick()
	 */
	public static LockNotAcquiredException hasRun(LockRequest request, Duration waited, LockTick run,
			@Nullable LockHolder runner) {
		LockTick tick = Objects.requireNonNull(request.tick(), "The request is for no tick");
		boolean same = isSameTime(tick.time(), run.time());
		String reason = same ? (tick.isPeriodic() ? " is not due, since another node runs it" : " has run already")
				: " was overtaken by the tick of " + run.time();
		return new LockNotAcquiredException(request, waited, reason, runner, 0, null, run);
	}

	/**
	 * Create the exception for a tick whose attempts have all died.
	 * @param request the request, which is for a tick
	 * @param waited how long the caller waited
	 * @param attempts the number of attempts
	 * @param runner the node that ran the last one and how long ago, or {@code null} if
	 * that is not known
	 * @return the exception
	 * @see LockTick#withMaxAttempts(int)
	 */
	public static LockNotAcquiredException hasDied(LockRequest request, Duration waited, int attempts,
			@Nullable LockHolder runner) {
		LockTick tick = Objects.requireNonNull(request.tick(), "The request is for no tick");
		return new LockNotAcquiredException(request, waited,
				" did not come to its end in " + attempts + " of " + tick.maxAttempts() + " attempts", runner, attempts,
				null, null);
	}

	/**
	 * Create the exception for a {@linkplain LockTick#late() late} tick of a job that has
	 * never run.
	 * @param request the request, which is for a tick
	 * @param waited how long the caller waited
	 * @return the exception
	 */
	public static LockNotAcquiredException hasNeverRun(LockRequest request, Duration waited) {
		return new LockNotAcquiredException(request, waited, " is not made up for, since its job has never run", null,
				0, null, null);
	}

	/**
	 * Create the exception for a tick that {@linkplain LockTick#yielding yields} to an
	 * earlier one. It may run later, so the exception has no {@linkplain #getTick tick}.
	 * @param request the request, which is for a tick
	 * @param waited how long the caller waited
	 * @return the exception
	 */
	public static LockNotAcquiredException yields(LockRequest request, Duration waited) {
		return new LockNotAcquiredException(request, waited, null,
				request.tick() + " waits for an earlier one, whose run has died");
	}

	/**
	 * Create the exception for a tick of a job that is paused.
	 * @param request the request, which is for a tick
	 * @param waited how long the caller waited
	 * @param since when the job was paused
	 * @param by who has paused it, or {@code null} if that is not known
	 * @return the exception
	 */
	public static LockNotAcquiredException paused(LockRequest request, Duration waited, Instant since,
			@Nullable String by) {
		String reason = " is paused since " + since + ((by != null) ? " by " + LockKeys.abbreviate(by) : "");
		return new LockNotAcquiredException(request, waited, reason, null, 0, since, null);
	}

	// Backends keep times in milliseconds.
	private static boolean isSameTime(@Nullable Instant one, @Nullable Instant other) {
		return (one == null || other == null) ? one == other : one.toEpochMilli() == other.toEpochMilli();
	}

	/**
	 * Return the holder of the lock when the caller gave up, or the node that ran its
	 * {@linkplain #getTick() tick}. Then the time for which it has held the lock is the
	 * time since that run.
	 * <p>
	 * It was read before this exception was created, so nothing here asks the backend.
	 * @return the holder, or {@code null} if it is not known
	 */
	public @Nullable LockHolder getHolder() {
		return this.holder;
	}

	/**
	 * Return the tick of the request, if that is the reason of the refusal. Then the tick
	 * or a later one has run, or the job is paused. The lock may be free.
	 * @return the tick, or {@code null} if the reason is another one
	 * @see LockRequest#tick()
	 */
	public @Nullable LockTick getTick() {
		return this.tick;
	}

	/**
	 * Return how many attempts at the {@linkplain #getTick() tick} have died, if the
	 * request was refused because there may be no more of them.
	 * @return the number, or 0 if the reason is another one
	 * @see LockTick#withMaxAttempts(int)
	 */
	public int getDiedAttempts() {
		return this.diedAttempts;
	}

	/**
	 * Return since when the job of the {@linkplain #getTick() tick} is paused, if the
	 * request was refused for that.
	 * @return the time, or {@code null} if the reason is another one
	 */
	public @Nullable Instant getPausedSince() {
		return this.pausedSince;
	}

	/**
	 * Return the tick that has run, if the request was refused for that. It is the tick
	 * of the request, or a later one of its schedule. It has the number of its
	 * {@linkplain LockTick#shards() shards}.
	 * @return the tick, or {@code null} if the reason is another one
	 */
	public @Nullable LockTick getRun() {
		return this.run;
	}

	private static String ago(LockHolder runner) {
		Duration since = runner.queuedFor();
		return runner.process() + ((since != null) ? " " + DurationText.of(since) + " ago" : "")
				+ ((runner.traceId() != null) ? ", trace " + LockKeys.abbreviate(runner.traceId()) : "");
	}

	private static String message(LockRequest request, @Nullable LockHolder holder, String remark) {
		String time = request.waitTime().isZero() ? "at once" : "within " + DurationText.of(request.waitTime());
		return LockKeys.describe(request.key(), request.mode()) + " not acquired " + time
				+ ((holder != null) ? "; held by " + holder : "") + (remark.isEmpty() ? "" : "; " + remark);
	}

}
