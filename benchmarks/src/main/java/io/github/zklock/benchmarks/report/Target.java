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

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * What is to be reached.
 *
 * @param title what for, different from every other target
 * @param series what has to be measured
 * @param value how the value is taken from that
 * @param bound the bound of the value
 * @param most whether the value must not be greater, else less
 * @param slack by how much the value may miss the bound, where other requests are counted
 * as well
 * @since 0.1.0
 */
public record Target(String title, List<String> series, ToDoubleFunction<Samples> value, double bound, boolean most,
		double slack) {

	// Pings and heartbeats of the sessions.
	private static final double OTHER_REQUESTS = 0.05;

	/**
	 * Bound how many times a series may be another.
	 * @param title the title
	 * @param series the series
	 * @param base what it is compared with
	 * @param value which of their values
	 * @param bound the bound
	 * @return the target
	 */
	public static Target atMost(String title, String series, String base, String value, double bound) {
		return new Target(title, List.of(series, base), (samples) -> samples.ratio(series, base, value).median(), bound,
				true, 0);
	}

	/**
	 * Demand how many times a series has to be another.
	 * @param title the title
	 * @param series the series
	 * @param base what it is compared with
	 * @param value which of their values
	 * @param bound the bound
	 * @return the target
	 */
	public static Target atLeast(String title, String series, String base, String value, double bound) {
		return new Target(title, List.of(series, base), (samples) -> samples.ratio(series, base, value).median(), bound,
				false, 0);
	}

	/**
	 * Bound a count of requests.
	 * @param title the title
	 * @param series the series
	 * @param value which of its values
	 * @param bound the bound
	 * @return the target
	 */
	public static Target count(String title, String series, String value, double bound) {
		return new Target(title, List.of(series), (samples) -> samples.of(series, value).median(), bound, true,
				OTHER_REQUESTS);
	}

	/**
	 * Bound any other value.
	 * @param title the title
	 * @param series the series
	 * @param value which of its values
	 * @param bound the bound
	 * @param most whether the value must not be greater, else less
	 * @return the target
	 */
	public static Target value(String title, String series, String value, double bound, boolean most) {
		return new Target(title, List.of(series), (samples) -> samples.of(series, value).median(), bound, most, 0);
	}

	/**
	 * Return whether there is what it takes to tell.
	 * @param samples what was measured
	 * @return {@code false} if something is missing
	 */
	public boolean isMeasured(Samples samples) {
		return samples.hasAll(this.series);
	}

	/**
	 * Return whether it is reached.
	 * @param samples what was measured
	 * @return {@code false} if not, or if it was not measured
	 */
	public boolean isMet(Samples samples) {
		if (!isMeasured(samples)) {
			return false;
		}
		double reached = this.value.applyAsDouble(samples);
		return this.most ? reached <= this.bound + this.slack : reached >= this.bound;
	}

	List<String> row(Samples samples) {
		String must = (this.most ? "at most " : "at least ") + ((this.bound == Math.rint(this.bound))
				? String.format(Locale.ROOT, "%.0f", this.bound) : Double.toString(this.bound));
		if (!isMeasured(samples)) {
			return List.of(this.title, must, "not measured", "**no**");
		}
		return List.of(this.title, must, String.format(Locale.ROOT, "%.2f", this.value.applyAsDouble(samples)),
				isMet(samples) ? "yes" : "**no**");
	}

}
