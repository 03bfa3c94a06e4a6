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

import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TimeZone;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.StringUtils;

/**
 * Finds the planned times of a job that a change of the clocks repeats or skips within a
 * year. A job that runs more often than the clocks change by is not affected.
 *
 * @since 0.1.0
 */
public final class ClockChanges {

	private static final Logger logger = LoggerFactory.getLogger(ClockChanges.class);

	private static final Duration BEFORE = Duration.ofHours(26);

	private static final int MOST_STEPS = 1_000;

	private static final int MOST_NAMED = 10;

	private ClockChanges() {
	}

	/**
	 * Log the changes that affect a scheduled method.
	 * @param method the method
	 * @param target what the method is called in the line
	 * @param resolver resolves placeholders
	 */
	public static void report(Method method, Object target, UnaryOperator<String> resolver) {
		MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).stream(Scheduled.class).forEach((scheduled) -> {
			String cron = resolver.apply(scheduled.getString("cron"));
			String zone = resolver.apply(scheduled.getString("zone"));
			if (CronExpression.isValidExpression(cron)) {
				ZoneId id = StringUtils.hasText(zone) ? StringUtils.parseTimeZoneString(zone).toZoneId()
						: TimeZone.getDefault().toZoneId();
				List<String> found = find(CronExpression.parse(cron), id, Instant.now());
				if (!found.isEmpty()) {
					logger.info(
							"The job {} (cron \"{}\", {}) {}, since the clocks change. If each day needs "
									+ "one run, choose an hour that each day has once, such as 4 o'clock",
							target, cron, id, String.join(" and ", found));
				}
			}
		});
	}

	/**
	 * Log the jobs whose times depend on the JVM of each node.
	 * @param jobs the scheduled methods, by what they are called in the line
	 * @param resolver resolves placeholders
	 */
	public static void reportWithoutZone(Map<String, Method> jobs, UnaryOperator<String> resolver) {
		List<String> found = jobs.keySet()
			.stream()
			.filter((job) -> isWithoutZone(Objects.requireNonNull(jobs.get(job)), resolver))
			.sorted()
			.toList();
		if (!found.isEmpty()) {
			logger.info(
					"{} with a cron expression without a zone: {}{}. Each node plans them in the time zone of its JVM, "
							+ "here {}. Set zone in @Scheduled, so that all nodes plan the same times",
					(found.size() == 1) ? "1 job" : found.size() + " jobs",
					String.join(", ", found.subList(0, Math.min(found.size(), MOST_NAMED))),
					(found.size() > MOST_NAMED) ? " and " + (found.size() - MOST_NAMED) + " more" : "",
					TimeZone.getDefault().getID());
		}
	}

	private static boolean isWithoutZone(Method method, UnaryOperator<String> resolver) {
		return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY)
			.stream(Scheduled.class)
			.anyMatch((scheduled) -> CronExpression.isValidExpression(resolver.apply(scheduled.getString("cron")))
					&& !StringUtils.hasText(resolver.apply(scheduled.getString("zone"))));
	}

	static List<String> find(CronExpression cron, ZoneId zone, Instant now) {
		List<String> found = new ArrayList<>();
		Instant end = now.atOffset(ZoneOffset.UTC).plus(Period.ofYears(1)).toInstant();
		ZoneOffsetTransition change = zone.getRules().nextTransition(now);
		while (change != null && change.getInstant().isBefore(end)) {
			LocalDateTime time = affected(cron, change);
			if (time != null) {
				long runs = runs(cron, zone, change, time);
				if (runs != 1) {
					found.add(((runs == 0) ? "does not run on " : "runs twice on ") + time.toLocalDate() + " at "
							+ time.toLocalTime());
				}
			}
			change = zone.getRules().nextTransition(change.getInstant());
		}
		return found;
	}

	private static @Nullable LocalDateTime affected(CronExpression cron, ZoneOffsetTransition change) {
		LocalDateTime before = change.getDateTimeBefore();
		LocalDateTime after = change.getDateTimeAfter();
		LocalDateTime time = cron.next((change.isGap() ? before : after).minusNanos(1));
		if (time == null || !time.isBefore(change.isGap() ? after : before)) {
			return null;
		}
		LocalDateTime following = cron.next(time);
		boolean often = following != null
				&& Duration.between(time, following).compareTo(change.getDuration().abs()) <= 0;
		return often ? null : time;
	}

	// A skipped time may be moved to the first hour after the change.
	private static long runs(CronExpression cron, ZoneId zone, ZoneOffsetTransition change, LocalDateTime time) {
		Instant end = change.getInstant().plus(change.getDuration().abs());
		ZonedDateTime next = cron.next(change.getInstant().minus(BEFORE).atZone(zone));
		long runs = 0;
		for (int i = 0; i < MOST_STEPS && next != null && next.toInstant().isBefore(end); i++) {
			boolean moved = change.isGap() && !next.toInstant().isBefore(change.getInstant());
			runs += (moved || next.toLocalDateTime().equals(time)) ? 1 : 0;
			next = cron.next(next);
		}
		return change.isGap() ? Math.min(runs, 1) : runs;
	}

}
