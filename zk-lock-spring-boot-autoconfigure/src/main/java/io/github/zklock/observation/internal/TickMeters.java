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

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * The counters of the scheduled runs of one name.
 */
record TickMeters(Counter run, Counter skipped) {

	static TickMeters of(MeterRegistry registry, String name) {
		return new TickMeters(
				counter(registry, LockMetricNames.TICKS_RUN, "Runs of scheduled tasks that got their lock", name),
				counter(registry, LockMetricNames.TICKS_SKIPPED, "Runs of scheduled tasks left to another node", name));
	}

	private static Counter counter(MeterRegistry registry, String meter, String description, String name) {
		return Counter.builder(meter).description(description).tag(LockMetricNames.NAME, name).register(registry);
	}

}
