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

import java.util.Arrays;
import java.util.List;

import io.github.zklock.core.InvalidLockUsageException;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;

/**
 * The one bean of a type that locks use, among those that the application has.
 *
 * @since 0.1.0
 */
public final class SingleBean {

	private SingleBean() {
	}

	/**
	 * Return the bean.
	 * @param <T> the type
	 * @param type the type
	 * @param beans the beans of the type
	 * @param remedy what to do besides marking one of several beans as primary
	 * @return the bean
	 * @throws InvalidLockUsageException if it is one of several
	 */
	public static <T> T of(Class<T> type, ObjectProvider<T> beans, String remedy) {
		try {
			return beans.getObject();
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw severalOf(type, String.valueOf(ex.getBeanNamesFound()), remedy);
		}
	}

	/**
	 * Return the names of the beans that can be injected by type alone, without the beans
	 * of ancestors.
	 * @param type the type
	 * @param beanFactory the beans of one context
	 * @return the names
	 */
	public static List<String> candidates(Class<?> type, ConfigurableListableBeanFactory beanFactory) {
		return Arrays.stream(beanFactory.getBeanNamesForType(type, true, false))
			.filter((name) -> !beanFactory.containsBeanDefinition(name)
					|| isCandidate(beanFactory.getBeanDefinition(name)))
			.toList();
	}

	private static boolean isCandidate(BeanDefinition definition) {
		return definition.isAutowireCandidate()
				&& (!(definition instanceof AbstractBeanDefinition known) || known.isDefaultCandidate());
	}

	/**
	 * Return what says that a bean is one of several.
	 * @param type the type
	 * @param names the names of the beans
	 * @param remedy what to do besides marking one of them as primary
	 * @return the exception
	 */
	public static InvalidLockUsageException severalOf(Class<?> type, String names, String remedy) {
		return new InvalidLockUsageException(
				"The application has several beans of the type " + type.getName() + ", and none of them is primary, so "
						+ "it is not known which one locks should use: " + names + ".",
				"Mark one of them with @Primary, or " + remedy + ".");
	}

}
