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

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.interceptor.operation.GuardedMethod;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockTarget;
import io.github.zklock.interceptor.source.LockOperationSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The guarded methods of an application, found without creating a bean.
 *
 * @since 0.1.0
 */
public final class GuardedMethods {

	private static final Logger logger = LoggerFactory.getLogger(GuardedMethods.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final LockOperationSource operationSource;

	public GuardedMethods(ConfigurableListableBeanFactory beanFactory, LockOperationSource operationSource) {
		this.beanFactory = beanFactory;
		this.operationSource = operationSource;
	}

	/**
	 * Return whether there is a guarded method.
	 */
	public boolean exist() {
		return stream().findAny().isPresent();
	}

	/**
	 * Return all of them with the settings that hold for each, in the order of their
	 * names.
	 */
	public List<GuardedMethod> describe() {
		return stream().map(this::describe)
			.filter(Objects::nonNull)
			.sorted(Comparator.comparing(GuardedMethod::method))
			.distinct()
			.toList();
	}

	private @Nullable GuardedMethod describe(LockTarget target) {
		try {
			return this.operationSource.describe(target.method(), target.targetClass());
		}
		catch (InvalidLockUsageException ex) {
			return new GuardedMethod(target.toString(), ex.getMessage(), Map.of(), List.of());
		}
	}

	/**
	 * Return the operations of all methods whose locks are valid.
	 */
	public List<LockOperation> operations() {
		return stream().map(this::operation).filter(Objects::nonNull).toList();
	}

	/**
	 * Return why Spring cannot make the proxy of a bean, if its guarded methods need one.
	 * The bean need not exist.
	 * @param beanName the name of the bean
	 * @return the mistake, if it is one of a guarded method
	 */
	public Optional<InvalidLockUsageException> obstacle(String beanName) {
		Class<?> type = typeOf(beanName);
		return Optional.ofNullable(type)
			.map((known) -> new LockedBean(this.beanFactory, this.operationSource, beanName, known).obstacleOfClass());
	}

	/**
	 * Return the operation of a method, or {@code null} if its locks are not valid.
	 */
	@Nullable LockOperation operation(LockTarget target) {
		try {
			return this.operationSource.getLockOperation(target.method(), target.targetClass());
		}
		catch (InvalidLockUsageException ex) {
			logger.debug("{} is left to the other checks", target, ex);
			return null;
		}
	}

	Stream<LockTarget> stream() {
		return Arrays.stream(this.beanFactory.getBeanDefinitionNames())
			.map(this::typeOf)
			.filter(Objects::nonNull)
			.distinct()
			.flatMap(this::methodsOf);
	}

	private Stream<LockTarget> methodsOf(Class<?> type) {
		return Arrays
			.stream(ReflectionUtils.getUniqueDeclaredMethods(type,
					(method) -> this.operationSource.hasLockOperation(method, type)))
			.map((method) -> new LockTarget(method, type));
	}

	private @Nullable Class<?> typeOf(String beanName) {
		return typeOf(this.beanFactory, this.operationSource::isCandidateClass, beanName);
	}

	/**
	 * Return the class of a bean, if it may have annotated methods. Most beans of an
	 * application are Spring's own, and none of them has a lock.
	 * @param beanFactory the beans of the application
	 * @param candidates whether a class may have annotated methods
	 * @param beanName the name of the bean
	 * @return the class, or {@code null} if it has none, or cannot be read
	 */
	public static @Nullable Class<?> typeOf(ConfigurableListableBeanFactory beanFactory, Predicate<Class<?>> candidates,
			String beanName) {
		try {
			Class<?> targetClass = AutoProxyUtils.determineTargetClass(beanFactory, beanName);
			Class<?> type = (targetClass != null) ? ClassUtils.getUserClass(targetClass) : null;
			return (type != null && !type.getName().startsWith("org.springframework.") && candidates.test(type)) ? type
					: null;
		}
		catch (RuntimeException | LinkageError ex) {
			logger.debug("Bean '{}' is not checked, since its class cannot be read", beanName, ex);
			return null;
		}
	}

}
