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

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Objects;
import java.util.function.Function;

import io.github.zklock.core.LockTick;
import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.support.CronExpression;

/**
 * The ticks of a cron expression, for schedulers other than Spring's. Each call of
 * {@link #latest} returns the tick that is due. Add it to a request with
 * {@code LockRequest.withTick}. {@code @Scheduled} methods do not need this class. A
 * scheduler that knows the planned time, as Quartz does with
 * {@code getScheduledFireTime()}, needs only {@link LockTick#at}. <pre class="code">
 * CronTicks ticks = new CronTicks("nightly", "0 0 4 * * *", ZoneId.of("Europe/Berlin"));
 * locks.execute(LockRequest.of("report").withTick(ticks.latest(Instant.now())), ...);
 * </pre>
 *
 * @since 0.1.0
 */
public final class CronTicks {

	// An expression without a tick in all that time does not name an existing date.
	private static final Duration LONGEST = Duration.ofDays(366 * 9);

	// No change of the clocks is felt for so long.
	private static final Duration FAR = Duration.ofHours(26);

	private static final int MOST_FOLLOWED = 5_000;

	private final String schedule;

	private final CronExpression expression;

	private final ZoneId zone;

	/**
	 * Create the ticks.
	 * @param schedule the name of the schedule, the same on all nodes, and different for
	 * each job
	 * @param expression the cron expression, of six fields as in {@code @Scheduled}
	 * @param zone the time zone, the same on all nodes
	 */
	public CronTicks(String schedule, String expression, ZoneId zone) {
		this(schedule, CronExpression.parse(expression), zone);
	}

	/**
	 * Create the ticks.
	 * @param schedule the name of the schedule, the same on all nodes, and different for
	 * each job
	 * @param expression the cron expression
	 * @param zone the time zone, the same on all nodes
	 */
	public CronTicks(String schedule, CronExpression expression, ZoneId zone) {
		this.schedule = Objects.requireNonNull(schedule, "schedule must not be null");
		this.expression = Objects.requireNonNull(expression, "expression must not be null");
		this.zone = Objects.requireNonNull(zone, "zone must not be null");
	}

	/**
	 * Return the latest tick that is not after a time. A scheduler whose timer may fire a
	 * little early must pass a slightly later time. Otherwise it gets the previous tick.
	 * @param now the time
	 * @return the tick
	 * @throws IllegalArgumentException if the expression has had no tick in the nine
	 * years before
	 */
	public LockTick latest(Instant now) {
		Instant latest = latest(this::next, now, LONGEST, this.zone.getRules());
		if (latest == null) {
			throw new IllegalArgumentException(
					"The cron expression '" + this.expression + "' has had no tick in the years before " + now);
		}
		return LockTick.at(this.schedule, latest);
	}

	/**
	 * Return the latest time that is not after another time, of those that a scheduler
	 * plans. Around a change of the clocks the next time depends on where it is asked
	 * from, and a scheduler asks from the time before. So the times are followed from a
	 * time well before.
	 * @param next returns the next time, or {@code null} if there is none
	 * @param longest for how long ago it is searched at least
	 * @return the time, or {@code null} if there was none for so long
	 */
	static @Nullable Instant latest(Function<Instant, @Nullable Instant> next, Instant now, Duration longest) {
		return latest(next, now, longest, null);
	}

	private static @Nullable Instant latest(Function<Instant, @Nullable Instant> next, Instant now, Duration longest,
			@Nullable ZoneRules rules) {
		Instant found = search(next, now, longest);
		Instant before = (found != null) ? search(next, found.minus(FAR), LONGEST) : null;
		Instant begin = (before != null) ? search(next, before.minus(FAR), LONGEST) : null;
		return (begin != null && mayChange(rules, begin, now)) ? follow(next, begin, now, found) : found;
	}

	// Following the times of a frequent job takes thousands of steps. They find another
	// time only near a change of the clocks, after it or before it.
	private static boolean mayChange(@Nullable ZoneRules rules, Instant begin, Instant now) {
		if (rules == null) {
			return true;
		}
		ZoneOffsetTransition change = rules.nextTransition(begin.minus(FAR));
		return change != null && !change.getInstant().isAfter(now.plus(FAR));
	}

	// Times that are too many to be followed, or do not grow, stay as they were found.
	private static @Nullable Instant follow(Function<Instant, @Nullable Instant> next, Instant begin, Instant now,
			@Nullable Instant found) {
		Instant time = begin;
		for (int i = 0; i < MOST_FOLLOWED; i++) {
			Instant after = next.apply(time);
			if (after == null || after.isAfter(now)) {
				return time;
			}
			if (!after.isAfter(time)) {
				return found;
			}
			time = after;
		}
		return found;
	}

	/**
	 * Return the first time after another one. Around a change of the clocks by half an
	 * hour, Spring's cron expressions return a time again. They are then asked from later
	 * and later times.
	 * @param next returns the next time, or {@code null} if there is none
	 * @param time the time that was returned before
	 * @param again what was returned for it
	 * @return a later time, or {@code null} if there is none
	 */
	static @Nullable Instant after(Function<Instant, @Nullable Instant> next, Instant time, @Nullable Instant again) {
		Instant after = again;
		Duration step = Duration.ofMinutes(1);
		while (after != null && !after.isAfter(time) && step.compareTo(FAR) < 0) {
			after = next.apply(time.plus(step));
			step = step.multipliedBy(2);
		}
		return (after != null && after.isAfter(time)) ? after : null;
	}

	// An expression only returns the next time. So the latest time is searched for
	// between now and a time whose next tick is in the past. Each step halves the rest,
	// even if the next time does not grow.
	private static @Nullable Instant search(Function<Instant, @Nullable Instant> next, Instant now, Duration longest) {
		Instant found = first(next, now, longest);
		if (found == null) {
			return null;
		}
		Instant begin = found;
		Instant end = now;
		while (Duration.between(begin, end).compareTo(Duration.ofMillis(1)) > 0) {
			Instant middle = begin.plus(Duration.between(begin, end).dividedBy(2));
			Instant after = next.apply(middle);
			if (after == null || after.isAfter(now)) {
				end = middle;
			}
			else if (after.isAfter(middle)) {
				found = after;
				begin = after;
			}
			else {
				begin = middle;
			}
		}
		return found;
	}

	private static @Nullable Instant first(Function<Instant, @Nullable Instant> next, Instant now, Duration longest) {
		Duration back = Duration.ofMillis(500);
		while (back.compareTo(longest) < 0) {
			back = back.multipliedBy(2);
			Instant begin = now.minus(back);
			Instant after = next.apply(begin);
			if (after != null && after.isAfter(begin) && !after.isAfter(now)) {
				return after;
			}
		}
		return null;
	}

	private @Nullable Instant next(Instant time) {
		ZonedDateTime next = this.expression.next(time.atZone(this.zone));
		return (next != null) ? next.toInstant() : null;
	}

	@Override
	public String toString() {
		return this.schedule + " (" + this.expression + ", " + this.zone + ")";
	}

}
