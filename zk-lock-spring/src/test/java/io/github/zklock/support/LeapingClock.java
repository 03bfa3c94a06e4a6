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

package io.github.zklock.support;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

import org.springframework.scheduling.support.CronExpression;

/**
 * A clock that goes as fast as others, but leaves out the time between two ticks of a
 * cron expression: each reading is at most a moment before the next tick. A scheduler
 * that reads it runs a daily job several times a second.
 */
public final class LeapingClock extends Clock {

	private static final Duration LEAD = Duration.ofMillis(150);

	private final CronExpression cron;

	private Instant time;

	private long read;

	private boolean begun;

	/**
	 * Create the clock.
	 * @param cron the expression, in UTC
	 * @param start the time of the first reading, unless it leaps
	 */
	public LeapingClock(String cron, Instant start) {
		this.cron = CronExpression.parse(cron);
		this.time = start;
	}

	/**
	 * Return the tick that follows a time.
	 * @param time the time
	 * @return the tick
	 */
	public Instant tickAfter(Instant time) {
		return this.cron.next(time.atZone(ZoneOffset.UTC)).toInstant();
	}

	@Override
	public synchronized Instant instant() {
		long now = System.nanoTime();
		this.time = this.time.plusNanos(this.begun ? now - this.read : 0);
		this.read = now;
		this.begun = true;
		Instant leap = tickAfter(this.time).minus(LEAD);
		this.time = this.time.isBefore(leap) ? leap : this.time;
		return this.time;
	}

	@Override
	public ZoneId getZone() {
		return ZoneOffset.UTC;
	}

	@Override
	public Clock withZone(ZoneId zone) {
		throw new UnsupportedOperationException();
	}

}
