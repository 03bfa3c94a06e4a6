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

package io.github.zklock.core.internal;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * Writes a duration as text: {@code 250ms}, {@code 5s}, {@code 1.5s}, {@code 2m30s}. From
 * a minute on parts of a second are left out.
 *
 * @since 0.1.0
 */
public final class DurationText {

	/**
	 * A time without a bound.
	 */
	public static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

	private DurationText() {
	}

	/**
	 * Return the text.
	 * @param duration the duration
	 * @return the text, {@code forever} for {@link #FOREVER}
	 */
	public static String of(Duration duration) {
		if (duration.equals(FOREVER)) {
			return "forever";
		}
		if (duration.toSeconds() == 0) {
			return duration.toMillis() + "ms";
		}
		ChronoUnit least = (duration.toMinutes() == 0) ? ChronoUnit.MILLIS : ChronoUnit.SECONDS;
		return duration.truncatedTo(least).toString().substring("PT".length()).toLowerCase(Locale.ROOT);
	}

}
