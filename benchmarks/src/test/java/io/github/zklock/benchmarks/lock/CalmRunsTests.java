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

package io.github.zklock.benchmarks.lock;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.zklock.benchmarks.report.Environment;
import io.github.zklock.benchmarks.report.ProcessorTime;
import io.github.zklock.benchmarks.server.Backend;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CalmRuns}.
 */
class CalmRunsTests {

	// Each run takes this many ticks of the processors' time.
	private static final double TICKS = 1000;

	private final Environment environment = new Environment();

	private int runs;

	private ProcessorTime now = new ProcessorTime(0, 0, 0);

	@Test
	void calmRunIsMeasuredOnce() throws Exception {
		assertThat(measuredRun(1.5)).isEqualTo(1);
		assertThat(this.runs).isEqualTo(1);
		assertThat(hypervisor()).doesNotContain("measured again");
	}

	@Test
	void disturbedRunIsMeasuredAgain() throws Exception {
		assertThat(measuredRun(1.6, 0.3)).isEqualTo(2);
		assertThat(this.runs).isEqualTo(2);
		assertThat(hypervisor()).contains("without 1 runs that were measured again");
	}

	@Test
	void runThatIsAlwaysDisturbedIsTakenAsItWasDisturbedLeast() throws Exception {
		assertThat(measuredRun(4.0, 2.0, 3.0)).isEqualTo(2);
		assertThat(this.runs).isEqualTo(CalmRuns.TRIES);
		assertThat(hypervisor()).contains("without 2 runs that were measured again");
	}

	private double measuredRun(Double... stolen) throws Exception {
		return new CalmRuns(this.environment, () -> this.now).measure(new DisturbedRun(List.of(stolen)), null)
			.get("run");
	}

	private String hypervisor() {
		return this.environment.rows("")
			.stream()
			.filter((row) -> row.get(0).contains("hypervisor"))
			.flatMap(List::stream)
			.collect(Collectors.joining());
	}

	/**
	 * Tells which run it was, while the hypervisor takes some of the processors.
	 */
	private final class DisturbedRun implements Run {

		private final List<Double> stolen;

		DisturbedRun(List<Double> stolen) {
			this.stolen = stolen;
		}

		@Override
		public String series() {
			return "TEST";
		}

		@Override
		public Backend backend() {
			return Backend.SYNC;
		}

		@Override
		public double seconds() {
			return 1;
		}

		@Override
		public Map<String, Double> run(Backend.Running running) {
			double percent = this.stolen.get(CalmRunsTests.this.runs++);
			CalmRunsTests.this.now = CalmRunsTests.this.now.plus(new ProcessorTime(TICKS, 0, TICKS * percent / 100));
			return Map.of("run", (double) CalmRunsTests.this.runs);
		}

		@Override
		public String describe(Map<String, Double> values) {
			return values.toString();
		}

	}

}
