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

package io.github.zklock.autoconfigure;

import java.lang.reflect.Method;

import io.github.zklock.annotation.DistributedLock;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.MergedAnnotations;

/**
 * Analyzes a {@code @Bean} method with {@code @DistributedLock} that makes something the
 * locks need: Spring only sees a circle of beans. Asked before Spring Boot's own analyzer
 * of circles.
 */
class LockedBeanMethodFailureAnalyzer extends AbstractFailureAnalyzer<BeanCurrentlyInCreationException>
		implements Ordered {

	private final @Nullable ConfigurableListableBeanFactory beanFactory;

	LockedBeanMethodFailureAnalyzer(@Nullable BeanFactory beanFactory) {
		this.beanFactory = (beanFactory instanceof ConfigurableListableBeanFactory configurable) ? configurable : null;
	}

	@Override
	public int getOrder() {
		return 0;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BeanCurrentlyInCreationException cause) {
		for (Throwable each = rootFailure; each != null; each = each.getCause()) {
			Method method = (each instanceof BeanCreationException creation) ? beanMethod(creation.getBeanName())
					: null;
			if (method != null && MergedAnnotations.from(method).isPresent(DistributedLock.class)) {
				return new FailureAnalysis(
						"The bean '" + ((BeanCreationException) each).getBeanName()
								+ "' cannot be created under the lock of its @Bean method "
								+ method.getDeclaringClass().getName() + "." + method.getName()
								+ "(), which is annotated with @DistributedLock, since locks need this bean.",
						"Remove @DistributedLock from the @Bean method and annotate the methods of the bean's class.",
						cause);
			}
		}
		return null;
	}

	private @Nullable Method beanMethod(@Nullable String beanName) {
		return (this.beanFactory != null && beanName != null && this.beanFactory.containsBeanDefinition(beanName)
				&& this.beanFactory.getMergedBeanDefinition(beanName) instanceof RootBeanDefinition definition)
						? definition.getResolvedFactoryMethod() : null;
	}

}
