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

import org.jspecify.annotations.Nullable;

import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * The name of this application for others that wait for its locks.
 *
 * @param name the name of the application
 * @param instance the name of this instance, or {@code null} to leave it to the provider
 */
record LockApplication(String name, @Nullable String instance) {

	static LockApplication of(Environment environment) {
		String configuredName = environment.getProperty("spring.application.name");
		String name = StringUtils.hasText(configuredName) ? configuredName : "application";
		String port = environment.getProperty("server.port");
		boolean fixedPort = StringUtils.hasText(port) && port.chars().allMatch(Character::isDigit) && !"0".equals(port);
		return new LockApplication(name, fixedPort ? name + ":" + port : null);
	}

}
