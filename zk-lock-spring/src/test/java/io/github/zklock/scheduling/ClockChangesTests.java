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

package io.github.zklock.scheduling;

import java.time.Instant;
import java.time.ZoneId;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.scheduling.support.CronExpression;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which times of a job the change of the clocks repeats or skips.
 */
class ClockChangesTests {

	private static final Instant NOW = Instant.parse("2026-10-01T00:00:00Z");

	@ParameterizedTest
	@CsvSource({
			"0 0 2 * * *, Europe/Berlin, 'runs twice on 2026-10-25 at 02:00 and does not run on 2027-03-28 at 02:00'",
			"0 30 1 * * *, America/New_York, runs twice on 2026-11-01 at 01:30" })
	void timeThatComesTwiceOrNotAtAllIsFound(String cron, String zone, String expected) {
		assertThat(String.join(" and ", ClockChanges.find(CronExpression.parse(cron), ZoneId.of(zone), NOW)))
			.isEqualTo(expected);
	}

	@ParameterizedTest
	@ValueSource(strings = { "0 0 4 * * *", "0 0 * * * *", "0 */15 * * * *", "* * * * * *", "0 0 2 * * MON",
			"0 0 12 1 1 *", "0 0 0 31 2 *" })
	void jobThatRunsOnceOnEachOfItsDaysIsNot(String cron) {
		assertThat(ClockChanges.find(CronExpression.parse(cron), ZoneId.of("Europe/Berlin"), NOW)).isEmpty();
	}

	@Test
	void zoneWithoutChangesHasNone() {
		assertThat(ClockChanges.find(CronExpression.parse("0 0 2 * * *"), ZoneId.of("UTC"), NOW)).isEmpty();
	}

}
