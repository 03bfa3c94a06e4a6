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

package io.github.zklock.observation.internal;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import io.github.zklock.core.LockJob.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * The meters of the scheduled runs of one name.
 *
 * @param run runs that got their lock
 * @param skipped runs that were skipped, except in outages
 * @param recoveries runs that made up for another one
 * @param givenUp ticks of which all attempts have died
 * @param ended runs by their outcome
 */
record TickMeters(Counter run, Counter skipped, Counter recoveries, Counter givenUp, Map<Outcome, Counter> ended) {

	static TickMeters of(MeterRegistry registry, String name) {
		Map<Outcome, Counter> ended = new EnumMap<>(Outcome.class);
		for (Outcome outcome : Outcome.values()) {
			if (outcome != Outcome.RUNNING) {
				ended.put(outcome,
						builder(LockMetricNames.JOB_RUNS, "Runs of jobs on this node that have ended", name)
							.tag(LockMetricNames.OUTCOME, outcome.name().toLowerCase(Locale.ROOT))
							.register(registry));
			}
		}
		return new TickMeters(
				builder(LockMetricNames.TICKS_RUN, "Runs of scheduled tasks that got their lock", name)
					.register(registry),
				builder(LockMetricNames.TICKS_SKIPPED, "Skipped runs of scheduled tasks, except in outages", name)
					.register(registry),
				builder(LockMetricNames.JOB_RECOVERIES,
						"Runs on this node that made up for a run that died or was missed", name)
					.register(registry),
				builder(LockMetricNames.JOB_GIVEN_UP,
						"Ticks that are given up, since all attempts have died. One node counts each of them", name)
					.register(registry),
				ended);
	}

	void ended(Outcome outcome) {
		Objects.requireNonNull(this.ended.get(outcome), "It has ended").increment();
	}

	private static Counter.Builder builder(String meter, String description, String name) {
		return Counter.builder(meter).description(description).tag(LockMetricNames.NAME, name);
	}

}
