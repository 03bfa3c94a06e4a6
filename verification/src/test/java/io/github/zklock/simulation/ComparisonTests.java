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
import java.util.Map;
import java.util.stream.Stream;

import io.github.zklock.simulation.RecordedClient.Entry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Comparison}.
 */
@Tag("server")
class ComparisonTests {

	private static final String[] ALL = { "NodeDeleted /a for w1", "NodeDeleted /b for w1", "Closed" };

	@Test
	void whoClosesMayBeCutOffBeforeAllEventsAreWritten() {
		assertThatCode(
				() -> compare(log("NodeDeleted /a for w1", "Disconnected", "Disconnected for w1", "Closed"), log(ALL)))
			.doesNotThrowAnyException();
	}

	@Test
	void whoIsCutOffIsToldNothingElse() {
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> compare(log("NodeDeleted /c for w1", "Disconnected", "Closed"), log(ALL)));
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> compare(log("Disconnected", "create /c: OK", "Closed"), log(ALL)));
	}

	@Test
	void whoDoesNotCloseIsToldEverything() {
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> compare(log("NodeDeleted /a for w1", "Disconnected"), log(ALL)));
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> compare(log("NodeDeleted /a for w1", "Closed"), log(ALL)));
	}

	private static void compare(List<Entry> real, List<Entry> simulated) {
		new Comparison(Map.of("c0", real), Map.of("c0", simulated)).check("a run");
	}

	private static List<Entry> log(String... briefs) {
		return Stream.of(briefs).map((brief) -> new Entry(1, brief, "")).toList();
	}

}
