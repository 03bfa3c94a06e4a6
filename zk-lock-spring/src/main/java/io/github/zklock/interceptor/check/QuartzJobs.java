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

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockTarget;
import io.github.zklock.interceptor.source.LockOperationSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.MethodInvoker;
import org.springframework.util.ReflectionUtils;

/**
 * The jobs of Quartz, whose objects are no beans. A scheduler makes one for each run, and
 * only some of its factories let the container put a proxy around it.
 */
final class QuartzJobs {

	private static final Logger logger = LoggerFactory.getLogger(QuartzJobs.class);

	private static final String FACTORY_OF_CONTAINER = "org.springframework.scheduling.quartz.SpringBeanJobFactory";

	private final ConfigurableListableBeanFactory beanFactory;

	private final LockOperationSource operationSource;

	private final @Nullable Class<?> detailType;

	private final @Nullable Class<?> schedulerType;

	QuartzJobs(ConfigurableListableBeanFactory beanFactory, LockOperationSource operationSource) {
		this.beanFactory = beanFactory;
		this.operationSource = operationSource;
		this.detailType = type("org.quartz.JobDetail");
		this.schedulerType = type("org.quartz.Scheduler");
	}

	/** Check the jobs that exist so far. */
	void check(Consumer<LockOperation> operations, Consumer<InvalidLockUsageException> findings) {
		beans(this.detailType).forEach((detail) -> check(detail, operations, findings));
	}

	/** Return whether a bean is a job or a scheduler. */
	boolean isAbout(Object bean) {
		return isOfType(bean, this.detailType) || isOfType(bean, this.schedulerType);
	}

	/** Check a job or a scheduler that is created later. */
	void checkLate(Object bean, Consumer<InvalidLockUsageException> findings) {
		if (isOfType(bean, this.detailType)) {
			check(bean, (operation) -> {
			}, findings);
		}
		else {
			beans(this.detailType).forEach((detail) -> checkFactory(detail, bean, findings));
		}
	}

	private void check(Object detail, Consumer<LockOperation> operations,
			Consumer<InvalidLockUsageException> findings) {
		Class<?> type = guardedType(detail);
		if (type != null && !isBean(type)) {
			new LockedBean(this.beanFactory, this.operationSource, type.getName(), type).check(operations, findings);
		}
		beans(this.schedulerType).forEach((scheduler) -> checkFactory(detail, scheduler, findings));
		checkInvoked(detail, findings);
	}

	private void checkFactory(Object detail, Object scheduler, Consumer<InvalidLockUsageException> findings) {
		Class<?> type = guardedType(detail);
		Object factory = (type != null) ? factory(scheduler, detail) : null;
		if (type != null && factory != null && !mayMakeProxy(factory, type)) {
			guarded(type).forEach((method) -> findings.accept(method.invalid(
					"is in a Quartz job, whose objects a " + factory.getClass().getName()
							+ " makes without the container, so they have no proxy and it runs without its lock",
					"Give the SchedulerFactoryBean a SpringBeanJobFactory, as Spring Boot does; or move the body to a "
							+ "method of a bean, guard it there, and call it through the bean.")));
		}
	}

	// A factory of the application may take the objects from the beans.
	private boolean mayMakeProxy(Object factory, Class<?> job) {
		for (Class<?> each = factory.getClass(); each != null; each = each.getSuperclass()) {
			if (each.getName().equals(FACTORY_OF_CONTAINER)) {
				Field context = Objects.requireNonNull(ReflectionUtils.findField(each, "applicationContext"));
				ReflectionUtils.makeAccessible(context);
				return ReflectionUtils.getField(context, factory) != null;
			}
		}
		String name = factory.getClass().getName();
		return !name.startsWith("org.springframework.") && !name.startsWith("org.quartz.") && isBean(job);
	}

	// What a MethodInvokingJobDetailFactoryBean calls.
	private void checkInvoked(Object detail, Consumer<InvalidLockUsageException> findings) {
		if (property(detail, "jobDataMap") instanceof Map<?, ?> data
				&& data.get("methodInvoker") instanceof MethodInvoker invoker) {
			Object target = invoker.getTargetObject();
			if (target != null && !AopUtils.isAopProxy(target) && !LockedBean.isStandIn(target)) {
				guarded(target.getClass())
					.filter((method) -> method.method().getName().equals(invoker.getTargetMethod()))
					.forEach((method) -> findings.accept(method.invalid(
							"is invoked by a Quartz job on an object without its proxy, so it runs without its lock",
							"Give the MethodInvokingJobDetailFactoryBean the name of a bean (targetBeanName) instead "
									+ "of the object.")));
			}
		}
	}

	private @Nullable Class<?> guardedType(Object detail) {
		return (property(detail, "jobClass") instanceof Class<?> type && guarded(type).findAny().isPresent()) ? type
				: null;
	}

	private Stream<LockTarget> guarded(Class<?> type) {
		if (!this.operationSource.isCandidateClass(type)) {
			return Stream.empty();
		}
		return Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(type))
			.filter((method) -> !method.isBridge() && ClassUtils.isUserLevelMethod(method)
					&& this.operationSource.hasLockOperation(method, type))
			.map((method) -> new LockTarget(method, type));
	}

	// The interface of a scheduler does not have it.
	private @Nullable Object factory(Object scheduler, Object detail) {
		try {
			Method has = Arrays.stream(Objects.requireNonNull(this.schedulerType).getMethods())
				.filter((method) -> method.getName().equals("checkExists")
						&& method.getParameterTypes()[0].isInstance(property(detail, "key")))
				.findFirst()
				.orElseThrow();
			return Boolean.TRUE.equals(ReflectionUtils.invokeMethod(has, scheduler, property(detail, "key")))
					? new DirectFieldAccessor(scheduler).getPropertyValue("sched.jobFactory") : null;
		}
		catch (RuntimeException ex) {
			logger.debug("The factory of the jobs of {} is not checked, since it cannot be read", scheduler, ex);
			return null;
		}
	}

	private boolean isBean(Class<?> type) {
		return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beanFactory, type, true, false).length > 0;
	}

	private Stream<Object> beans(@Nullable Class<?> type) {
		return (type != null) ? Arrays.stream(this.beanFactory.getBeanNamesForType(type, true, false))
			.filter((name) -> this.beanFactory.containsSingleton(BeanFactoryUtils.transformedBeanName(name)))
			.map(this.beanFactory::getBean) : Stream.empty();
	}

	private static boolean isOfType(Object bean, @Nullable Class<?> type) {
		return type != null && type.isInstance(bean);
	}

	private @Nullable Class<?> type(String name) {
		ClassLoader loader = this.beanFactory.getBeanClassLoader();
		return ClassUtils.isPresent(name, loader) ? ClassUtils.resolveClassName(name, loader) : null;
	}

	private static @Nullable Object property(Object bean, String name) {
		BeanWrapper properties = PropertyAccessorFactory.forBeanPropertyAccess(bean);
		return properties.isReadableProperty(name) ? properties.getPropertyValue(name) : null;
	}

}
