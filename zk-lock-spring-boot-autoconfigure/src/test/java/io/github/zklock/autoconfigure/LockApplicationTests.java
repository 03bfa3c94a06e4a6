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

package io.github.zklock.autoconfigure;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

class LockApplicationTests {

	@ParameterizedTest
	@CsvSource({ ",,application,", "shop,,shop,", "shop,8080,shop,shop:8080", "shop,0,shop,", "shop,-1,shop,",
			",8080,application,application:8080" })
	void namesTheApplicationAndItsInstance(@Nullable String name, @Nullable String port, String expectedName,
			@Nullable String expectedInstance) {
		Map<String, Object> values = new HashMap<>();
		values.put("spring.application.name", name);
		values.put("server.port", port);
		values.values().removeIf(Objects::isNull);
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addFirst(new MapPropertySource("test", values));
		LockApplication application = LockApplication.of(environment);
		assertThat(application.name()).isEqualTo(expectedName);
		assertThat(application.instance()).isEqualTo(expectedInstance);
	}

}
