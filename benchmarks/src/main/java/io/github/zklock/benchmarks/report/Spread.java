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

package io.github.zklock.benchmarks.report;

import java.util.Arrays;

/**
 * The middle of some values, and how far they lie apart.
 *
 * @param median the middle
 * @param min the least
 * @param max the greatest
 * @since 0.1.0
 */
public record Spread(double median, double min, double max) {

	/**
	 * Return the middle of some values.
	 * @param values the values, at least one
	 * @return the middle
	 */
	public static Spread of(double[] values) {
		double[] sorted = values.clone();
		Arrays.sort(sorted);
		int middle = sorted.length / 2;
		double median = (sorted.length % 2 == 1) ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
		return new Spread(median, sorted[0], sorted[sorted.length - 1]);
	}

}
