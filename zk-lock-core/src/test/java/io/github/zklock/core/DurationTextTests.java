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

package io.github.zklock.core;

import java.time.Duration;

import io.github.zklock.core.internal.DurationText;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How messages write a duration.
 */
class DurationTextTests {

	@ParameterizedTest
	@CsvSource({ "PT0S, 0ms", "PT0.2509S, 250ms", "PT5S, 5s", "PT1.5S, 1.5s", "PT59.999S, 59.999s", "PT1M0.029S, 1m",
			"PT2M30.9S, 2m30s", "PT48H0.029S, 48h", "PT1H0M1S, 1h1s" })
	void partsOfASecondCountForLessThanAMinuteOnly(Duration duration, String text) {
		assertThat(DurationText.of(duration)).isEqualTo(text);
	}

}
