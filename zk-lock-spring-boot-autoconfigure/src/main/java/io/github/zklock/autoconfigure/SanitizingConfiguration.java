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

import java.util.Locale;
import java.util.regex.Pattern;

import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Keeps the secrets of the client out of the endpoints that show properties, even where
 * those are to show their values.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(SanitizingFunction.class)
class SanitizingConfiguration {

	// In any spelling, such as the name of an environment variable. Of the options of a
	// login module only the user is known not to be secret.
	private static final Pattern SECRET = Pattern
		.compile("zklockauth(digestpassword|sasloptions(?!username$).*)|zklockkeydigestsecret");

	@Bean
	SanitizingFunction zkLockSanitizingFunction() {
		return (data) -> isSecret(data.getKey()) ? data.withValue(SanitizableData.SANITIZED_VALUE) : data;
	}

	private static boolean isSecret(String key) {
		return SECRET.matcher(key.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "")).matches();
	}

}
