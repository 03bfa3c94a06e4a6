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

package io.github.zklock.zookeeper.tasks;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A guess is made after some successes in a row, the more of them the more often it was
 * wrong.
 */
class AdaptiveGuessTests {

	private final AdaptiveGuess guess = new AdaptiveGuess();

	@Test
	void oneSuccessIsEnoughAtFirst() {
		assertThat(this.guess.isLikely()).isFalse();
		this.guess.add(true);
		assertThat(this.guess.isLikely()).isTrue();
		this.guess.add(false);
		assertThat(this.guess.isLikely()).isFalse();
	}

	@Test
	void eachWrongGuessTakesFourTimesAsManyUpTo64() {
		for (int expected : new int[] { 1, 4, 16, 64, 64 }) {
			assertThat(successesUntilLikely()).isEqualTo(expected);
			this.guess.disappoint();
		}
	}

	@Test
	void wrongGuessesAtTheSameTimeCountAsOne() {
		this.guess.add(true);
		this.guess.disappoint();
		this.guess.disappoint();
		assertThat(successesUntilLikely()).isEqualTo(4);
	}

	@Test
	void wrongGuessCountsAlsoIfTheStreakHasEndedInBetween() {
		this.guess.add(true);
		this.guess.add(false);
		this.guess.disappoint();
		assertThat(successesUntilLikely()).isEqualTo(4);
	}

	private int successesUntilLikely() {
		int successes = 0;
		while (!this.guess.isLikely()) {
			this.guess.add(true);
			successes++;
		}
		return successes;
	}

}
