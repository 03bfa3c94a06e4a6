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

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How long an action takes on a machine that may stand still at any moment: never less
 * than promised, and it ends. How soon it ends is judged in simulated time.
 */
public final class Waited {

	// Only ends a test that hangs.
	private static final Duration HANGING = Duration.ofSeconds(30);

	private Waited() {
	}

	/**
	 * Check that an action ends, and not too soon.
	 * @param least how long it takes at least
	 * @param action the action
	 * @throws Exception if the action fails
	 */
	public static void atLeast(Duration least, Action action) throws Exception {
		long start = System.nanoTime();
		action.run();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(least, least.plus(HANGING));
	}

	/**
	 * Check that an action ends, before anything else that a test waits for.
	 * @param action the action
	 * @throws Exception if the action fails
	 */
	public static void notForever(Action action) throws Exception {
		atLeast(Duration.ZERO, action);
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

}
