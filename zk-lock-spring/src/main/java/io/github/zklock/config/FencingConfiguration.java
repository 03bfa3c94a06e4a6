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

package io.github.zklock.config;

import javax.sql.DataSource;

import io.github.zklock.fencing.DatabaseFences;
import io.github.zklock.fencing.FenceLockSpaces;
import io.github.zklock.fencing.FenceSettings;
import io.github.zklock.fencing.FencedMethodAdvisor;
import io.github.zklock.fencing.FencedMethodInterceptor;
import io.github.zklock.fencing.FencedMethods;
import io.github.zklock.fencing.FencedUsageCheck;
import io.github.zklock.interceptor.BeanFactoryLockOperationSourceAdvisor;
import io.github.zklock.interceptor.source.LockOperationSource;
import io.github.zklock.transaction.FencedTransactions;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;

/**
 * Transactions of a relational database that cannot commit after a later holder of their
 * lock has begun.
 *
 * @since 0.1.0
 */
@Configuration(proxyBeanMethods = false)
@OnBeans(present = DataSource.class)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class FencingConfiguration {

	private static final String INTERCEPTOR = "zkLockFencedMethodInterceptor";

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static FencedMethods zkLockFencedMethods(LockOperationSource source) {
		return new FencedMethods(source);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static FencedMethodAdvisor zkLockFencedMethodAdvisor(FencedMethods methods,
			ObjectProvider<BeanFactoryLockOperationSourceAdvisor> locks) {
		FencedMethodAdvisor advisor = new FencedMethodAdvisor(methods);
		advisor.setAdviceBeanName(INTERCEPTOR);
		int order = locks.orderedStream()
			.mapToInt(BeanFactoryLockOperationSourceAdvisor::getOrder)
			.max()
			.orElse(BeanFactoryLockOperationSourceAdvisor.DEFAULT_ORDER);
		advisor.setOrder((order < Integer.MAX_VALUE) ? order + 1 : order);
		return advisor;
	}

	@Bean(INTERCEPTOR)
	@Lazy
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	FencedMethodInterceptor zkLockFencedMethodInterceptor(FencedMethods methods,
			ObjectProvider<DatabaseFences> transactions) {
		return new FencedMethodInterceptor(methods, transactions::getObject);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	FencedUsageCheck zkLockFencedUsageCheck(ConfigurableListableBeanFactory beanFactory, FencedMethods methods,
			ObjectProvider<DatabaseFences> transactions, GuardSettings guard) {
		return new FencedUsageCheck(beanFactory, methods, transactions::getObject, guard.validation(),
				() -> FenceLockSpaces.requireDistinct(beanFactory));
	}

	// A child context raises its fences in its own database. Fences that the parent has
	// replaced win.
	@Bean
	@Lazy
	@Fallback
	@OnBeans(missing = DatabaseFences.class, ownContext = true)
	DatabaseFences zkLockFencedTransactions(ConfigurableListableBeanFactory beanFactory,
			ObjectProvider<FenceOptions> options, ObjectProvider<FencedTransactions.Listener> listeners) {
		FenceOptions known = options.getIfAvailable(() -> FenceOptions.DEFAULT);
		FenceLockSpaces spaces = FenceLockSpaces.of(beanFactory, known.otherLocks());
		FenceSettings settings = known.settings().apply(FenceSettings.of(spaces).withKeys(spaces::key));
		return new DatabaseFences((name) -> dataSource(name.isEmpty() ? known.dataSource() : name, beanFactory),
				settings, () -> listeners.orderedStream().toList());
	}

	private static DataSource dataSource(String name, BeanFactory beanFactory) {
		return name.isEmpty() ? beanFactory.getBean(DataSource.class) : beanFactory.getBean(name, DataSource.class);
	}

}
