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

import java.util.List;

import io.github.zklock.annotation.LockValidation;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.interceptor.check.LockUsageValidator;
import io.github.zklock.interceptor.source.AnnotationLockOperationSource;
import io.github.zklock.interceptor.source.LockOperationSource;
import io.github.zklock.interceptor.source.TestLockSettings;
import io.github.zklock.test.memory.InMemoryLockProvider;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * The infrastructure of locks on an in-memory provider. The property {@code test.proxy}
 * says how beans are proxied.
 */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
@Import(LockTestConfiguration.ProxyRegistrar.class)
public class LockTestConfiguration {

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static TestLockSettings lockSettings() {
		return new TestLockSettings();
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static AnnotationLockOperationSource lockOperationSource(ConfigurableListableBeanFactory beanFactory) {
		return new AnnotationLockOperationSource(() -> beanFactory.getBean(TestLockSettings.class),
				() -> beanFactory::resolveEmbeddedValue, beanFactory);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static BeanFactoryLockOperationSourceAdvisor lockAdvisor(LockOperationSource operationSource) {
		BeanFactoryLockOperationSourceAdvisor advisor = new BeanFactoryLockOperationSourceAdvisor(operationSource);
		advisor.setAdviceBeanName("lockInterceptor");
		return advisor;
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	LockInterceptor lockInterceptor(LockOperationSource operationSource, BeanFactory beanFactory,
			LockTemplate operations) {
		return new LockInterceptor(operationSource, operations, beanFactory);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	LockUsageValidator lockUsageValidator(ConfigurableListableBeanFactory beanFactory,
			LockOperationSource operationSource, Environment environment) {
		return new LockUsageValidator(beanFactory, operationSource,
				environment.getProperty("test.validation", LockValidation.class, LockValidation.FAIL), () -> true);
	}

	@Bean
	LockTemplate lockTemplate(InMemoryLockProvider provider, LockEvents events) {
		return new LockTemplate(provider, List.of(events));
	}

	@Bean
	InMemoryLockProvider lockProvider() {
		return new InMemoryLockProvider();
	}

	@Bean
	LockEvents lockEvents() {
		return new LockEvents();
	}

	static class ProxyRegistrar implements ImportBeanDefinitionRegistrar {

		private final Environment environment;

		ProxyRegistrar(Environment environment) {
			this.environment = environment;
		}

		@Override
		public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
			TestProxy proxy = this.environment.getProperty("test.proxy", TestProxy.class, TestProxy.CGLIB);
			if (proxy == TestProxy.NONE) {
				return;
			}
			if (proxy == TestProxy.CGLIB_WITH_ASPECTJ) {
				AopConfigUtils.registerAspectJAnnotationAutoProxyCreatorIfNecessary(registry);
			}
			AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
			if (proxy != TestProxy.JDK) {
				AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
			}
		}

	}

	public enum TestProxy {

		CGLIB, CGLIB_WITH_ASPECTJ, JDK, NONE

	}

}
