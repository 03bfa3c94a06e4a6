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
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import io.github.zklock.support.ManualTaskScheduler;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.support.CronExpression;
import org.springframework.scheduling.support.CronTrigger;
import org.springframework.scheduling.support.SimpleTriggerContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The ticks around each kind of clock change that the zones of the JDK have or had, from
 * 2000 to 2040, beside the times that Spring plans one after the other.
 */
@Timeout(120)
class ClockChangeTicksTests {

	private static final Instant LORD_HOWE = Instant.parse("2026-04-04T15:00:00Z");

	private static final List<Duration> MOMENTS = Stream.of("PT-31M", "PT9M3S", "PT29M59.999S", "PT75M")
		.map(Duration::parse)
		.toList();

	@ParameterizedTest
	@ValueSource(strings = { "0 0 * * * *", "0 */20 * * * *", "*/30 * 0-3 * * *", "0 0 0 * * *", "0 30 0 * * *",
			"0 30 1 * * *", "0 30 2 * * *", "0 45 23 * * *", "0 30 0 ? * SUN", "0 15 2 L * *" })
	void latestTickIsOneThatSpringPlans(String cron) {
		CronExpression expression = CronExpression.parse(cron);
		List<String> different = new ArrayList<>();
		changes().forEach((change, zone) -> {
			TreeSet<Instant> planned = planned(expression, change.getInstant(), zone);
			if (planned != null) {
				CronTicks ticks = new CronTicks("job", expression, zone);
				for (Duration distance : MOMENTS) {
					Instant now = change.getInstant().plus(distance);
					Instant latest = ticks.latest(now).time();
					if (!latest.equals(planned.floor(now))) {
						different.add("%s at %s: %s instead of %s".formatted(zone, now, latest, planned.floor(now)));
					}
				}
			}
		});
		assertThat(different).isEmpty();
	}

	@Test
	void tickThatSpringNeverPlansIsNotTheLatest() {
		CronTicks ticks = new CronTicks("job", "0 30 0 * * *", ZoneId.of("America/Havana"));
		assertThat(ticks.latest(Instant.parse("2025-11-02T05:09:03Z")).time())
			.isEqualTo(Instant.parse("2025-11-01T04:30:00Z"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "0 0 * * * *", "0 30 1 * * *", "0 */15 * * * *" })
	void latestTickIsFoundWhereTheNextOneIsTheSame(String cron) {
		CronTicks ticks = new CronTicks("job", cron, ZoneId.of("Australia/Lord_Howe"));
		for (Instant now = LORD_HOWE.minusSeconds(7200); now
			.isBefore(LORD_HOWE.plusSeconds(7200)); now = now.plusSeconds(60)) {
			assertThat(ticks.latest(now).time()).isBeforeOrEqualTo(now).isAfter(now.minus(Duration.ofHours(26)));
		}
	}

	@Test
	void runIsPlannedOnceWhereTheNextOneIsTheSame() {
		ManualTaskScheduler scheduler = new ManualTaskScheduler(LORD_HOWE.minus(Duration.ofMinutes(150)));
		List<Instant> begun = new CopyOnWriteArrayList<>();
		PlannedRuns.schedule(scheduler, () -> begun.add(scheduler.getClock().instant()), lordHowe(), (missed) -> {
		});
		scheduler.advance(Duration.ofHours(5));
		assertThat(begun).hasSizeBetween(4, 6);
	}

	@Test
	void plannedTimesAreCountedOnceWhereTheNextOneIsTheSame() {
		KnownTask task = new KnownTask(() -> {
		}, new ManualTaskScheduler(LORD_HOWE), lordHowe(), null, null, null);
		assertThat(task.count(LORD_HOWE.minus(Duration.ofMinutes(150)), LORD_HOWE.plus(Duration.ofMinutes(150)), 1000))
			.isBetween(4L, 6L);
	}

	@Test
	@Timeout(20)
	void triggerThatNeverGrowsEndsEverySearch() {
		Trigger trigger = (context) -> LORD_HOWE;
		assertThat(CronTicks.latest((time) -> trigger.nextExecution(new SimpleTriggerContext(time, time, time)),
				LORD_HOWE.plusSeconds(100), Duration.ofDays(9)))
			.isEqualTo(LORD_HOWE);
		assertThat(CronTicks.after((time) -> LORD_HOWE, LORD_HOWE, LORD_HOWE)).isNull();
	}

	private static CronTrigger lordHowe() {
		return new CronTrigger("0 0 * * * *", ZoneId.of("Australia/Lord_Howe"));
	}

	// The clock changes that differ in their local time, their length, and the days
	// around
	// them. One of each kind is enough.
	private static Map<ZoneOffsetTransition, ZoneId> changes() {
		Map<String, ZoneOffsetTransition> kinds = new TreeMap<>();
		Map<ZoneOffsetTransition, ZoneId> changes = new TreeMap<>();
		Instant end = Instant.parse("2041-01-01T00:00:00Z");
		for (String id : new TreeSet<>(ZoneId.getAvailableZoneIds())) {
			ZoneId zone = ZoneId.of(id);
			ZoneOffsetTransition change = zone.getRules().nextTransition(Instant.parse("2000-01-01T00:00:00Z"));
			while (change != null && change.getInstant().isBefore(end)) {
				String kind = change.getDateTimeBefore().toLocalTime() + " " + change.getDuration();
				if (kinds.putIfAbsent(kind, change) == null) {
					changes.put(change, zone);
				}
				change = zone.getRules().nextTransition(change.getInstant());
			}
		}
		return changes;
	}

	// Nothing if Spring does not get past the change.
	private static @Nullable TreeSet<Instant> planned(CronExpression expression, Instant change, ZoneId zone) {
		TreeSet<Instant> planned = new TreeSet<>();
		boolean monthly = expression.toString().contains("L");
		ZonedDateTime time = change.minus(Duration.ofDays(monthly ? 70 : 9)).atZone(zone);
		while (time != null && time.toInstant().isBefore(change.plus(Duration.ofDays(3)))) {
			ZonedDateTime next = expression.next(time);
			if (next != null && !next.toInstant().isAfter(time.toInstant())) {
				return null;
			}
			if (next != null) {
				planned.add(next.toInstant());
			}
			time = next;
		}
		return planned;
	}

}
