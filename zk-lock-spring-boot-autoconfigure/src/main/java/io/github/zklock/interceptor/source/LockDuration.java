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

package io.github.zklock.interceptor.source;

import java.time.Duration;

import io.github.zklock.core.LockRequest;
import io.github.zklock.interceptor.operation.LockTarget;
import org.jspecify.annotations.Nullable;

import org.springframework.format.annotation.DurationFormat.Unit;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * The time to wait that an annotation declares.
 */
final class LockDuration {

	private static final String ACTION = "Set one of them: waitMs to 0 or more milliseconds, or waitTime to a text like "
			+ "5s, PT5S, 500ms or forever; or none for the configured default.";

	private static final String AT_LEAST_ACTION = "Set it to a text like 30s, PT30S or 500ms, shorter than the time "
			+ "between two runs.";

	private LockDuration() {
	}

	/**
	 * Return the declared time to wait.
	 * @param target the method, for messages
	 * @param waitMs the milliseconds, {@code -1} for none
	 * @param waitTime the text without placeholders, blank for none
	 * @return the time to wait, or {@code null} if none is declared
	 */
	static @Nullable Duration declared(LockTarget target, long waitMs, String waitTime) {
		if (waitMs < -1) {
			throw target.invalid("has waitMs = " + waitMs, ACTION);
		}
		if (waitMs >= 0 && !waitTime.isBlank()) {
			throw target.invalid("has both waitMs = " + waitMs + " and waitTime = \"" + waitTime + "\"", ACTION);
		}
		if (waitMs >= 0) {
			return Duration.ofMillis(waitMs);
		}
		return waitTime.isBlank() ? null : parse(target, waitTime.strip());
	}

	private static Duration parse(LockTarget target, String waitTime) {
		return waitTime.equalsIgnoreCase("forever") ? LockRequest.FOREVER : parse(target, "waitTime", waitTime, ACTION);
	}

	/**
	 * Return the declared least time to keep the lock.
	 * @param target the method, for messages
	 * @param atLeast the text without placeholders, blank for none
	 * @return the time, zero for none
	 */
	static Duration atLeast(LockTarget target, String atLeast) {
		if (atLeast.isBlank()) {
			return Duration.ZERO;
		}
		Duration duration = parse(target, "atLeast", atLeast.strip(), AT_LEAST_ACTION);
		if (duration.compareTo(LockRequest.LONGEST_AT_LEAST) > 0) {
			throw target.invalid("has atLeast = \"" + atLeast.strip() + "\", which is longer than "
					+ LockRequest.LONGEST_AT_LEAST.toDays() + " days", AT_LEAST_ACTION);
		}
		return duration;
	}

	private static Duration parse(LockTarget target, String attribute, String text, String action) {
		try {
			Duration duration = DurationFormatterUtils.detectAndParse(text, Unit.MILLIS);
			if (!duration.isNegative()) {
				return duration;
			}
		}
		catch (IllegalArgumentException ex) {
			throw target.invalid("has " + attribute + " = \"" + text + "\", which is not a duration", action, ex);
		}
		throw target.invalid("has the negative " + attribute + " = \"" + text + "\"", action);
	}

}
