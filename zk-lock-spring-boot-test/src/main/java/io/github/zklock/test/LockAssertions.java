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

package io.github.zklock.test;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.github.zklock.interceptor.source.LockOperationSource;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.util.ClassUtils;

/**
 * Assertions on the locks of an application, for tests with an application context, as
 * {@code @SpringBootTest} has one. They throw an {@link AssertionError} and need no
 * library of assertions.
 *
 * @since 0.1.0
 */
public final class LockAssertions {

	private LockAssertions() {
	}

	/**
	 * Assert that each {@code @Scheduled} method of each bean is guarded. Tasks that are
	 * registered otherwise, such as through a {@code SchedulingConfigurer}, are not seen.
	 * @param context the application context
	 * @throws AssertionError if one is not, with the names of all of them
	 */
	public static void assertScheduledMethodsAreGuarded(ApplicationContext context) {
		assertScheduledMethodsAreGuarded(context, (method) -> false);
	}

	/**
	 * Assert that each {@code @Scheduled} method of each bean is guarded, except those
	 * that all nodes are to run.
	 * @param context the application context
	 * @param onEveryNode which methods need no lock
	 * @throws AssertionError if one is not, with the names of all of them
	 * @throws IllegalArgumentException if the context does not list its beans
	 */
	public static void assertScheduledMethodsAreGuarded(ApplicationContext context,
			Predicate<? super Method> onEveryNode) {
		if (!(context.getAutowireCapableBeanFactory() instanceof ConfigurableListableBeanFactory beanFactory)) {
			throw new IllegalArgumentException("The beans of " + context + " cannot be listed");
		}
		LockOperationSource source = context.getBean(LockOperationSource.class);
		Set<String> unguarded = new TreeSet<>();
		for (String beanName : beanFactory.getBeanDefinitionNames()) {
			Class<?> targetClass = AutoProxyUtils.determineTargetClass(beanFactory, beanName);
			if (targetClass != null) {
				Class<?> type = ClassUtils.getUserClass(targetClass);
				MethodIntrospector.selectMethods(type, LockAssertions::isScheduled)
					.stream()
					.filter((method) -> !source.hasLockOperation(method, type) && !onEveryNode.test(method))
					.forEach((method) -> unguarded.add(describe(type, method)));
			}
		}
		if (!unguarded.isEmpty()) {
			throw new AssertionError("@Scheduled methods without a lock, which every node runs: "
					+ String.join(", ", unguarded) + ". Annotate them with @DistributedLock, or exclude those that "
					+ "every node is to run.");
		}
	}

	private static boolean isScheduled(Method method) {
		return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(Scheduled.class);
	}

	private static String describe(Class<?> type, Method method) {
		return type.getName() + "." + method.getName()
				+ Arrays.stream(method.getParameterTypes())
					.map(Class::getSimpleName)
					.collect(Collectors.joining(", ", "(", ")"));
	}

}
