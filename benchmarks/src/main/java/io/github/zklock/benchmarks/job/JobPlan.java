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

package io.github.zklock.benchmarks.job;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What all nodes of a cluster run: three items at each planned time.
 *
 * @param records the file to which all nodes add what their items do
 * @param second the second of the minute at which a planned time is
 * @param period the time from one planned time to the next, a divisor of a minute
 * @param work how long an item works
 */
record JobPlan(Path records, int second, Duration period, Duration work) {

	static final int ITEMS = 3;

	static final String JOB = "items";

	/**
	 * Return the planned times, as Spring and Quartz write them but for what follows.
	 * @return the second and the minute
	 */
	String seconds() {
		return this.second % this.period.toSeconds() + "/" + this.period.toSeconds() + " *";
	}

	/**
	 * Return the first planned time after a time.
	 * @param nanos the time
	 * @return the planned time
	 */
	long next(long nanos) {
		long offset = System.currentTimeMillis() * 1_000_000 - System.nanoTime();
		long periods = Math.floorDiv(nanos + offset - this.second * 1_000_000_000L, this.period.toNanos()) + 1;
		return periods * this.period.toNanos() + this.second * 1_000_000_000L - offset;
	}

	/**
	 * Return the file that makes an item long: its text is the number of the item, and
	 * the item ends when the file does.
	 * @return the file
	 */
	Path longItem() {
		return this.records.resolveSibling("long");
	}

	String[] arguments(String connectString) {
		return new String[] { connectString, this.records.toString(), Integer.toString(this.second),
				this.period.toString(), this.work.toString() };
	}

	static JobPlan of(String[] arguments) {
		return new JobPlan(Path.of(arguments[1]), Integer.parseInt(arguments[2]), Duration.parse(arguments[3]),
				Duration.parse(arguments[4]));
	}

}
