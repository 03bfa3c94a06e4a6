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
import java.util.stream.LongStream;

import io.github.zklock.simulation.Fault.Kind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Shrinking} and {@link Setup}.
 */
class ShrinkingTests {

	@Test
	void whatBreaksNothingIsLeftOut() {
		Setup drawn = LongStream.range(0, 10_000)
			.mapToObj(Setup::draw)
			.filter((setup) -> isBroken(setup) && setup.clients() > 2 && setup.faults().size() > 3)
			.findFirst()
			.orElseThrow();
		Setup smallest = Shrinking.smallest(outcome(drawn), ShrinkingTests::outcome);
		assertThat(smallest.clients()).isEqualTo(2);
		assertThat(smallest.callers()).isOne();
		assertThat(smallest.operations()).isOne();
		assertThat(smallest.keys()).hasSize(1);
		assertThat(smallest.faults()).hasSize(1);
		assertThat(smallest.faults().get(0).kind()).isEqualTo(Kind.CRASH);
		assertThat(smallest.order()).isEqualTo(1);
		assertThat(smallest.toString()).startsWith("seed " + drawn.seed() + " (order 1)")
			.contains(": 2 client(s) x 1 caller(s)");
	}

	@Test
	void aSeedDrawsTheSameSetUpAgain() {
		assertThat(Setup.draw(7)).isEqualTo(Setup.draw(7)).isNotEqualTo(Setup.draw(8));
	}

	private static Outcome outcome(Setup setup) {
		Violation violation = isBroken(setup) ? new Violation("I2", "two holders") : null;
		return new Outcome(setup, violation, 0, new Counts(), List.of());
	}

	// In the second of all orders, if it was made smaller.
	private static boolean isBroken(Setup setup) {
		boolean drawn = setup.equals(Setup.draw(setup.seed()));
		return (drawn || setup.order() == 1) && setup.clients() > 1
				&& setup.faults().stream().anyMatch((fault) -> fault.kind() == Kind.CRASH);
	}

}
