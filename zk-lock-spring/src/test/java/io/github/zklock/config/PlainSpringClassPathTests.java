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

package io.github.zklock.config;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Guarded methods run without Spring Boot and without ZooKeeper, which their build holds.
 */
class PlainSpringClassPathTests {

	@ParameterizedTest
	@ValueSource(strings = { "org.springframework.boot.SpringApplication",
			"org.springframework.boot.autoconfigure.AutoConfiguration", "org.apache.zookeeper.ZooKeeper",
			"org.apache.curator.framework.CuratorFramework" })
	void classesAreNotThere(String type) {
		assertThatExceptionOfType(ClassNotFoundException.class).isThrownBy(() -> Class.forName(type));
	}

}
