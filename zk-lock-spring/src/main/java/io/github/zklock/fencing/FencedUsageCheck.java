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

package io.github.zklock.fencing;

import java.lang.reflect.Method;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

import io.github.zklock.annotation.LockValidation;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.fencing.FencedMethods.FencedMethod;
import io.github.zklock.interceptor.BeanFactoryLockOperationSourceAdvisor;
import io.github.zklock.interceptor.check.GuardedMethods;
import io.github.zklock.interceptor.check.LockFindings;
import io.github.zklock.interceptor.operation.LockTarget;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.NativeDetector;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.interceptor.BeanFactoryTransactionAttributeSourceAdvisor;
import org.springframework.util.ReflectionUtils;

/**
 * Checks at start-up that each fenced method can be fenced, and that its database has the
 * table. An application without a fenced method needs neither.
 *
 * @since 0.1.0
 */
public final class FencedUsageCheck implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(FencedUsageCheck.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final FencedMethods methods;

	private final Supplier<DatabaseFences> transactions;

	private final LockValidation validation;

	private final Runnable lockSpaces;

	/**
	 * Create the check.
	 * @param beanFactory the beans of the application
	 * @param methods which methods are fenced
	 * @param transactions returns what knows the databases
	 * @param validation what to do about methods that cannot be fenced
	 * @param lockSpaces checks that no two lock spaces have the same name. Called if a
	 * method is fenced
	 */
	public FencedUsageCheck(ConfigurableListableBeanFactory beanFactory, FencedMethods methods,
			Supplier<DatabaseFences> transactions, LockValidation validation, Runnable lockSpaces) {
		this.beanFactory = beanFactory;
		this.methods = methods;
		this.transactions = transactions;
		this.validation = validation;
		this.lockSpaces = lockSpaces;
	}

	@Override
	public void afterSingletonsInstantiated() {
		// A native image does not know the methods that are not called through
		// reflection.
		if (this.validation == LockValidation.OFF || NativeDetector.inNativeImage()) {
			return;
		}
		Set<String> dataSources = new TreeSet<>();
		LockFindings findings = new LockFindings(this.validation);
		for (String beanName : this.beanFactory.getBeanDefinitionNames()) {
			Class<?> type = GuardedMethods.typeOf(this.beanFactory, this.methods::isCandidateClass, beanName);
			if (type != null) {
				check(type, dataSources, findings);
			}
		}
		if (!dataSources.isEmpty()) {
			checkLockSpaces(findings);
		}
		dataSources.forEach((name) -> prepare(name, findings));
		findings.report();
	}

	private void check(Class<?> type, Set<String> dataSources, LockFindings findings) {
		Method[] methods;
		try {
			methods = ReflectionUtils.getUniqueDeclaredMethods(type);
		}
		catch (IllegalStateException | LinkageError ex) {
			logger.debug("The methods of {} are not checked for fences, since they cannot be read", type, ex);
			return;
		}
		for (Method method : methods) {
			FencedMethod fenced = this.methods.find(method, type);
			if (fenced != null && fenced.target() != null) {
				try {
					this.methods.check(method, type, fenced.target());
					requireLockFirst(method, type, fenced.target());
					dataSources.add(fenced.dataSource());
				}
				catch (InvalidLockUsageException ex) {
					findings.accept(ex);
				}
			}
		}
	}

	// The lock would be acquired inside the transaction, so each call would be refused.
	private void requireLockFirst(Method method, Class<?> type, LockTarget target) {
		int locks = this.beanFactory.getBeanProvider(BeanFactoryLockOperationSourceAdvisor.class)
			.stream()
			.mapToInt(BeanFactoryLockOperationSourceAdvisor::getOrder)
			.min()
			.orElse(BeanFactoryLockOperationSourceAdvisor.DEFAULT_ORDER);
		this.beanFactory.getBeanProvider(BeanFactoryTransactionAttributeSourceAdvisor.class)
			.stream()
			.filter((advisor) -> advisor.getOrder() < locks
					&& advisor.getPointcut().getMethodMatcher().matches(method, type))
			.findFirst()
			.ifPresent((advisor) -> {
				throw new InvalidLockUsageException(
						"The @Fenced method " + target + " begins its transaction before its lock is acquired: the "
								+ "order of transactions is " + advisor.getOrder() + ", the order of locks is " + locks
								+ ".",
						"Set zk-lock.aop.order, or the order of @EnableDistributedLocks, to a lower number than the order of "
								+ "@EnableTransactionManagement.");
			});
	}

	private void checkLockSpaces(LockFindings findings) {
		try {
			this.lockSpaces.run();
		}
		catch (InvalidLockUsageException ex) {
			findings.accept(ex);
		}
	}

	private void prepare(String dataSource, LockFindings findings) {
		try {
			this.transactions.get().prepare(dataSource);
		}
		catch (InvalidLockUsageException ex) {
			findings.accept(ex);
		}
		catch (DataAccessException ex) {
			logger.warn("The table {} is not checked before it is used, since its database does not answer",
					FenceTable.NAME, ex);
		}
	}

}
