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

import java.util.Map;
import java.util.Set;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.convert.ConverterNotFoundException;
import org.springframework.core.env.Environment;

/**
 * Properties below names that the application chooses, before they are bound to
 * {@link ZkLockProperties}.
 */
final class PropertiesByName {

	private static final Bindable<Map<String, Object>> BY_NAME = Bindable.mapOf(String.class, Object.class);

	private PropertiesByName() {
	}

	/**
	 * Return the names of locks that have overrides.
	 * @param environment the configuration
	 * @return the names
	 * @throws InvalidConfigurationPropertyValueException if there is a text instead
	 */
	static Set<String> locks(Environment environment) {
		return names(environment, "zk-lock.locks", "wait");
	}

	private static Set<String> names(Environment environment, String prefix, String example) {
		try {
			return Binder.get(environment).bind(prefix, BY_NAME).orElseGet(Map::of).keySet();
		}
		catch (BindException ex) {
			// A "locks:" with nothing below it is an empty text in YAML, and Spring
			// Boot 3.5
			// does not take that for no names.
			if (ex.getCause() instanceof ConverterNotFoundException) {
				throw new InvalidConfigurationPropertyValueException(prefix, environment.getProperty(prefix),
						"It has no value itself, only properties below it, like " + prefix + ".<name>." + example
								+ ". Remove it if there are none.");
			}
			throw ex;
		}
	}

}
