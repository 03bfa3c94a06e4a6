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
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

import io.github.zklock.autoconfigure.ZkLockProperties;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.health.LockHealth;
import io.github.zklock.leader.internal.ElectedRoles;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.SimpleAutowireCandidateResolver;

/**
 * The health of each provider of locks, with the name of its bean.
 */
final class LockHealths {

	private LockHealths() {
	}

	static Map<String, LockHealth> of(ConfigurableListableBeanFactory beanFactory, ZkLockProperties properties) {
		List<String> unguarded = properties.locks()
			.entrySet()
			.stream()
			.filter((lock) -> Boolean.TRUE.equals(lock.getValue().unguarded()))
			.map(Map.Entry::getKey)
			.sorted()
			.toList();
		Supplier<Map<String, String>> roles = () -> roles(beanFactory);
		Map<String, LockHealth> healths = new LinkedHashMap<>();
		SimpleAutowireCandidateResolver.resolveAutowireCandidates(beanFactory, LockProvider.class, false, true)
			.forEach((name, provider) -> healths.put(name,
					new LockHealth(properties.enabled(), provider, unguarded, roles)));
		return healths;
	}

	private static Map<String, String> roles(ConfigurableListableBeanFactory beanFactory) {
		Map<String, String> states = new TreeMap<>();
		beanFactory.getBeanProvider(ElectedRoles.class)
			.ifAvailable((roles) -> roles.status()
				.forEach((status) -> states.put(status.role(), status.state().name().toLowerCase(Locale.ROOT))));
		return states;
	}

}
