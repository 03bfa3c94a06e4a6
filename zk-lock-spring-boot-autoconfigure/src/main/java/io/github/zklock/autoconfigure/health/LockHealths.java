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

package io.github.zklock.autoconfigure.health;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.health.LockHealth;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.SimpleAutowireCandidateResolver;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;

/**
 * The health of each provider of locks, with the name of its bean.
 */
final class LockHealths {

	private static final ConfigurationPropertyName LOCKS = ConfigurationPropertyName.of("zk-lock.locks");

	private LockHealths() {
	}

	static Map<String, LockHealth> of(ConfigurableListableBeanFactory beanFactory, Environment environment) {
		boolean enabled = environment.getProperty("zk-lock.enabled", Boolean.class, true);
		List<String> unguarded = unguarded(environment);
		Map<String, LockHealth> healths = new LinkedHashMap<>();
		SimpleAutowireCandidateResolver.resolveAutowireCandidates(beanFactory, LockProvider.class, false, true)
			.forEach((name, provider) -> healths.put(name, new LockHealth(enabled, provider, unguarded)));
		return healths;
	}

	// A name contains a dot, so the properties are not bound to a map by it.
	private static List<String> unguarded(Environment environment) {
		Binder binder = Binder.get(environment);
		return StreamSupport.stream(ConfigurationPropertySources.get(environment).spliterator(), false)
			.filter(IterableConfigurationPropertySource.class::isInstance)
			.flatMap((source) -> ((IterableConfigurationPropertySource) source).stream())
			.filter((name) -> LOCKS.isAncestorOf(name) && name.getLastElement(Form.UNIFORM).equals("unguarded"))
			.filter((name) -> binder.bind(name, Bindable.of(Boolean.class)).orElse(false))
			.map((name) -> IntStream.range(LOCKS.getNumberOfElements(), name.getNumberOfElements() - 1)
				.mapToObj((i) -> name.getElement(i, Form.ORIGINAL))
				.collect(Collectors.joining(".")))
			.distinct()
			.sorted()
			.toList();
	}

}
