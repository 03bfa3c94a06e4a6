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

import io.github.zklock.support.CapturedOutput;
import io.github.zklock.support.OutputCaptureExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A state takes the steps that it is made for. Any other is not taken, and is reported if
 * it was a must.
 */
@ExtendWith(OutputCaptureExtension.class)
class StateMachineTests {

	private final StateMachine<Light> light = new StateMachine<>(Light.RED, (from, to) -> to == Light.GREEN);

	@Test
	void stepIsTakenOnce(CapturedOutput output) {
		assertThat(this.light.to(Light.GREEN)).isTrue();
		assertThat(this.light.to(Light.GREEN)).isFalse();
		assertThat(this.light.is(Light.GREEN)).isTrue();
		assertThat(output.toString()).doesNotContain("must not become");
	}

	@Test
	void illegalStepIsReportedAndNotTaken(CapturedOutput output) {
		assertThat(this.light.to(Light.OFF)).isFalse();
		assertThat(this.light.get()).isEqualTo(Light.RED);
		assertThat(output.toString())
			.contains("Light RED must not become OFF. This is a bug of zk-lock, please report it");
	}

	@Test
	void stepThatIsTooLateIsNotTakenAndNotReported(CapturedOutput output) {
		assertThat(this.light.toIfPossible(Light.OFF)).isFalse();
		assertThat(this.light.get()).isEqualTo(Light.RED);
		assertThat(output.toString()).doesNotContain("must not become");
	}

	private enum Light {

		RED, GREEN, OFF

	}

}
