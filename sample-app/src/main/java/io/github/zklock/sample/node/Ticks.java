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

package io.github.zklock.sample.node;

import java.time.Clock;
import java.time.Duration;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Time slots that all nodes name alike, and the memory of what was done in one of them,
 * shared by all nodes.
 */
@Component
class Ticks {

	private final JdbcClient jdbc;

	private final Clock clock;

	Ticks(JdbcClient jdbc, Clock clock) {
		this.jdbc = jdbc;
		this.clock = clock;
	}

	/**
	 * Return the number of the time slot that the clock is in.
	 * @param period the length of a slot
	 * @return the same number on every node in the same slot
	 */
	long current(Duration period) {
		// A timer may fire a moment before the slot that it was set for.
		long early = period.toMillis() / 4;
		return (this.clock.millis() + early) / period.toMillis();
	}

	/**
	 * Return the last tick that a job has done on any node. Call it under the job's lock.
	 * @param job the name of the job
	 * @return the tick, or {@code 0} if there was none
	 */
	long last(String job) {
		return this.jdbc.sql("select last_tick from tick where job = ?")
			.param(job)
			.query(Long.class)
			.optional()
			.orElse(0L);
	}

	/**
	 * Remember that a job has done a tick. Call it under the job's lock.
	 * @param job the name of the job
	 * @param tick the tick
	 */
	void done(String job, long tick) {
		this.jdbc.sql("merge into tick (job, last_tick) key (job) values (?, ?)").params(job, tick).update();
	}

}
