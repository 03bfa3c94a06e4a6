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
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * The engine keeps its promises in every order of events that a seed picks.
 *
 * @see SimulationSettings
 */
class SimulationTests {

	/** For so many schedules of the other kinds there is one more of recovery. */
	private static final int RECOVERIES = 10;

	/** The same for schedules of errors in steps. */
	private static final int FAILURES = 5;

	private final SimulationSettings settings = SimulationSettings.fromSystemProperties();

	// A longer simulation mixes these schedules with the others.
	@Test
	void everyTickIsMadeUpForInEverySchedule() {
		assumeThat(this.settings.isFixed()).isTrue();
		Campaign campaign = new Campaign(1, this.settings.schedules() / RECOVERIES, Long.MAX_VALUE, Drill.RECOVERY)
			.run();
		System.out.println("simulation of recovery: " + campaign);
		if (campaign.broken() != null) {
			throw new AssertionError(FailureReport.of(campaign.broken()));
		}
		assertThat(campaign.counts().repetitions).isPositive();
	}

	// Before and after each hand-over to a thread or the timer, each request and reply.
	@Test
	void everyPromiseHoldsAfterAnErrorAtAnyBoundaryOfAStep() {
		assumeThat(this.settings.isFixed()).isTrue();
		Campaign campaign = new Campaign(1, this.settings.schedules() / FAILURES, Long.MAX_VALUE, Drill.FAILED_STEP)
			.run();
		System.out.println("simulation of errors: " + campaign);
		if (campaign.broken() != null) {
			throw new AssertionError(FailureReport.of(campaign.broken()));
		}
		assertThat(campaign.counts().losses).isPositive();
	}

	@Test
	void everyPromiseHoldsInEverySchedule() {
		System.out.println("simulation: seeds from " + this.settings.firstSeed());
		Campaign campaign = new Campaign(this.settings.firstSeed(), this.settings.schedules(), this.settings.nanos(),
				Drill.NONE);
		if (this.settings.isTimed()) {
			campaign.mixed();
		}
		campaign.run();
		System.out.println("simulation: " + campaign);
		new SimulationReport(campaign).write(this.settings.reports());
		if (campaign.broken() != null) {
			throw new AssertionError(FailureReport.of(campaign.broken()));
		}
		assertThat(campaign.counts().grants).isPositive();
		if (!this.settings.isTimed()) {
			assertThat(campaign.counts().schedules).isEqualTo(this.settings.schedules());
		}
	}

}
