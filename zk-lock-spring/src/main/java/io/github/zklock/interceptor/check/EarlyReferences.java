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

package io.github.zklock.interceptor.check;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.context.annotation.Role;
import org.springframework.core.PriorityOrdered;

/**
 * Notes which beans another bean got before they were ready, in a circle of beans. Spring
 * makes the proxy of such a bean early, and passes the object without the proxy to the
 * later bean post-processors. They keep it, so {@code @Scheduled} methods and message
 * listeners run without their locks.
 *
 * @since 0.1.0
 */
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class EarlyReferences implements SmartInstantiationAwareBeanPostProcessor, PriorityOrdered {

	private final Set<String> beanNames = ConcurrentHashMap.newKeySet();

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	@Override
	public Object getEarlyBeanReference(Object bean, String beanName) {
		this.beanNames.add(beanName);
		return bean;
	}

	static boolean include(ListableBeanFactory beanFactory, String beanName) {
		return names(beanFactory).contains(beanName);
	}

	// A parent context may have other beans with these names.
	static Set<String> names(ListableBeanFactory beanFactory) {
		return beanFactory.getBeansOfType(EarlyReferences.class, false, false)
			.values()
			.stream()
			.flatMap((references) -> references.beanNames.stream())
			.collect(Collectors.toSet());
	}

	/**
	 * Return the shortest circle in which a bean is, or its name alone if Spring does not
	 * know the circle.
	 */
	static String circle(ConfigurableBeanFactory beanFactory, String beanName) {
		Map<String, String> needing = new HashMap<>();
		Deque<String> open = new ArrayDeque<>(Set.of(beanName));
		while (!open.isEmpty()) {
			String each = open.remove();
			for (String needed : beanFactory.getDependenciesForBean(each)) {
				if (needed.equals(beanName)) {
					return path(needing, beanName, each) + " -> " + beanName;
				}
				if (needing.putIfAbsent(needed, each) == null) {
					open.add(needed);
				}
			}
		}
		return beanName;
	}

	private static String path(Map<String, String> needing, String from, String to) {
		StringBuilder path = new StringBuilder(to);
		for (String each = from(needing, from, to); each != null; each = from(needing, from, each)) {
			path.insert(0, each + " -> ");
		}
		return path.toString();
	}

	private static @Nullable String from(Map<String, String> needing, String from, String to) {
		return to.equals(from) ? null : needing.get(to);
	}

}
