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

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.scheduling.support.CronExpression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The latest tick of a cron expression, beside a list of all its ticks.
 */
class CronTicksTests {

	private static final List<ZoneId> ZONES = List.of(ZoneOffset.UTC, ZoneId.of("Europe/Berlin"),
			ZoneId.of("America/New_York"), ZoneId.of("Australia/Lord_Howe"), ZoneId.of("America/Sao_Paulo"));

	@ParameterizedTest
	@MethodSource
	void latestTickIsTheLastOneNotAfterNow(String expression, ZoneId zone, int years) {
		CronTicks ticks = new CronTicks("job", expression, zone);
		TreeSet<Instant> all = all(CronExpression.parse(expression), zone, years);
		List<Instant> known = List.copyOf(all);
		Random random = new Random(expression.hashCode());
		List<Instant> moments = new ArrayList<>();
		for (int i = 0; i < ((years > 0) ? 30 : 8); i++) {
			int index = random.nextInt(known.size() - 1);
			long gap = Duration.between(known.get(index), known.get(index + 1)).toMillis();
			boolean gapOfTheList = gap > Duration.ofDays(40).toMillis() && years == 0;
			Instant tick = known.get(index);
			moments.addAll(List.of(tick, tick.plusMillis(1), tick.plusMillis(gapOfTheList ? 0 : gap - 1),
					tick.plusMillis(gapOfTheList ? 0 : (long) (random.nextDouble() * gap))));
		}
		for (Instant moment : moments) {
			assertThat(ticks.latest(moment).time()).as("%s in %s at %s", expression, zone, moment)
				.isEqualTo(all.floor(moment));
		}
	}

	static Stream<Arguments> latestTickIsTheLastOneNotAfterNow() {
		Stream<Arguments> yearly = inEachZone(30, "0 0 4 1 1 *", "0 0 0 29 2 *", "@yearly");
		Stream<Arguments> daily = inEachZone(5, "0 0 2 * * *", "0 30 2 * * *", "0 30 1 * * *", "0 0 0 * * *",
				"0 15 10 L * *", "0 0 9 * * MON-FRI", "0 0 0 ? * SUN#1", "0 0 12 * * 5L", "0 0 0 1W * *",
				"0 0 3 ? 3,10,11 SUN");
		Stream<Arguments> often = inEachZone(0, "0 * * * * *", "*/7 * 1-3 * * *", "0 0/20 * * * *");
		return Stream.of(yearly, daily, often).flatMap(Function.identity());
	}

	private static Stream<Arguments> inEachZone(int years, String... expressions) {
		return Stream.of(expressions)
			.flatMap((expression) -> ZONES.stream().map((zone) -> Arguments.of(expression, zone, years)));
	}

	@Test
	void leapDayIsFoundOverACenturyWithoutOne() {
		CronTicks ticks = new CronTicks("job", "0 0 0 29 2 *", ZoneOffset.UTC);
		assertThat(ticks.latest(Instant.parse("2104-02-28T23:59:59Z")).time())
			.isEqualTo(Instant.parse("2096-02-29T00:00:00Z"));
	}

	@Test
	void tickHasItsScheduleAndACallOfItsOwn() {
		CronTicks ticks = new CronTicks("job", "0 0 2 * * *", ZoneOffset.UTC);
		Instant now = Instant.parse("2026-10-05T10:00:00Z");
		assertThat(ticks.latest(now).schedule()).isEqualTo("job");
		assertThat(ticks.latest(now).call()).isNotEqualTo(ticks.latest(now).call());
		assertThat(ticks).hasToString("job (0 0 2 * * *, Z)");
	}

	@Test
	void expressionOfADateThatDoesNotExistIsRefused() {
		CronTicks ticks = new CronTicks("job", "0 0 0 31 2 *", ZoneOffset.UTC);
		assertThatIllegalArgumentException().isThrownBy(() -> ticks.latest(Instant.parse("2026-10-05T10:00:00Z")))
			.withMessageContaining("'0 0 0 31 2 *' has had no tick");
	}

	// Of years if it is a number of them, else of the days around each change of the
	// clocks.
	private static TreeSet<Instant> all(CronExpression expression, ZoneId zone, int years) {
		TreeSet<Instant> all = new TreeSet<>();
		if (years > 0) {
			add(all, expression, ZonedDateTime.of(2009, 12, 31, 0, 0, 0, 0, zone), Duration.ofDays(365L * years));
			return all;
		}
		for (int month : new int[] { 1, 7 }) {
			ZonedDateTime season = ZonedDateTime.of(2026, month, 15, 12, 0, 0, 0, zone);
			ZoneOffsetTransition change = zone.getRules().nextTransition(season.toInstant());
			Instant middle = (change != null) ? change.getInstant() : season.toInstant();
			add(all, expression, middle.minus(Duration.ofHours(12)).atZone(zone), Duration.ofDays(1));
		}
		return all;
	}

	private static void add(TreeSet<Instant> all, CronExpression expression, ZonedDateTime begin, Duration length) {
		Instant end = begin.toInstant().plus(length);
		for (ZonedDateTime next = expression.next(begin); next != null
				&& next.toInstant().isBefore(end); next = expression.next(next)) {
			all.add(next.toInstant());
		}
	}

}
