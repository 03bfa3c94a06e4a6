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

package io.github.zklock.simulation;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The engine keeps its promises in every order of events that a seed picks.
 *
 * @see SimulationSettings
 */
class SimulationTests {

	@Test
	void everyPromiseHoldsInEverySchedule() {
		SimulationSettings settings = SimulationSettings.fromSystemProperties();
		System.out.println("simulation: seeds from " + settings.firstSeed());
		Campaign campaign = new Campaign(settings.firstSeed(), settings.schedules(), settings.nanos(), Drill.NONE)
			.run();
		System.out.println("simulation: " + campaign);
		new SimulationReport(campaign).write(settings.reports());
		if (campaign.broken() != null) {
			throw new AssertionError(FailureReport.of(campaign.broken()));
		}
		assertThat(campaign.counts().grants).isPositive();
		if (settings.nanos() == Long.MAX_VALUE) {
			assertThat(campaign.counts().schedules).isEqualTo(settings.schedules());
		}
	}

}
