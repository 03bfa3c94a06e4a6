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

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;

/**
 * What was measured, round by round. Two series are compared within each round, so that
 * what the machine did besides has a part in both sides.
 *
 * @since 0.1.0
 */
public final class Samples {

	private final Map<String, List<Map<String, Double>>> rounds = new LinkedHashMap<>();

	/**
	 * Create an empty set.
	 */
	public Samples() {
	}

	/**
	 * Add what a series gave in the next round.
	 * @param series the name of the series
	 * @param values the values by their names
	 */
	public void add(String series, Map<String, Double> values) {
		this.rounds.computeIfAbsent(series, (name) -> new ArrayList<>()).add(Map.copyOf(values));
	}

	/**
	 * Return whether there is something of a series.
	 * @param series the series
	 * @return {@code false} if nothing was added
	 */
	public boolean has(String series) {
		return this.rounds.containsKey(series);
	}

	/**
	 * Return whether there is something of all these series.
	 * @param series the series
	 * @return {@code false} if nothing was added to one of them
	 */
	public boolean hasAll(Collection<String> series) {
		return this.rounds.keySet().containsAll(series);
	}

	/**
	 * Return the median over the rounds.
	 * @param series the series
	 * @param value the name of the value
	 * @return the median
	 */
	public Spread of(String series, String value) {
		return Spread.of(this.rounds.get(series).stream().mapToDouble((round) -> round.get(value)).toArray());
	}

	/**
	 * Return by how much a series exceeds another in the same round.
	 * @param series the series
	 * @param base what to compare it with
	 * @param value the name of the value
	 * @return the median of the differences
	 */
	public Spread difference(String series, String base, String value) {
		return compare(series, base, value, (left, right) -> left - right);
	}

	/**
	 * Return how many times a series is another in the same round.
	 * @param series the series
	 * @param base what to compare it with
	 * @param value the name of the value
	 * @return the median of the ratios
	 */
	public Spread ratio(String series, String base, String value) {
		return compare(series, base, value, (left, right) -> left / right);
	}

	private Spread compare(String series, String base, String value, DoubleBinaryOperator comparison) {
		List<Map<String, Double>> left = this.rounds.get(series);
		List<Map<String, Double>> right = this.rounds.get(base);
		double[] results = new double[Math.min(left.size(), right.size())];
		for (int i = 0; i < results.length; i++) {
			results[i] = comparison.applyAsDouble(left.get(i).get(value), right.get(i).get(value));
		}
		return Spread.of(results);
	}

}
