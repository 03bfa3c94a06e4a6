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

package io.github.zklock.zookeeper;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A guess is made after some successes in a row, the more of them the more often it was
 * wrong.
 */
class StreakTests {

	private final Streak streak = new Streak();

	@Test
	void oneSuccessIsEnoughAtFirst() {
		assertThat(this.streak.isLikely()).isFalse();
		this.streak.add(true);
		assertThat(this.streak.isLikely()).isTrue();
		this.streak.add(false);
		assertThat(this.streak.isLikely()).isFalse();
	}

	@Test
	void eachWrongGuessTakesFourTimesAsManyUpTo64() {
		for (int expected : new int[] { 1, 4, 16, 64, 64 }) {
			assertThat(successesUntilLikely()).isEqualTo(expected);
			this.streak.disappoint();
		}
	}

	@Test
	void wrongGuessesAtTheSameTimeCountAsOne() {
		this.streak.add(true);
		this.streak.disappoint();
		this.streak.disappoint();
		assertThat(successesUntilLikely()).isEqualTo(4);
	}

	@Test
	void wrongGuessCountsAlsoIfTheStreakHasEndedInBetween() {
		this.streak.add(true);
		this.streak.add(false);
		this.streak.disappoint();
		assertThat(successesUntilLikely()).isEqualTo(4);
	}

	private int successesUntilLikely() {
		int successes = 0;
		while (!this.streak.isLikely()) {
			this.streak.add(true);
			successes++;
		}
		return successes;
	}

}
