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

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import io.github.zklock.annotation.LockValidation;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.interceptor.BeanFactoryLockOperationSourceAdvisor;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.source.LockOperationSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.NativeDetector;
import org.springframework.util.ClassUtils;

/**
 * Checks at start-up that every method that has a lock will be called with it. A proxy
 * cannot intercept private, static and final methods, and would silently call them
 * without the lock. The check creates no bean. A bean that is created later, and whose
 * definition does not contain its class, is checked then.
 *
 * @since 0.1.0
 */
public final class LockUsageValidator implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(LockUsageValidator.class);

	private static final Consumer<LockOperation> IGNORED = (operation) -> {
	};

	private final ConfigurableListableBeanFactory beanFactory;

	private final LockOperationSource operationSource;

	private final LockValidation validation;

	private final BooleanSupplier fencing;

	/**
	 * Create the check.
	 * @param beanFactory the beans of the application
	 * @param operationSource which methods have a lock
	 * @param validation what to do about methods that cannot be guarded
	 * @param fencing returns whether something raises the fences of {@code @Fenced}
	 * methods
	 */
	public LockUsageValidator(ConfigurableListableBeanFactory beanFactory, LockOperationSource operationSource,
			LockValidation validation, BooleanSupplier fencing) {
		this.beanFactory = beanFactory;
		this.operationSource = operationSource;
		this.validation = validation;
		this.fencing = fencing;
	}

	@Override
	public void afterSingletonsInstantiated() {
		// A native image does not know the methods that are not called through
		// reflection.
		if (NativeDetector.inNativeImage()) {
			return;
		}
		if (this.validation != LockValidation.FAIL) {
			new UnguardedHandlers(this.beanFactory, this.operationSource).begin();
		}
		StrayAnnotations strays = new StrayAnnotations(this.beanFactory, this.operationSource,
				this.fencing.getAsBoolean());
		LockFindings findings = new LockFindings(this.validation);
		if (this.validation == LockValidation.OFF) {
			// No call of it would be refused.
			strays.checkFences(findings);
			findings.report();
			return;
		}
		List<LockOperation> operations = new ArrayList<>();
		checkBeans(operations::add, findings);
		QuartzJobs quartz = new QuartzJobs(this.beanFactory, this.operationSource);
		quartz.check(operations::add, findings);
		strays.check(findings);
		LockedApplication application = new LockedApplication(this.beanFactory, operations);
		application.check(findings);
		findings.report();
		application.warn();
		this.beanFactory.addBeanPostProcessor(new LateBeanCheck(quartz));
	}

	private void checkBeans(Consumer<LockOperation> operations, Consumer<InvalidLockUsageException> findings) {
		for (String beanName : this.beanFactory.getBeanDefinitionNames()) {
			check(beanName, operations, findings);
		}
	}

	private void check(String beanName, Consumer<LockOperation> operations,
			Consumer<InvalidLockUsageException> findings) {
		try {
			Class<?> type = GuardedMethods.typeOf(this.beanFactory, this.operationSource::isCandidateClass, beanName);
			if (type != null) {
				new LockedBean(this.beanFactory, this.operationSource, beanName, type).check(operations, findings);
			}
		}
		catch (RuntimeException | LinkageError ex) {
			logger.debug("Bean '{}' is not checked for locks, since its class cannot be read", beanName, ex);
		}
	}

	/**
	 * Checks beans that are created after the start-up. The definition of such a bean may
	 * contain only an interface. Then the start-up check has not seen its class.
	 */
	private final class LateBeanCheck implements BeanPostProcessor {

		private final Set<Class<?>> checked = ConcurrentHashMap.newKeySet();

		private final QuartzJobs quartz;

		LateBeanCheck(QuartzJobs quartz) {
			this.quartz = quartz;
		}

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			if (isGuarded(bean) || EarlyReferences.include(LockUsageValidator.this.beanFactory, beanName)) {
				Class<?> type = ClassUtils.getUserClass(AopUtils.getTargetClass(bean));
				if (!this.checked.contains(type)) {
					LockFindings findings = new LockFindings(LockUsageValidator.this.validation);
					new LockedBean(LockUsageValidator.this.beanFactory, LockUsageValidator.this.operationSource,
							beanName, type, bean)
						.check(IGNORED, findings);
					findings.report();
					this.checked.add(type);
				}
			}
			if (this.quartz.isAbout(bean)) {
				LockFindings findings = new LockFindings(LockUsageValidator.this.validation);
				this.quartz.checkLate(bean, findings);
				findings.report();
			}
			return bean;
		}

		private static boolean isGuarded(Object bean) {
			return bean instanceof Advised && BeanFactoryLockOperationSourceAdvisor.isAdvising(bean);
		}

	}

}
