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
import java.util.UUID;
import java.util.regex.Pattern;

import io.github.zklock.core.internal.DurationText;
import io.github.zklock.core.internal.LockKeys;
import io.github.zklock.core.internal.LockScope;
import io.github.zklock.core.internal.TickTerms;
import org.jspecify.annotations.Nullable;

/**
 * One planned run of a job that several nodes have planned. A lock that is acquired
 * {@linkplain LockRequest#withTick for a tick} is granted only if that run has not
 * happened yet. The grant makes the run happen. What becomes of the lock and of the work
 * afterwards does not undo it. Otherwise the request ends with a
 * {@link LockNotAcquiredException} that has the
 * {@linkplain LockNotAcquiredException#getTick tick}.
 * <p>
 * There are two kinds. A tick {@linkplain #at at a time}, such as the tick of a cron
 * trigger, has the same time on all nodes. Of all requests for one schedule, key and
 * time, one is granted. Of several keys that are acquired together, the last one counts,
 * as strings sort. No request is granted once the next tick was granted. The clocks of
 * the nodes only name ticks, they decide nothing, so they need not agree. A
 * {@linkplain #every periodic} run has no time that nodes have in common. The node that
 * runs it keeps the other nodes (instances of a provider) out for 0.9 of the period. That
 * time counts from the grant, and again from the end of the run. The node itself follows
 * its own schedule.
 * <p>
 * An object of this class stands for one call. Another request with it goes on with the
 * run of that call, as a retry does after a failure. Once that run has returned, such a
 * request is refused like any other one.
 *
 * @since 0.1.0
 */
public final class LockTick {

	/**
	 * The longest period: 366 days.
	 */
	public static final Duration LONGEST_PERIOD = Duration.ofDays(366);

	private static final int MOST_ATTEMPTS = 999;

	private static final Pattern CALL = Pattern.compile("[0-9a-f]{1,32}");

	private final String schedule;

	private final @Nullable Instant time;

	private final Duration period;

	private final String call;

	private final TickTerms terms;

	private LockTick(String schedule, @Nullable Instant time, Duration period, String call) {
		Objects.requireNonNull(schedule, "schedule must not be null");
		Objects.requireNonNull(period, "period must not be null");
		Objects.requireNonNull(call, "call must not be null");
		if (schedule.isBlank()) {
			throw new IllegalArgumentException(
					"The schedule of a tick is blank; name what is planned, like the class " + "and method of the job");
		}
		String tick = "Tick of '" + LockKeys.abbreviate(schedule) + "': ";
		if (!CALL.matcher(call).matches()) {
			throw new IllegalArgumentException(tick + "the call is '" + LockKeys.abbreviate(call)
					+ "'; use 1 to 32 hexadecimal digits in lower case, others for each call");
		}
		TickTerms.checkPlan(tick, time, period, LONGEST_PERIOD);
		this.schedule = schedule;
		this.time = time;
		this.period = period;
		this.call = call;
		this.terms = TickTerms.DEFAULT;
	}

	private LockTick(LockTick tick, TickTerms terms) {
		this.schedule = tick.schedule;
		this.time = tick.time;
		this.period = tick.period;
		this.call = tick.call;
		this.terms = terms;
	}

	/**
	 * Create the tick of a run that is planned for a time, for example with a cron
	 * trigger.
	 * @param schedule what is planned
	 * @param time the time for which it is planned, not the time of the call
	 * @return the tick of a new call
	 * @throws IllegalArgumentException if the schedule is blank, or the time is before
	 * 1970 or after the year 9999
	 */
	public static LockTick at(String schedule, Instant time) {
		return at(schedule, time, newCall());
	}

	/**
	 * Create the tick of a run that is planned for a time, of a call that has its name. A
	 * call whose run has not returned goes on, so no two calls may have the same name.
	 * @param schedule what is planned
	 * @param time the time for which it is planned, not the time of the call
	 * @param call the name of the call, 1 to 32 hexadecimal digits in lower case
	 * @return the tick
	 * @throws IllegalArgumentException if the schedule is blank, the time is before 1970
	 * or after the year 9999, or the call is not hexadecimal
	 */
	public static LockTick at(String schedule, Instant time, String call) {
		Objects.requireNonNull(time, "time must not be null");
		return new LockTick(schedule, time, Duration.ZERO, call);
	}

	/**
	 * Create the tick of a periodic run.
	 * @param schedule what is planned
	 * @param period the time between two runs
	 * @return the tick of a new call
	 * @throws IllegalArgumentException if the schedule is blank, or the period is shorter
	 * than a millisecond or longer than 366 days
	 */
	public static LockTick every(String schedule, Duration period) {
		return every(schedule, period, newCall());
	}

	/**
	 * Create the tick of a periodic run, of a call that has its name.
	 * @param schedule what is planned
	 * @param period the time between two runs
	 * @param call the name of the call, 1 to 32 hexadecimal digits in lower case
	 * @return the tick
	 * @throws IllegalArgumentException if the schedule is blank, the period is shorter
	 * than a millisecond or longer than 366 days, or the call is not hexadecimal
	 */
	public static LockTick every(String schedule, Duration period, String call) {
		return new LockTick(schedule, null, period, call);
	}

	/**
	 * Return this run as one that is started by hand. It takes place whatever has run
	 * before, even while the job is paused, and keeps no planned run of a cron job from
	 * taking place.
	 * @return the run
	 */
	public LockTick byHand() {
		return new LockTick(this, this.terms.toByHand());
	}

	/**
	 * Return this tick with a number of attempts. With more than one, the tick may run
	 * again if its runner has died or was interrupted, so its work must be idempotent. A
	 * run that ended with an exception has not died. Not for periodic runs.
	 * @param maxAttempts how often the tick may begin to run. The default is 1
	 * @return the tick
	 * @throws IllegalArgumentException if the number is not between 1 and 999, or the run
	 * is periodic
	 */
	public LockTick withMaxAttempts(int maxAttempts) {
		if (maxAttempts < 1 || maxAttempts > MOST_ATTEMPTS || (maxAttempts > 1 && isPeriodic())) {
			throw new IllegalArgumentException(this + " cannot have " + maxAttempts + " attempts; use 1 to "
					+ MOST_ATTEMPTS + ", and 1 for a periodic run");
		}
		return new LockTick(this, this.terms.withMaxAttempts(maxAttempts));
	}

	/**
	 * Return this tick as one that no node may have run, although its time has come. It
	 * is refused if its job has never run.
	 * @return the tick
	 */
	public LockTick late() {
		return new LockTick(this, this.terms.toLate());
	}

	/**
	 * Return this tick as one that lets an earlier tick of its schedule run first. If the
	 * runner of the last tick has died or was interrupted, this tick is refused. So the
	 * caller must then repeat that tick, and ask for this one as {@linkplain #late()
	 * late}. By default a tick does not yield.
	 * <p>
	 * Only for integrations of schedulers that repeat ticks of their own. For a scheduled
	 * method, {@code @OncePerTick(recoverWithin)} does all of this.
	 * @param bound how much earlier the other tick may be. This tick yields to none that
	 * is earlier by as much or more
	 * @return the tick
	 */
	public LockTick yielding(Duration bound) {
		Objects.requireNonNull(bound, "bound must not be null");
		return new LockTick(this, this.terms.withYielding(bound));
	}

	/**
	 * Return this tick as another attempt at it.
	 * @param number which attempt it is, from 1 on
	 * @return the tick
	 */
	public LockTick withAttempt(int number) {
		return (number != this.terms.attempt()) ? new LockTick(this, this.terms.withAttempt(number)) : this;
	}

	/**
	 * Return this tick as one of the shards into which it is split. Each shard is a run
	 * of its own, so it needs a lock with a key of its own. A request with mode
	 * {@link LockMode#READ} is for no shard. It records into how many shards the tick is
	 * split, and is refused once that is recorded. A shard is repeated only with the same
	 * number of shards. Not for periodic runs.
	 * <p>
	 * Only for integrations of schedulers. For a scheduled method,
	 * {@code @OncePerTick(shards)} does all of this.
	 * @param shard which shard it is, from 0 on
	 * @param shards how many there are. The default is 1: the tick is not split
	 * @return the tick
	 * @throws IllegalArgumentException if the number of shards is not between 1 and 100,
	 * there is no such shard, or the run is periodic
	 */
	public LockTick withShard(int shard, int shards) {
		if (shards < 1 || shards > TickTerms.MOST_SHARDS || shard < 0 || shard >= shards
				|| (shards > 1 && isPeriodic())) {
			throw new IllegalArgumentException(this + " cannot be shard " + shard + " of " + shards + "; use 1 to "
					+ TickTerms.MOST_SHARDS + " shards, number them from 0, and do not split a periodic run");
		}
		return new LockTick(this, this.terms.withShard(shard, shards));
	}

	/**
	 * Return the tick that the calling thread runs, as set by {@link LockTemplate} and
	 * therefore by {@code @DistributedLock}. Its time is the planned one, on any node and
	 * however late it runs.
	 * @return the tick, or {@code null} if the thread runs under no lock for a tick, such
	 * as in a manual call of a job
	 */
	public static @Nullable LockTick current() {
		return LockScope.tick();
	}

	/**
	 * Return what is planned, the same text on all nodes. For a scheduled method it is
	 * the explicit name of its lock, else its class and method. Two schedules that use
	 * one key have ticks of their own.
	 * @return the text
	 */
	public String schedule() {
		return this.schedule;
	}

	/**
	 * Return the time for which the run is planned, or at which it was started by hand.
	 * Two times within one millisecond are the same.
	 * @return the time, or {@code null} if the run is periodic
	 */
	public @Nullable Instant time() {
		return this.time;
	}

	/**
	 * Return the time between two periodic runs.
	 * @return the period, or {@link Duration#ZERO} if there is a time
	 */
	public Duration period() {
		return this.period;
	}

	/**
	 * Return what distinguishes this call from all other calls.
	 * @return 1 to 32 hexadecimal digits in lower case
	 */
	public String call() {
		return this.call;
	}

	/**
	 * Return whether the run has no time that nodes have in common.
	 * @return whether it has a period instead
	 */
	public boolean isPeriodic() {
		return this.time == null;
	}

	/**
	 * Return how often the tick may begin to run.
	 * @return the number
	 */
	public int maxAttempts() {
		return this.terms.maxAttempts();
	}

	/**
	 * Return which attempt at the tick this is. It is known to the work under the lock,
	 * through {@link #current()}.
	 * @return the number, from 1
	 */
	public int attempt() {
		return this.terms.attempt();
	}

	/**
	 * Return whether this run makes up for another one: its runner has died, or no node
	 * ran the tick at its time. So it is also true for a tick that has
	 * {@linkplain #yielding yielded} to another one and runs after it.
	 * @return whether it does
	 */
	public boolean isRecovery() {
		return this.terms.late() || this.terms.attempt() > 1;
	}

	/**
	 * Return whether a run that dies is repeated, or reported if no attempt is left.
	 * @return whether the tick has several attempts, is late, or yields to earlier ticks
	 */
	public boolean isRecoverable() {
		return this.terms.maxAttempts() > 1 || this.terms.late() || this.terms.yielding() != null;
	}

	/**
	 * Return whether the run was {@linkplain #byHand() started by hand}.
	 * @return whether it was
	 */
	public boolean isByHand() {
		return this.terms.byHand();
	}

	/**
	 * Return which shard of its tick the run is.
	 * @return the number, from 0 to one less than {@link #shards()}; 0 if the tick is not
	 * split
	 */
	public int shard() {
		return this.terms.shard();
	}

	/**
	 * Return into how many shards the tick is split.
	 * @return the number, 1 if it is not split
	 */
	public int shards() {
		return this.terms.shards();
	}

	/**
	 * Return whether the tick {@linkplain #yielding yields} to one that has died. Lock
	 * providers ask it.
	 * @param earlier the time of the other tick
	 * @return whether it does
	 */
	public boolean yieldsTo(Instant earlier) {
		Duration bound = this.terms.yielding();
		return bound != null && this.time != null && earlier.isBefore(this.time)
				&& Duration.between(earlier, this.time).compareTo(bound) < 0;
	}

	private static String newCall() {
		return UUID.randomUUID().toString().replace("-", "");
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other || (other instanceof LockTick tick && this.schedule.equals(tick.schedule)
				&& Objects.equals(this.time, tick.time) && this.period.equals(tick.period)
				&& this.call.equals(tick.call) && this.terms.equals(tick.terms));
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.schedule, this.time, this.period, this.call, this.terms);
	}

	/**
	 * Return the tick in the words of a message, like
	 * {@code tick 2026-10-05T10:00:00Z of com.example.Jobs.report}.
	 */
	@Override
	public String toString() {
		String planned = (this.time != null) ? "tick " + this.time : "run every " + DurationText.of(this.period);
		return (this.terms.byHand() ? "run by hand" : planned) + " of " + LockKeys.abbreviate(this.schedule);
	}

}
