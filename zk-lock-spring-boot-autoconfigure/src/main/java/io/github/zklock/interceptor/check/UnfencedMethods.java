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
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.interceptor.operation.LockTarget;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The {@code @Fenced} methods of an application in which nothing raises fences. They
 * would silently run without fences.
 */
final class UnfencedMethods {

	private static final Logger logger = LoggerFactory.getLogger(UnfencedMethods.class);

	private final ConfigurableListableBeanFactory beanFactory;

	UnfencedMethods(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	void check(Consumer<InvalidLockUsageException> findings) {
		for (String beanName : this.beanFactory.getBeanDefinitionNames()) {
			try {
				Class<?> found = AutoProxyUtils.determineTargetClass(this.beanFactory, beanName);
				Class<?> type = (found != null) ? ClassUtils.getUserClass(found) : null;
				if (type != null && AnnotationUtils.isCandidateClass(type, Fenced.class)) {
					check(type, findings);
				}
			}
			catch (RuntimeException | LinkageError ex) {
				logger.debug("Bean '{}' is not checked for fences, since its class cannot be read", beanName, ex);
			}
		}
	}

	private static void check(Class<?> type, Consumer<InvalidLockUsageException> findings) {
		if (AnnotatedElementUtils.hasAnnotation(type, Fenced.class)) {
			findings.accept(finding("class " + type.getName()));
		}
		for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type)) {
			if (!method.isBridge() && AnnotatedElementUtils.hasAnnotation(method, Fenced.class)) {
				findings.accept(finding("method " + new LockTarget(method, type)));
			}
		}
	}

	private static InvalidLockUsageException finding(String target) {
		return new InvalidLockUsageException(
				"The @Fenced " + target + " is not fenced, since the application has no DataSource bean or no "
						+ "spring-jdbc, or excludes the auto-configuration of fences.",
				"Add spring-boot-starter-jdbc and a DataSource, or remove @Fenced.");
	}

}
