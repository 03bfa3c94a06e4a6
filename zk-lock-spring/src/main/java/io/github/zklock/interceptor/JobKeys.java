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

package io.github.zklock.interceptor;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.github.zklock.interceptor.expression.LockKeyEvaluator;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockSpecification;
import io.github.zklock.scheduling.KnownTask;
import io.github.zklock.scheduling.TaskText;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * The tasks and the beans of jobs, and their keys without a call of their methods. Each
 * bean of a class may have a key of its own.
 */
final class JobKeys {

	private static final Logger logger = LoggerFactory.getLogger(JobKeys.class);

	private final BeanFactory beanFactory;

	private final LockKeyEvaluator keys;

	JobKeys(BeanFactory beanFactory) {
		this.beanFactory = beanFactory;
		this.keys = new LockKeyEvaluator(beanFactory);
	}

	/**
	 * Return the key of the record of a job. Of several keys, the last one has it.
	 * @param target returns the object on which the method is called
	 */
	String key(LockOperation operation, Supplier<? extends @Nullable Object> target) {
		TreeSet<String> all = new TreeSet<>();
		MethodInvocation call = new Call(operation.method(), target);
		operation.locks().forEach((lock) -> all.addAll(this.keys.keys(operation, lock, call)));
		return all.last();
	}

	/**
	 * Return the names of the beans that a class has, without creating one.
	 */
	List<String> beans(Class<?> targetClass) {
		if (!(this.beanFactory instanceof ConfigurableListableBeanFactory beans)) {
			return List.of();
		}
		Class<?> type = ClassUtils.getUserClass(targetClass);
		return Arrays.stream(beans.getBeanDefinitionNames())
			.filter((name) -> type.equals(typeOf(beans, name)))
			.toList();
	}

	private static @Nullable Class<?> typeOf(ConfigurableListableBeanFactory beans, String name) {
		try {
			Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
			return (type != null) ? ClassUtils.getUserClass(type) : null;
		}
		catch (RuntimeException | LinkageError ex) {
			logger.debug("Bean '{}' is taken for no job, since its class cannot be read", name, ex);
			return null;
		}
	}

	/**
	 * Return the object that a bean calls, without creating it.
	 * @return the object, or {@code null} if it does not exist, or changes from call to
	 * call
	 */
	@Nullable Object target(String bean) {
		Object known = (this.beanFactory instanceof ConfigurableListableBeanFactory beans) ? beans.getSingleton(bean)
				: null;
		return (known != null) ? AopProxyUtils.getSingletonTarget(known) : null;
	}

	/**
	 * Return the object that the only bean of a class calls.
	 */
	@Nullable Object target(LockOperation operation) {
		List<String> names = beans(operation.targetClass());
		Object bean = (names.size() == 1) ? this.beanFactory.getBean(names.get(0))
				: this.beanFactory.getBeanProvider(operation.targetClass()).stream().findFirst().orElse(null);
		Object target = (bean != null) ? AopProxyUtils.getSingletonTarget(bean) : null;
		return (target != null) ? target : bean;
	}

	/**
	 * Return whether an object is called by one of some beans.
	 */
	Predicate<Object> isCalledBy(List<String> beans) {
		return (target) -> beans.stream()
			.map(this::target)
			.filter(Objects::nonNull)
			.anyMatch((each) -> innermost(each) == innermost(target));
	}

	// A bean may have several proxies.
	private static Object innermost(Object target) {
		Object inner = AopProxyUtils.getSingletonTarget(target);
		return (inner != null) ? innermost(inner) : target;
	}

	/**
	 * Return the jobs of a method. The beans of its class that have one key now are one
	 * job.
	 */
	List<KeyedBeans> jobs(LockOperation operation) {
		List<String> beans = beans(operation.targetClass()).stream().filter((name) -> target(name) != null).toList();
		if (beans.size() < 2) {
			return List.of(new KeyedBeans(beans, SingletonSupplier.of(() -> key(operation, () -> target(operation)))));
		}
		Map<String, List<String>> known = new LinkedHashMap<>();
		List<KeyedBeans> jobs = new ArrayList<>();
		for (String bean : beans) {
			try {
				known.computeIfAbsent(key(operation, () -> target(bean)), (key) -> new ArrayList<>()).add(bean);
			}
			catch (RuntimeException ex) {
				jobs.add(new KeyedBeans(List.of(bean), () -> key(operation, () -> target(bean))));
			}
		}
		known.forEach((key, names) -> jobs.add(new KeyedBeans(List.copyOf(names), () -> key)));
		return jobs;
	}

	/**
	 * Return which tasks run a method as a job: the latest first, and ticks before
	 * periodic runs.
	 */
	static List<KnownTask> tasks(LockOperation operation, List<KnownTask> known) {
		List<KnownTask> tasks = new ArrayList<>(
				known.stream().filter((task) -> isOf(task, operation) && isPlanned(task, operation)).toList());
		Collections.reverse(tasks);
		tasks.sort(Comparator.comparing((task) -> task.period() != null));
		return tasks;
	}

	private static boolean isOf(KnownTask task, LockOperation operation) {
		return operation.oncePerTick().shortestPeriod() != null
				&& operation.locks().stream().noneMatch(LockSpecification::unguarded)
				&& TaskText.isOf(task.text(), operation.method(), operation.targetClass(), null)
				&& !TaskText.isOfSuperclass(task.text(), operation.method());
	}

	private static boolean isPlanned(KnownTask task, LockOperation operation) {
		Duration shortest = operation.oncePerTick().shortestPeriod();
		return task.period() == null || (shortest != null && task.period().compareTo(shortest) >= 0);
	}

	/**
	 * The beans of one job.
	 *
	 * @param beans their names, if they are known
	 * @param key computes the key
	 */
	record KeyedBeans(List<String> beans, Supplier<String> key) {

	}

	/**
	 * A call by the scheduler, for the expressions of a key.
	 */
	private record Call(Method method, Supplier<? extends @Nullable Object> target) implements MethodInvocation {

		@Override
		public Method getMethod() {
			return this.method;
		}

		@Override
		public Object[] getArguments() {
			return new Object[this.method.getParameterCount()];
		}

		@Override
		public @Nullable Object proceed() {
			throw new UnsupportedOperationException("It is only described");
		}

		@Override
		public @Nullable Object getThis() {
			return this.target.get();
		}

		@Override
		public AccessibleObject getStaticPart() {
			return this.method;
		}

	}

}
