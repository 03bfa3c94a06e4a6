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

import java.util.List;
import java.util.function.Supplier;

import io.github.zklock.leader.internal.LeaderStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Measures which roles this node leads.
 *
 * @since 0.1.0
 */
public final class LeaderMetrics {

	private LeaderMetrics() {
	}

	/**
	 * Register the meters of each role.
	 * @param registry where they are registered
	 * @param roles returns the roles, which are always the same
	 */
	public static void register(MeterRegistry registry, Supplier<List<LeaderStatus>> roles) {
		for (LeaderStatus known : roles.get()) {
			Gauge.builder(LockMetricNames.LEADER, () -> now(known, roles).state().isLeader() ? 1 : 0)
				.description("1 if this node leads the role, 0 if not")
				.tag(LockMetricNames.ROLE, known.role())
				.register(registry);
			FunctionCounter.builder(LockMetricNames.LEADER_OVERRUN, roles, (all) -> now(known, all).overruns())
				.description("Terms of a leader whose beans had not stopped when its lease ended")
				.tag(LockMetricNames.ROLE, known.role())
				.register(registry);
		}
	}

	private static LeaderStatus now(LeaderStatus known, Supplier<List<LeaderStatus>> roles) {
		return roles.get().stream().filter((status) -> status.role().equals(known.role())).findFirst().orElse(known);
	}

}
