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
import java.util.Arrays;

import io.github.zklock.interceptor.BeanFactoryLockOperationSourceAdvisor;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * What the start-up check finds out about the proxy of a bean without creating the bean.
 */
final class LockedBeanProxy {

	private static final String MOCKITO = "org.mockito.Mockito";

	private final @Nullable Object bean;

	private final boolean interfaceBased;

	LockedBeanProxy(ConfigurableListableBeanFactory beanFactory, String beanName, Class<?> type) {
		this.bean = beanFactory.containsSingleton(beanName) ? beanFactory.getSingleton(beanName) : null;
		this.interfaceBased = (this.bean != null) ? AopUtils.isJdkDynamicProxy(this.bean)
				: isInterfaceBased(beanFactory, type);
	}

	LockedBeanProxy(Object bean) {
		this.bean = bean;
		this.interfaceBased = AopUtils.isJdkDynamicProxy(bean);
	}

	boolean isInterfaceBased() {
		return this.interfaceBased;
	}

	/**
	 * Return whether the proxy takes locks. What a factory bean makes, as for a scoped
	 * proxy, is not looked at.
	 * @return {@code false} only if the bean exists and certainly has no such proxy
	 */
	boolean isAdvised() {
		return this.bean == null || this.bean instanceof FactoryBean || isMock(this.bean)
				|| BeanFactoryLockOperationSourceAdvisor.isAdvising(this.bean);
	}

	/**
	 * Return whether the proxy takes locks, and what it is a proxy of does so as well.
	 * @return whether a call takes its locks twice
	 */
	boolean isAdvisedTwice() {
		Advised outer = (this.bean != null) ? takingLocks(this.bean) : null;
		Object target = (outer != null) ? AopProxyUtils.getSingletonTarget(outer) : null;
		return target != null && takingLocks(target) != null;
	}

	private static @Nullable Advised takingLocks(Object bean) {
		if (!(bean instanceof Advised advised)) {
			return null;
		}
		if (BeanFactoryLockOperationSourceAdvisor.isIn(advised)) {
			return advised;
		}
		Object target = AopProxyUtils.getSingletonTarget(bean);
		return (target != null) ? takingLocks(target) : null;
	}

	// A bean that does not exist yet is proxied as the auto-proxy creator is set up.
	private static boolean isInterfaceBased(ConfigurableListableBeanFactory beanFactory, Class<?> type) {
		String creator = "org.springframework.aop.config.internalAutoProxyCreator";
		boolean classBased = beanFactory.containsBeanDefinition(creator) && Boolean.TRUE
			.equals(beanFactory.getBeanDefinition(creator).getPropertyValues().get("proxyTargetClass"));
		return !classBased && Arrays.stream(ClassUtils.getAllInterfacesForClass(type))
			.map(Class::getName)
			.anyMatch((name) -> !name.startsWith("java.") && !name.startsWith("org.springframework."));
	}

	// The mock that stands in for a bean in a test has no lock to take. An inline mock
	// has
	// the class of the bean, so only Mockito knows it.
	private static boolean isMock(Object bean) {
		ClassLoader classLoader = bean.getClass().getClassLoader();
		if (!ClassUtils.isPresent(MOCKITO, classLoader)) {
			return false;
		}
		try {
			Class<?> mockito = ClassUtils.forName(MOCKITO, classLoader);
			Object details = mockito.getMethod("mockingDetails", Object.class).invoke(null, bean);
			Method isMock = Class.forName("org.mockito.MockingDetails", false, mockito.getClassLoader())
				.getMethod("isMock");
			return Boolean.TRUE.equals(ReflectionUtils.invokeMethod(isMock, details));
		}
		catch (ReflectiveOperationException | LinkageError ex) {
			return false;
		}
	}

}
