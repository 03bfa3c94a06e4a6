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

import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Plays the set-ups in {@code kept-setups.json}, each of which has found a fault of the
 * engine or of its judge. Most of these faults have a test of their own too.
 */
class KeptSeedsTests {

	static List<KeptSetUp> all() {
		return KeptSetUp.all();
	}

	// One of them never came out of a step, which no interrupt ends.
	@ParameterizedTest
	@MethodSource("all")
	@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
	void aSetUpThatHasFoundAFaultFindsItNoMore(KeptSetUp kept) {
		StepFailures.quietly(() -> {
			Outcome outcome = Outcome.of(kept.setup(), false);
			if (outcome.isBroken()) {
				throw new AssertionError(FailureReport.of(outcome), outcome.violation());
			}
		});
	}

	@Test
	void aReportShowsASetUpAsItIsKept() {
		KeptSetUp kept = KeptSetUp.all().get(0);
		assertThat(KeptSetUp.json(kept.setup())).startsWith("{\"seed\":523,\"order\":0,").contains("LATE_LOSS");
	}

}
