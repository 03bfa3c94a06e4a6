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

package io.github.zklock.transaction.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.zklock.transaction.LockCommitListener;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Adds the {@link LockCommitListener} to the transaction managers of the application.
 * Spring Boot adds listeners only to the one that it configures itself. A manager that
 * takes no listeners gets a proxy that checks in the same way.
 *
 * @since 0.1.0
 */
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class LockCommitListenerRegistrar implements BeanPostProcessor, PriorityOrdered, BeanFactoryAware {

	private final LockCommitListener listener = new LockCommitListener(this::checks);

	// What a proxy hides afterwards need not be checked twice.
	private final Set<String> listening = ConcurrentHashMap.newKeySet();

	private @Nullable BeanFactory beanFactory;

	private volatile @Nullable List<LockCommitListener.Check> checks;

	@Override
	public void setBeanFactory(BeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	// Of the first commit under a lock: no transaction manager needs what checks.
	private List<LockCommitListener.Check> checks() {
		List<LockCommitListener.Check> known = this.checks;
		if (known == null) {
			BeanFactory factory = this.beanFactory;
			known = (factory != null) ? factory.getBeanProvider(LockCommitListener.Check.class).orderedStream().toList()
					: List.of();
			this.checks = known;
		}
		return known;
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		listenTo(bean, beanName);
		return bean;
	}

	// What a factory bean makes is seen only here.
	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		listenTo(bean, beanName);
		return (bean instanceof PlatformTransactionManager manager && !this.listening.contains(beanName))
				? CommitCheck.of(manager, beanName, isInterface(beanName), this.listener) : bean;
	}

	// Otherwise the application may inject the bean with its class.
	private boolean isInterface(String beanName) {
		return this.beanFactory instanceof ConfigurableListableBeanFactory factory
				&& factory.containsBeanDefinition(beanName)
				&& factory.getMergedBeanDefinition(beanName).getResolvableType().toClass().isInterface();
	}

	private void listenTo(Object bean, String beanName) {
		if (!(bean instanceof PlatformTransactionManager)
				|| !(bean instanceof ConfigurableTransactionManager manager)) {
			return;
		}
		this.listening.add(beanName);
		// One of the application does not know the checks of this context.
		if (!manager.getTransactionExecutionListeners().contains(this.listener)) {
			// The collection may be one of the application that cannot be changed.
			List<TransactionExecutionListener> listeners = new ArrayList<>(manager.getTransactionExecutionListeners());
			listeners.add(this.listener);
			manager.setTransactionExecutionListeners(listeners);
		}
	}

}
