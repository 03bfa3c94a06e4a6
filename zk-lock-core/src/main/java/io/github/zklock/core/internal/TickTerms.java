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

package io.github.zklock.core.internal;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * On which terms a {@link io.github.zklock.core.LockTick} may run.
 *
 * @param maxAttempts how often it may begin to run
 * @param attempt which attempt it is, from 1
 * @param late whether no node may have run it, although its time has come
 * @param byHand whether it was started by hand
 * @param yielding how much earlier a tick may be that runs first, or {@code null} for
 * none
 * @param shard which shard of its tick it is, from 0
 * @param shards into how many shards the tick is split
 * @since 0.1.0
 */
public record TickTerms(int maxAttempts, int attempt, boolean late, boolean byHand, @Nullable Duration yielding,
		int shard, int shards) {

	/** The most shards into which a tick can be split. */
	public static final int MOST_SHARDS = 100;

	private static final Duration SHORTEST_PERIOD = Duration.ofMillis(1);

	private static final Instant LAST_TIME = Instant.parse("9999-12-31T23:59:59.999Z");

	/** One attempt at its time, not split. */
	public static final TickTerms DEFAULT = new TickTerms(1, 1, false, false, null, 0, 1);

	/**
	 * Check when a tick is planned.
	 * @param tick the begin of a message
	 * @throws IllegalArgumentException if it has not one of a time and a period, or one
	 * out of bounds
	 */
	public static void checkPlan(String tick, @Nullable Instant time, Duration period, Duration longestPeriod) {
		if ((time != null) == !period.isZero()) {
			throw new IllegalArgumentException(
					tick + "the time is " + time + " and the period is " + period + "; give one of them");
		}
		if (time != null && (time.isBefore(Instant.EPOCH) || time.isAfter(LAST_TIME))) {
			throw new IllegalArgumentException(
					tick + "the time is " + time + "; use one between the years 1970 and 9999");
		}
		if (time == null && (period.compareTo(SHORTEST_PERIOD) < 0 || period.compareTo(longestPeriod) > 0)) {
			throw new IllegalArgumentException(tick + "the period is " + period
					+ "; use at least a millisecond and at most " + longestPeriod.toDays() + " days");
		}
	}

	/** Return the terms of a run by hand. */
	public TickTerms toByHand() {
		return new TickTerms(1, 1, false, true, null, this.shard, this.shards);
	}

	/** Return the terms of a run that is late. */
	public TickTerms toLate() {
		return new TickTerms(this.maxAttempts, this.attempt, true, this.byHand, null, this.shard, this.shards);
	}

	/** Return the terms with another number of attempts. */
	public TickTerms withMaxAttempts(int number) {
		return new TickTerms(number, this.attempt, this.late, this.byHand, this.yielding, this.shard, this.shards);
	}

	/** Return the terms of another attempt. */
	public TickTerms withAttempt(int number) {
		return new TickTerms(this.maxAttempts, number, this.late, this.byHand, this.yielding, this.shard, this.shards);
	}

	/** Return the terms of a tick that lets earlier ticks run first. */
	public TickTerms withYielding(Duration bound) {
		return new TickTerms(this.maxAttempts, this.attempt, this.late, this.byHand, bound, this.shard, this.shards);
	}

	/** Return the terms of one shard. */
	public TickTerms withShard(int number, int of) {
		return new TickTerms(this.maxAttempts, this.attempt, this.late, this.byHand, this.yielding, number, of);
	}

}
