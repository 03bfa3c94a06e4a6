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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;

/**
 * The names of the properties {@code zk-lock.locks.<name>.*}. An environment variable has
 * neither capitals nor punctuation, so names are compared without them.
 */
final class LockOverrideNames {

	private static final String LOCKS = "zk-lock.locks";

	// As Spring Boot lists ZKLOCK_LOCKS_* and ZK_LOCK_LOCKS_*.
	private static final List<ConfigurationPropertyName> PREFIXES = List.of(ConfigurationPropertyName.of(LOCKS),
			ConfigurationPropertyName.of("zk.lock.locks"));

	private static final Set<String> SETTINGS = Set.of("wait", "unguarded", "cache", "oncepertick", "recoverwithin",
			"maxattempts", "shardspernode");

	private LockOverrideNames() {
	}

	/**
	 * Reduce a name to its letters and digits, in lower case.
	 */
	static String uniform(String name) {
		return name.replaceAll("[^\\p{L}\\p{N}]", "").toLowerCase(Locale.ROOT);
	}

	static ConfigurationPropertyName property(String uniform) {
		return ConfigurationPropertyName.adapt(LOCKS + "." + uniform, '.');
	}

	/**
	 * Find the properties that have no effect: of no lock, or no setting of a lock.
	 * @param environment the configuration
	 * @param names the names of all locks
	 * @return the properties, with their origin if it is known
	 */
	static Collection<String> unmatched(Environment environment, Collection<String> names) {
		Set<String> known = names.stream().map(LockOverrideNames::uniform).collect(Collectors.toSet());
		Map<ConfigurationPropertyName, String> unmatched = new TreeMap<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				for (ConfigurationPropertyName prefix : PREFIXES) {
					iterable.stream()
						.filter(prefix::isAncestorOf)
						.filter((property) -> !isKnown(property, prefix.getNumberOfElements(), known))
						.forEach((property) -> unmatched.putIfAbsent(property, describe(source, property)));
				}
			}
		}
		return unmatched.values();
	}

	/**
	 * Refuse the setting {@code enabled} of a lock, which would look as if it turned the
	 * job off.
	 * @param environment the configuration
	 * @throws InvalidConfigurationPropertyValueException if there is such a setting
	 */
	static void refuseEnabled(Environment environment) {
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				PREFIXES.forEach((prefix) -> iterable.stream()
					.filter((property) -> isEnabledOf(prefix, property))
					.findFirst()
					.ifPresent((property) -> refuse(source, property, prefix.getNumberOfElements())));
			}
		}
	}

	private static boolean isEnabledOf(ConfigurationPropertyName prefix, ConfigurationPropertyName property) {
		return prefix.isAncestorOf(property) && property.getNumberOfElements() > prefix.getNumberOfElements() + 1
				&& property.getLastElement(Form.UNIFORM).equals("enabled");
	}

	private static void refuse(ConfigurationPropertySource source, ConfigurationPropertyName name, int index) {
		ConfigurationProperty property = Objects.requireNonNull(source.getConfigurationProperty(name));
		ConfigurationPropertyName lock = PREFIXES.get(0).append(name.subName(index).getParent());
		throw new InvalidConfigurationPropertyValueException(name.toString(), property.getValue(),
				"it is not a setting of a lock, and turns no job off. Set '" + lock.append("unguarded")
						+ "' to true to run its methods without the lock");
	}

	private static boolean isKnown(ConfigurationPropertyName property, int index, Set<String> known) {
		String setting = property.subName(index + 1).toString();
		return known.contains(uniform(property.getElement(index, Form.ORIGINAL)))
				&& SETTINGS.contains(uniform(setting));
	}

	private static String describe(ConfigurationPropertySource source, ConfigurationPropertyName name) {
		@Nullable ConfigurationProperty property = source.getConfigurationProperty(name);
		boolean traceable = property != null && property.getOrigin() != null;
		return name + (traceable ? " (" + property.getOrigin() + ")" : "");
	}

}
