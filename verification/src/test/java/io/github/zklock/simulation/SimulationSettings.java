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

package io.github.zklock.simulation;

import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * How many schedules to play: set by system properties.
 *
 * @param firstSeed the first seed, {@code simulation.seed}. Without it a build always
 * begins with the same seed, and a longer run begins with a random one
 * @param schedules how many seeds, {@code simulation.schedules}; with a seed only that
 * one unless it is given
 * @param nanos how long at most, {@code simulation.seconds} or {@code minutes}, in which
 * case only the time counts
 * @param reports where the report is written, {@code simulation.reports}
 */
record SimulationSettings(long firstSeed, long schedules, long nanos, Path reports) {

	private static final long SCHEDULES = Long.getLong("simulation.schedules.default", 20_000);

	static SimulationSettings fromSystemProperties() {
		Long seed = Long.getLong("simulation.seed");
		double minutes = Double.parseDouble(System.getProperty("minutes", "0"));
		long seconds = Math.round(60 * minutes) + Long.getLong("simulation.seconds", 0);
		long schedules = (seconds > 0) ? Long.MAX_VALUE : (seed != null) ? 1 : SCHEDULES;
		return new SimulationSettings((seed != null) ? seed : firstSeed(seconds > 0),
				Long.getLong("simulation.schedules", schedules),
				(seconds > 0) ? TimeUnit.SECONDS.toNanos(seconds) : Long.MAX_VALUE,
				Path.of(System.getProperty("simulation.reports", "target/simulation")));
	}

	/**
	 * Return whether it plays the same schedules each time, as many as a build does.
	 */
	boolean isFixed() {
		return !isTimed() && Long.getLong("simulation.seed") == null;
	}

	/**
	 * Return whether it ends after a time.
	 */
	boolean isTimed() {
		return this.nanos != Long.MAX_VALUE;
	}

	private static long firstSeed(boolean longer) {
		return longer ? ThreadLocalRandom.current().nextLong(1L << 40) : 1;
	}

}
