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

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;

/**
 * Where the overrides of a lock stand in the configuration:
 * {@code zk-lock.locks.<name>.*}.
 */
final class LockOverrideNames {

	private static final ConfigurationPropertyName LOCKS = ConfigurationPropertyName.of("zk-lock.locks");

	private static final Set<String> SETTINGS = Set.of("wait", "enabled", "cache", "oncepertick", "client");

	private LockOverrideNames() {
	}

	static ConfigurationPropertyName of(String name) {
		return ConfigurationPropertyName.adapt(LOCKS + "." + name, '.');
	}

	/**
	 * Find the overrides that match no lock.
	 * @param environment the configuration
	 * @param names the names of all locks
	 * @return the properties, with their origin if it is known
	 */
	static Collection<String> unmatched(Environment environment, Collection<String> names) {
		Set<ConfigurationPropertyName> known = new HashSet<>();
		for (String name : names) {
			known.add(of(name));
			known.add(LOCKS.append("[" + name + "]"));
		}
		Map<ConfigurationPropertyName, String> unmatched = new TreeMap<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				iterable.stream()
					.filter(LOCKS::isAncestorOf)
					.filter((property) -> !isKnown(property, known))
					.forEach((property) -> unmatched.putIfAbsent(property, describe(source, property)));
			}
		}
		return unmatched.values();
	}

	private static boolean isKnown(ConfigurationPropertyName property, Set<ConfigurationPropertyName> known) {
		return SETTINGS.contains(property.getLastElement(Form.UNIFORM)) && known.contains(property.getParent());
	}

	private static String describe(ConfigurationPropertySource source, ConfigurationPropertyName name) {
		@Nullable ConfigurationProperty property = source.getConfigurationProperty(name);
		boolean traceable = property != null && property.getOrigin() != null;
		return name + (traceable ? " (" + property.getOrigin() + ")" : "");
	}

}
