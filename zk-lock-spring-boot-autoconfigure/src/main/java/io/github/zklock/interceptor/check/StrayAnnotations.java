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

import java.lang.reflect.Method;
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
		for (String beanName : this.beanFactory.getBeanDefinitionNames()) {
			try {
				Class<?> found = AutoProxyUtils.determineTargetClass(this.beanFactory, beanName);
				Class<?> type = (found != null) ? ClassUtils.getUserClass(found) : null;
				if (type != null && !type.getName().startsWith("org.springframework.")) {
					check(type, findings);
				}
			}
			catch (RuntimeException | LinkageError ex) {
				logger.debug("Bean '{}' is not checked for stray annotations, since its class cannot be read", beanName,
						ex);
			}
		}
	}

	private void check(Class<?> type, Consumer<InvalidLockUsageException> findings) {
		if (!this.fencing && AnnotatedElementUtils.hasAnnotation(type, Fenced.class)) {
			findings.accept(unfenced("class " + type.getName()));
		}
		for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type)) {
			if (!method.isBridge()) {
				check(new LockTarget(method, type), findings);
			}
		}
	}

	private void check(LockTarget target, Consumer<InvalidLockUsageException> findings) {
		Method method = target.method();
		if (!this.fencing && AnnotatedElementUtils.hasAnnotation(method, Fenced.class)) {
			findings.accept(unfenced("method " + target));
		}
		if (AnnotatedElementUtils.hasAnnotation(method, OncePerTick.class)
				&& !this.operationSource.hasLockOperation(method, target.targetClass())) {
			findings.accept(new InvalidLockUsageException(
					"The @OncePerTick method " + target + " has no lock, so every node runs each of its ticks.",
					"Add @DistributedLock, or remove @OncePerTick."));
		}
	}

	private static InvalidLockUsageException unfenced(String target) {
		return new InvalidLockUsageException(
				"The @Fenced " + target + " is not fenced, since the application has no DataSource bean or no "
						+ "spring-jdbc, or excludes the auto-configuration of fences.",
				"Add spring-boot-starter-jdbc and a DataSource, or remove @Fenced.");
	}

}
