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

import java.util.Arrays;

import io.github.zklock.core.LockOperations;
import io.github.zklock.core.spi.LockProvider;

import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.SimpleAutowireCandidateResolver;
import org.springframework.context.annotation.Role;

/**
 * Creates the locks together with the first bean that has guarded methods, before that
 * bean is ready. Beans are destroyed in the reverse order, so all that use it can still
 * lock while they are destroyed. The interceptor cannot do it: it is created at build
 * time too (process-aot), when no bean is processed.
 *
 * @since 0.1.0
 */
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class GuardedBeansDependOnLocks implements BeanPostProcessor {

	private final ObjectProvider<LockOperations> operations;

	private final ConfigurableListableBeanFactory beanFactory;

	private volatile boolean created;

	GuardedBeansDependOnLocks(ObjectProvider<LockOperations> operations, ConfigurableListableBeanFactory beanFactory) {
		this.operations = operations;
		this.beanFactory = beanFactory;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (!this.created && bean instanceof Advised advised && Arrays.stream(advised.getAdvisors())
			.anyMatch(BeanFactoryLockOperationSourceAdvisor.class::isInstance)) {
			this.created = create();
		}
		return bean;
	}

	// The start-up check reports none or several of them.
	private boolean create() {
		try {
			this.operations.getIfUnique();
			SimpleAutowireCandidateResolver.resolveAutowireCandidates(this.beanFactory, LockProvider.class, false,
					true);
			return true;
		}
		catch (BeanCreationException ex) {
			if (!ex.contains(BeanCurrentlyInCreationException.class)) {
				throw ex;
			}
			// The locks need the bean, or are being created themselves.
			return false;
		}
	}

}
