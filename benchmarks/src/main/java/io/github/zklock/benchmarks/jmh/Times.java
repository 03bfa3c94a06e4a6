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

package io.github.zklock.benchmarks.jmh;

/**
 * How long a benchmark runs: first unmeasured, in iterations of a second, then measured.
 *
 * @param warmUpSeconds how long it warms up
 * @param iterations how often it is measured
 * @param millis for how many milliseconds each time
 * @since 0.1.0
 */
public record Times(int warmUpSeconds, int iterations, long millis) {

	// A JVM starts, connects, and tells what it has measured.
	private static final double BESIDES_SECONDS = 1.5;

	/**
	 * Return about how long a JVM takes for it.
	 * @return seconds
	 */
	public double seconds() {
		return this.warmUpSeconds + this.iterations * this.millis / 1e3 + BESIDES_SECONDS;
	}

	/**
	 * Describe it.
	 * @return a sentence
	 */
	public String description() {
		return "Warmed up for " + this.warmUpSeconds + " s, then measured " + this.iterations + " times for "
				+ this.millis + " ms.";
	}

}
