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

package io.github.zklock.test;

import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.test.memory.InMemoryLockProvider;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;

/**
 * Puts locks in memory in the place of every further provider of the application, under
 * the name of its bean.
 */
class InMemoryProviders implements BeanFactoryPostProcessor {

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		BeanDefinitionRegistry registry = (BeanDefinitionRegistry) beanFactory;
		for (String name : beanFactory.getBeanNamesForType(LockProvider.class, true, false)) {
			if (beanFactory.containsBeanDefinition(name)
					&& beanFactory.getBeanDefinition(name) instanceof AbstractBeanDefinition definition
					&& !definition.isDefaultCandidate()) {
				registry.removeBeanDefinition(name);
				registry.registerBeanDefinition(name, like(definition));
			}
		}
	}

	private static RootBeanDefinition like(AbstractBeanDefinition replaced) {
		RootBeanDefinition inMemory = new RootBeanDefinition(InMemoryLockProvider.class, InMemoryLockProvider::new);
		inMemory.setDefaultCandidate(false);
		inMemory.copyQualifiersFrom(replaced);
		return inMemory;
	}

}
