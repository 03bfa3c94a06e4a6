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

import java.lang.annotation.Annotation;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

import io.github.zklock.annotation.Fenced;
import io.github.zklock.annotation.OncePerTick;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.interceptor.operation.LockTarget;
import io.github.zklock.interceptor.source.LockOperationSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The annotations that have no effect: {@code @OncePerTick} without a lock, and
 * {@code @Fenced} where nothing raises fences. Such methods would silently run without
 * what they ask for.
 */
final class StrayAnnotations {

	private static final Logger logger = LoggerFactory.getLogger(StrayAnnotations.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final LockOperationSource operationSource;

	private final boolean fencing;

	/**
	 * Create the check.
	 * @param beanFactory the beans of the application
	 * @param operationSource which methods have a lock
	 * @param fencing whether something raises fences
	 */
	StrayAnnotations(ConfigurableListableBeanFactory beanFactory, LockOperationSource operationSource,
			boolean fencing) {
		this.beanFactory = beanFactory;
		this.operationSource = operationSource;
		this.fencing = fencing;
	}

	void check(Consumer<InvalidLockUsageException> findings) {
		forEachType((type) -> {
			checkFences(type, findings);
			checkTicks(type, findings);
		});
	}

	/**
	 * Check only that nothing runs without the fence that it asks for.
	 */
	void checkFences(Consumer<InvalidLockUsageException> findings) {
		if (!this.fencing) {
			forEachType((type) -> checkFences(type, findings));
		}
	}

	private void forEachType(Consumer<Class<?>> check) {
		for (String beanName : this.beanFactory.getBeanDefinitionNames()) {
			try {
				Class<?> found = AutoProxyUtils.determineTargetClass(this.beanFactory, beanName);
				Class<?> type = (found != null) ? ClassUtils.getUserClass(found) : null;
				if (type != null && !type.getName().startsWith("org.springframework.")) {
					check.accept(type);
				}
			}
			catch (RuntimeException | LinkageError ex) {
				logger.debug("Bean '{}' is not checked for stray annotations, since its class cannot be read", beanName,
						ex);
			}
		}
	}

	private void checkFences(Class<?> type, Consumer<InvalidLockUsageException> findings) {
		if (this.fencing) {
			return;
		}
		if (AnnotatedElementUtils.hasAnnotation(type, Fenced.class)) {
			findings.accept(unfenced("class " + type.getName()));
		}
		for (LockTarget target : targets(type, Fenced.class)) {
			findings.accept(unfenced("method " + target));
		}
	}

	private void checkTicks(Class<?> type, Consumer<InvalidLockUsageException> findings) {
		for (LockTarget target : targets(type, OncePerTick.class)) {
			if (!this.operationSource.hasLockOperation(target.method(), type)) {
				findings.accept(new InvalidLockUsageException(
						"The @OncePerTick method " + target + " has no lock, so every node runs each of its ticks.",
						"Add @DistributedLock, or remove @OncePerTick."));
			}
		}
	}

	private static List<LockTarget> targets(Class<?> type, Class<? extends Annotation> annotation) {
		return Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(type))
			.filter((method) -> !method.isBridge() && AnnotatedElementUtils.hasAnnotation(method, annotation))
			.map((method) -> new LockTarget(method, type))
			.toList();
	}

	private static InvalidLockUsageException unfenced(String target) {
		return new InvalidLockUsageException(
				"The @Fenced " + target + " is not fenced, since the application has no DataSource bean or no "
						+ "spring-jdbc, or excludes the auto-configuration of fences.",
				"Add spring-boot-starter-jdbc and a DataSource, or remove @Fenced.");
	}

}
