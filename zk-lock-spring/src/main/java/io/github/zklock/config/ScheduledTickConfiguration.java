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

import io.github.zklock.core.spi.LockListener;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.interceptor.JobRecovery;
import io.github.zklock.interceptor.LockTickAdvising;
import io.github.zklock.interceptor.check.GuardedMethods;
import io.github.zklock.interceptor.check.LockTickCheck;
import io.github.zklock.interceptor.source.LockOperationSource;
import io.github.zklock.scheduling.ScheduledRunConfigurer;
import io.github.zklock.scheduling.ScheduledTaskNeed;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;

/**
 * Lets guarded methods run once per tick of their schedule, if the application has
 * scheduled methods. A child context has its own.
 *
 * @since 0.1.0
 */
@Configuration(proxyBeanMethods = false)
@OnBeans(present = ScheduledAnnotationBeanPostProcessor.class)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class ScheduledTickConfiguration {

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	ScheduledRunConfigurer zkLockScheduledRunConfigurer(ConfigurableListableBeanFactory beanFactory,
			LockOperationSource operationSource, ObjectProvider<ScheduledTaskNeed> others) {
		return new ScheduledRunConfigurer(new GuardedMethods(beanFactory, operationSource)::exist,
				() -> operationSource.guardedMethods() > 0, () -> others.orderedStream().toList());
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LockTickAdvising zkLockTickAdvising() {
		return new LockTickAdvising();
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	JobRecovery zkLockJobRecovery(BeanFactory beanFactory) {
		return new JobRecovery(beanFactory,
				(provider) -> provider.isEmpty() ? beanFactory.getBeanProvider(LockProvider.class).getIfUnique()
						: beanFactory.getBean(provider, LockProvider.class),
				() -> beanFactory.getBeanProvider(LockListener.class).orderedStream());
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	LockTickCheck zkLockTickCheck(ConfigurableListableBeanFactory beanFactory, LockOperationSource operationSource,
			ScheduledRunConfigurer configurer, LockTickAdvising advising, JobRecovery recovery, GuardSettings guard) {
		return new LockTickCheck(beanFactory, operationSource, new GuardedMethods(beanFactory, operationSource),
				configurer, advising, recovery, guard.validation());
	}

}
