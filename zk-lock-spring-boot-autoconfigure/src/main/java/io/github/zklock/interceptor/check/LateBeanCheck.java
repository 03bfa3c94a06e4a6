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

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

import io.github.zklock.interceptor.BeanFactoryLockOperationSourceAdvisor;

import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.util.ClassUtils;

/**
 * Checks beans that are created after the start-up. The definition of such a bean may
 * tell no more than an interface, so that the start-up check has not seen its class.
 */
final class LateBeanCheck implements BeanPostProcessor {

	private final BiConsumer<Object, String> check;

	private final Set<Class<?>> checked = ConcurrentHashMap.newKeySet();

	/**
	 * Create the check.
	 * @param check what checks a bean and its name, and throws if the bean is not to be
	 * used
	 */
	LateBeanCheck(BiConsumer<Object, String> check) {
		this.check = check;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof Advised && BeanFactoryLockOperationSourceAdvisor.isAdvising(bean)) {
			Class<?> type = ClassUtils.getUserClass(AopUtils.getTargetClass(bean));
			if (!this.checked.contains(type)) {
				this.check.accept(bean, beanName);
				this.checked.add(type);
			}
		}
		return bean;
	}

}
