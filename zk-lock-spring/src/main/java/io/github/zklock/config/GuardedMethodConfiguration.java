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

import io.github.zklock.core.LockJobs;
import io.github.zklock.core.LockLimits;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.spi.LockListener;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.core.spi.LockSettings;
import io.github.zklock.fencing.FencedMethods;
import io.github.zklock.interceptor.BeanFactoryLockOperationSourceAdvisor;
import io.github.zklock.interceptor.GuardedBeansDependOnLocks;
import io.github.zklock.interceptor.LockInterceptor;
import io.github.zklock.interceptor.ScheduledJobs;
import io.github.zklock.interceptor.check.EarlyReferences;
import io.github.zklock.interceptor.check.GuardedMethods;
import io.github.zklock.interceptor.check.LockUsageValidator;
import io.github.zklock.interceptor.source.AnnotationLockOperationSource;
import io.github.zklock.interceptor.source.LockOperationSource;
import io.github.zklock.scheduling.ScheduledRunConfigurer;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;

/**
 * The advisor that guards annotated methods, what it is made of, and the check that they
 * can be guarded. A child context has its own. Its guarded methods use its own properties
 * and beans, and the locks of its parent.
 *
 * @since 0.1.0
 */
@Configuration(proxyBeanMethods = false)
@Import({ GuardedBeansDependOnLocks.class, EarlyReferences.class })
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class GuardedMethodConfiguration {

	private static final String INTERCEPTOR = "zkLockInterceptor";

	// Keys use the properties and beans of their own context. A source that the parent
	// has replaced wins.
	@Bean
	@Fallback
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@OnBeans(missing = LockOperationSource.class, ownContext = true)
	static AnnotationLockOperationSource zkLockOperationSource(ObjectProvider<LockSettings> settings,
			ConfigurableListableBeanFactory beanFactory) {
		return new AnnotationLockOperationSource(settings::getObject, () -> beanFactory::resolveEmbeddedValue,
				beanFactory);
	}

	// A provider, since the interceptor is created at build time too (process-aot), when
	// nothing may connect.
	@Bean(INTERCEPTOR)
	@Lazy
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@OnBeans(missing = LockInterceptor.class, ownContext = true)
	LockInterceptor zkLockInterceptor(LockOperationSource source, ObjectProvider<LockOperations> operations,
			ObjectProvider<LockListener> listeners, GuardSettings guard, ObjectProvider<LockLimits> limits,
			ObjectProvider<LockSettings> settings, BeanFactory beanFactory) {
		return new LockInterceptor(source,
				(provider) -> (provider.isEmpty() || guard.isTurnedOff()) ? operations.getObject()
						: new LockTemplate(beanFactory.getBean(provider, LockProvider.class),
								() -> listeners.orderedStream().toList(),
								limits.getIfAvailable(() -> LockLimits.DEFAULT), settings.getObject()),
				beanFactory);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@OnBeans(missing = BeanFactoryLockOperationSourceAdvisor.class, ownContext = true)
	static BeanFactoryLockOperationSourceAdvisor zkLockAdvisor(LockOperationSource source, GuardSettings guard,
			ListableBeanFactory beanFactory) {
		BeanFactoryLockOperationSourceAdvisor advisor = new BeanFactoryLockOperationSourceAdvisor(source);
		String[] interceptors = beanFactory.getBeanNamesForType(LockInterceptor.class, true, false);
		advisor.setAdviceBeanName((interceptors.length == 1) ? interceptors[0] : INTERCEPTOR);
		advisor.setOrder(guard.order());
		return advisor;
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@OnBeans(missing = LockUsageValidator.class, ownContext = true)
	LockUsageValidator zkLockUsageValidator(ConfigurableListableBeanFactory beanFactory, LockOperationSource source,
			GuardSettings guard) {
		// Locks that are turned off have no fences.
		return new LockUsageValidator(beanFactory, source, guard.validation(), () -> guard.isTurnedOff()
				|| beanFactory.getBeanProvider(FencedMethods.class).stream().findAny().isPresent());
	}

	@Bean
	@OnBeans(missing = LockJobs.class, ownContext = true)
	ScheduledJobs zkLockJobs(ConfigurableListableBeanFactory beanFactory, LockOperationSource operationSource,
			ObjectProvider<ScheduledRunConfigurer> scheduled, ObjectProvider<LockProvider> providers) {
		return new ScheduledJobs(beanFactory, new GuardedMethods(beanFactory, operationSource)::operations,
				() -> scheduled.stream().flatMap((each) -> each.tasks().stream()).toList(),
				(name) -> name.isEmpty() ? providers.getObject() : beanFactory.getBean(name, LockProvider.class));
	}

}
