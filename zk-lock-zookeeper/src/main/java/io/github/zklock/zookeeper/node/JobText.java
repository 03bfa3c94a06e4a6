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

package io.github.zklock.zookeeper.node;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.zklock.core.internal.TickTerms;
import io.github.zklock.core.spi.RunOutcome;
import org.jspecify.annotations.Nullable;

/**
 * The values in a {@link JobRecord} as text.
 */
final class JobText {

	/** Stands for a value that is not known. */
	static final String NOTHING = "-";

	/** Stands for the tick of a run that was started by hand. */
	static final String BY_HAND = "hand";

	// The end of the year 9999, as for ticks.
	private static final long LAST_MILLIS = 253_402_300_799_999L;

	// A record has twenty of them.
	private static final Map<String, RunOutcome> OUTCOMES = Stream.of(RunOutcome.values())
		.collect(Collectors.toUnmodifiableMap(JobText::outcome, Function.identity()));

	private JobText() {
	}

	static String tick(@Nullable Long tick, boolean byHand) {
		return byHand ? BY_HAND : instant(tick);
	}

	static String instant(@Nullable Long millis) {
		return (millis != null) ? Instant.ofEpochMilli(millis).toString() : NOTHING;
	}

	/** Return milliseconds, or -1 if the text is not a time. */
	static long millis(@Nullable String text) {
		try {
			long millis = (text != null) ? Instant.parse(text).toEpochMilli() : -1;
			return (millis <= LAST_MILLIS) ? millis : -1;
		}
		catch (DateTimeException | ArithmeticException ex) {
			return -1;
		}
	}

	/** Return a number of shards, or -1 if the text is not one. */
	static int shards(@Nullable String text) {
		String number = (text != null) ? text : "1";
		int shards = JobRecord.NUMBER.matcher(number).matches() ? Integer.parseInt(number) : -1;
		return (shards <= TickTerms.MOST_SHARDS) ? shards : -1;
	}

	static @Nullable RunOutcome outcome(@Nullable String text) {
		return (text != null) ? OUTCOMES.get(text) : null;
	}

	static String outcome(RunOutcome outcome) {
		return outcome.name().toLowerCase(Locale.ROOT);
	}

}
