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

package io.github.zklock.docs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The engine and its tests run without Spring, which their build holds.
 */
class PlainClassPathTests {

	@ParameterizedTest
	@ValueSource(strings = { "org.springframework.core.SpringVersion", "org.springframework.beans.factory.BeanFactory",
			"org.springframework.boot.SpringApplication" })
	void hasNoClassOfSpring(String type) {
		assertThatExceptionOfType(ClassNotFoundException.class).isThrownBy(() -> Class.forName(type));
	}

	@Test
	void hasNoJarOfSpring() {
		assertThat(System.getProperty("java.class.path")).contains("zk-lock-core")
			.doesNotContain("/org/springframework/");
	}

}
