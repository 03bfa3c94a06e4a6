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
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * A state takes the steps that it is made for. Any other is not taken, and fails if it
 * was a must.
 */
class StateMachineTests {

	private final StateMachine<Light> light = new StateMachine<>(Light.RED, (from, to) -> to == Light.GREEN);

	@Test
	void stepIsTakenOnce() {
		assertThat(this.light.to(Light.GREEN)).isTrue();
		assertThat(this.light.to(Light.GREEN)).isFalse();
		assertThat(this.light.is(Light.GREEN)).isTrue();
	}

	@Test
	void illegalStepIsRefusedAndNotTaken() {
		assertThatIllegalStateException().isThrownBy(() -> this.light.to(Light.OFF))
			.withMessageContaining("Light RED must not become OFF. This is a bug of zk-lock, please report it");
		assertThat(this.light.get()).isEqualTo(Light.RED);
	}

	@Test
	void stepThatIsTooLateIsNotTaken() {
		assertThat(this.light.toIfPossible(Light.OFF)).isFalse();
		assertThat(this.light.get()).isEqualTo(Light.RED);
	}

	private enum Light {

		RED, GREEN, OFF

	}

}
