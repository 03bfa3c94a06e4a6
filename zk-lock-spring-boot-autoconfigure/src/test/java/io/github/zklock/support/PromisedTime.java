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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A promise about the time that something takes, checked on a machine that may stand
 * still at any moment: what is too soon fails at once, what is too late only if that
 * happens in each of some attempts and is more than the stalls of the machine.
 */
public final class PromisedTime {

	// A broken promise is broken every time. What a meter does not see, as the loading of
	// classes and other threads that are served first, is not there every time.
	private static final int ATTEMPTS = 3;

	private final Duration atLeast;

	private final Duration atMost;

	private PromisedTime(Duration atLeast, Duration atMost) {
		this.atLeast = atLeast;
		this.atMost = atMost;
	}

	/**
	 * Promise a time between two bounds.
	 * @param atLeast the lower bound, which no stall can break
	 * @param atMost the upper bound
	 * @return the promise
	 */
	public static PromisedTime between(Duration atLeast, Duration atMost) {
		return new PromisedTime(atLeast, atMost);
	}

	/**
	 * Promise a time up to a bound.
	 * @param atMost the upper bound
	 * @return the promise
	 */
	public static PromisedTime atMost(Duration atMost) {
		return new PromisedTime(Duration.ZERO, atMost);
	}

	/**
	 * Check an action that is its own attempt.
	 * @param action the action
	 * @throws Exception if the action fails
	 */
	public void isKeptBy(Action action) throws Exception {
		isKeptIn((attempt) -> attempt.measure(action));
	}

	/**
	 * Check attempts, each of which measures one action or more between what it has to
	 * prepare and to clear away.
	 * @param procedure what is done in each attempt
	 * @throws Exception if an attempt fails
	 */
	public void isKeptIn(Procedure procedure) throws Exception {
		List<String> late = new ArrayList<>();
		for (int i = 0; i < ATTEMPTS; i++) {
			Attempt attempt = new Attempt();
			procedure.run(attempt);
			assertThat(attempt.measured).as("measured actions").isPositive();
			if (attempt.late.isEmpty()) {
				return;
			}
			late.addAll(attempt.late);
		}
		throw new AssertionError("Took longer than " + this.atMost + " in each of " + ATTEMPTS + " attempts: " + late);
	}

	/**
	 * One of the attempts to keep the promise.
	 */
	public final class Attempt {

		private final List<String> late = new ArrayList<>();

		private int measured;

		/**
		 * Measure an action that has to keep the promise.
		 * @param action the action
		 * @throws Exception if the action fails
		 */
		public void measure(Action action) throws Exception {
			try (StallMeter meter = new StallMeter()) {
				Duration stalledBefore = meter.stalled();
				long start = System.nanoTime();
				action.run();
				Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
				took(elapsed, meter.stalled().minus(stalledBefore));
			}
		}

		void took(Duration elapsed, Duration stalled) {
			this.measured++;
			assertThat(elapsed).isGreaterThanOrEqualTo(PromisedTime.this.atLeast);
			if (elapsed.minus(stalled).compareTo(PromisedTime.this.atMost) > 0) {
				this.late.add(elapsed + " (stalled for " + stalled + ")");
			}
		}

	}

	/**
	 * An action that takes its time.
	 */
	@FunctionalInterface
	public interface Action {

		/**
		 * Run the action.
		 * @throws Exception if it fails
		 */
		void run() throws Exception;

	}

	/**
	 * What is done in each attempt.
	 */
	@FunctionalInterface
	public interface Procedure {

		/**
		 * Make an attempt.
		 * @param attempt measures the action
		 * @throws Exception if it fails
		 */
		void run(Attempt attempt) throws Exception;

	}

}
