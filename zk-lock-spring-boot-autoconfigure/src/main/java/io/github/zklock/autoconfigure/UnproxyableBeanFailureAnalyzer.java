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

import java.util.function.Supplier;

import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.spi.LockSettings;
import io.github.zklock.interceptor.check.GuardedMethods;
import io.github.zklock.interceptor.source.AnnotationLockOperationSource;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopConfigException;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Analyzes a bean with guarded methods of which Spring cannot make a proxy, such as one
 * of a final class. Spring fails before the methods are checked.
 */
class UnproxyableBeanFailureAnalyzer extends AbstractFailureAnalyzer<AopConfigException> {

	private final @Nullable GuardedMethods methods;

	UnproxyableBeanFailureAnalyzer(@Nullable BeanFactory beanFactory) {
		this.methods = (beanFactory instanceof ConfigurableListableBeanFactory configurable) ? methods(configurable)
				: null;
	}

	// The beans are destroyed. Whether a method has a lock is known without its settings.
	private static GuardedMethods methods(ConfigurableListableBeanFactory beanFactory) {
		Supplier<LockSettings> settings = () -> beanFactory.getBean(LockSettings.class);
		return new GuardedMethods(beanFactory,
				new AnnotationLockOperationSource(settings, () -> beanFactory::resolveEmbeddedValue, beanFactory));
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, AopConfigException cause) {
		InvalidLockUsageException found = null;
		for (Throwable each = rootFailure; each != null && this.methods != null; each = each.getCause()) {
			String beanName = (each instanceof BeanCreationException creation) ? creation.getBeanName() : null;
			found = (beanName != null) ? this.methods.obstacle(beanName).orElse(found) : found;
		}
		return (found != null) ? new FailureAnalysis(found.getDescription(), found.getAction(), cause) : null;
	}

}
