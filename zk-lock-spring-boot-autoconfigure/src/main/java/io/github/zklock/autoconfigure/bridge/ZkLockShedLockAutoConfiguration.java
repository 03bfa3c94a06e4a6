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

package io.github.zklock.autoconfigure.bridge;

import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.bridge.shedlock.ShedLockProvider;
import io.github.zklock.bridge.shedlock.ShedLockTasks;
import io.github.zklock.core.LockOperations;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/**
 * Auto-configuration of a lock provider for ShedLock, unless the application has its own.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ZkLockAutoConfiguration.class)
@ConditionalOnClass(LockProvider.class)
@ConditionalOnBean(LockOperations.class)
public final class ZkLockShedLockAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(LockProvider.class)
	ShedLockProvider zkLockShedLockProvider(LockOperations locks) {
		return new ShedLockProvider(locks);
	}

	/**
	 * For scheduled methods with ShedLock's annotation.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(SchedulerLock.class)
	static class Annotations {

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static ShedLockTasks zkLockShedLockTasks(ListableBeanFactory beanFactory) {
			return new ShedLockTasks(beanFactory);
		}

	}

}
