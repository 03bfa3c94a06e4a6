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

import java.util.Arrays;

import io.github.zklock.interceptor.BeanFactoryLockOperationSourceAdvisor;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * What the start-up check finds out about the proxy of a bean without creating the bean.
 */
final class LockedBeanProxy {

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
	 * Return {@code false} only if the bean exists and certainly has no proxy that takes
	 * locks. What a factory bean makes, as for a scoped proxy, is not looked at.
	 */
	boolean isAdvised() {
		return this.bean == null || this.bean instanceof FactoryBean
				|| BeanFactoryLockOperationSourceAdvisor.isAdvising(this.bean) || isMock(this.bean);
	}

	/**
	 * Return whether a call takes its locks twice, since what the proxy is a proxy of
	 * takes them as well.
	 */
	boolean isAdvisedTwice() {
		int takingLocks = 0;
		for (Object each = this.bean; each instanceof Advised proxy; each = AopProxyUtils.getSingletonTarget(each)) {
			takingLocks += BeanFactoryLockOperationSourceAdvisor.isIn(proxy) ? 1 : 0;
		}
		return takingLocks > 1;
	}

	// A bean that does not exist yet is proxied as the auto-proxy creator is set up.
	private static boolean isInterfaceBased(ConfigurableListableBeanFactory beanFactory, Class<?> type) {
		String creator = AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME;
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
		try {
			ClassLoader classLoader = bean.getClass().getClassLoader();
			Class<?> mockito = ClassUtils.forName("org.mockito.Mockito", classLoader);
			Object details = mockito.getMethod("mockingDetails", Object.class).invoke(null, bean);
			Class<?> type = ClassUtils.forName("org.mockito.MockingDetails", mockito.getClassLoader());
			return Boolean.TRUE.equals(type.getMethod("isMock").invoke(details));
		}
		catch (ReflectiveOperationException | LinkageError ex) {
			return false;
		}
	}

}
