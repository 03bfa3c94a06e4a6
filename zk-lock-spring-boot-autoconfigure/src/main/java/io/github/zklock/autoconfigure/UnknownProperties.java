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

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.time.temporal.TemporalAmount;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Finds properties with the prefix {@code zk-lock} that do not exist, such as misspelled
 * ones. Spring Boot ignores them, and the default takes their place: two nodes with two
 * roots do not exclude each other.
 */
final class UnknownProperties {

	private static final Logger logger = LoggerFactory.getLogger(UnknownProperties.class);

	private static final String PREFIX = "zk-lock";

	private static final String UNIFORM_PREFIX = "zklock";

	// An environment variable with another name may belong to another program.
	private static final int MOST_MISTAKES = 2;

	// A property ends here with its value, or continues with names of the user's choice.
	private final Map<String, String> known = new TreeMap<>();

	private final Map<String, String> maps = new TreeMap<>();

	private UnknownProperties() {
		add(ZkLockProperties.class, PREFIX);
	}

	/**
	 * Warn of each unknown property.
	 * @param environment the configuration
	 */
	static void warn(Environment environment) {
		UnknownProperties properties = new UnknownProperties();
		Map<String, String> unknown = new TreeMap<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				iterable.stream().filter((name) -> properties.isUnknown(name, source)).forEach((name) -> {
					String uniform = LockOverrideNames.uniform(name.toString());
					unknown.putIfAbsent(uniform, describe(source, name)
							+ " does not exist and has no effect. Nearest is " + properties.nearest(uniform));
				});
			}
		}
		unknown.values().forEach((text) -> logger.warn("The property {}", text));
	}

	private void add(Class<?> type, String prefix) {
		for (RecordComponent component : type.getRecordComponents()) {
			String name = prefix + "." + kebab(component.getName());
			if (component.getType().isRecord() && !TemporalAmount.class.isAssignableFrom(component.getType())) {
				add(component.getType(), name);
			}
			else if (component.getGenericType() instanceof ParameterizedType) {
				this.maps.put(LockOverrideNames.uniform(name), name + ".<name>");
			}
			else {
				this.known.put(LockOverrideNames.uniform(name), name);
			}
		}
	}

	private static String kebab(String name) {
		return name.replaceAll("(\\p{Lu})", "-$1").toLowerCase(Locale.ROOT);
	}

	private boolean isUnknown(ConfigurationPropertyName name, ConfigurationPropertySource source) {
		String uniform = LockOverrideNames.uniform(name.toString());
		if (!isOurs(name) || this.known.containsKey(uniform)
				|| this.maps.keySet().stream().anyMatch(uniform::startsWith)) {
			return false;
		}
		return !isEnvironment(source)
				|| this.known.keySet().stream().anyMatch((each) -> distance(each, uniform) <= MOST_MISTAKES);
	}

	// ZK_LOCK_ROOT is listed as zk.lock.root.
	private static boolean isOurs(ConfigurationPropertyName name) {
		return name.getNumberOfElements() > 1
				&& (isFirst(name, 1) || (name.getNumberOfElements() > 2 && isFirst(name, 2)));
	}

	private static boolean isFirst(ConfigurationPropertyName name, int elements) {
		return LockOverrideNames.uniform(name.chop(elements).toString()).equals(UNIFORM_PREFIX);
	}

	private static boolean isEnvironment(ConfigurationPropertySource source) {
		return source.getUnderlyingSource() instanceof PropertySource<?> underlying
				&& underlying instanceof SystemEnvironmentPropertySource;
	}

	private String nearest(String uniform) {
		Collection<String> keys = this.known.keySet();
		return keys.stream()
			.min(Comparator.comparingInt((each) -> distance(each, uniform)))
			.map(this.known::get)
			.orElse(PREFIX);
	}

	// Of Levenshtein.
	private static int distance(String one, String other) {
		int[] row = new int[other.length() + 1];
		for (int j = 0; j < row.length; j++) {
			row[j] = j;
		}
		for (int i = 1; i <= one.length(); i++) {
			int diagonal = row[0];
			row[0] = i;
			for (int j = 1; j < row.length; j++) {
				int above = row[j];
				int change = diagonal + ((one.charAt(i - 1) == other.charAt(j - 1)) ? 0 : 1);
				row[j] = Math.min(change, Math.min(above, row[j - 1]) + 1);
				diagonal = above;
			}
		}
		return row[other.length()];
	}

	private static String describe(ConfigurationPropertySource source, ConfigurationPropertyName name) {
		@Nullable ConfigurationProperty property = source.getConfigurationProperty(name);
		boolean traceable = property != null && property.getOrigin() != null;
		return name + (traceable ? " (" + property.getOrigin() + ")" : "");
	}

}
