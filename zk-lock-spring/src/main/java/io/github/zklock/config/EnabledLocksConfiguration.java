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

import java.time.Duration;

import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.core.spi.LockSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/**
 * What an application without Spring Boot needs in the place of properties and of a
 * provider that is configured for it.
 */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
class EnabledLocksConfiguration {

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@OnBeans(missing = LockSettings.class)
	static DefaultSettings zkLockSettings() {
		return new DefaultSettings();
	}

	// Before any bean is created, which may need locks.
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static BeanFactoryPostProcessor zkLockProviderCheck() {
		return (beanFactory) -> {
			if (isMissing(LockProvider.class, beanFactory) && isMissing(LockOperations.class, beanFactory)) {
				throw new InvalidLockUsageException(
						"@EnableDistributedLocks has no locks, since there is no bean of type LockProvider.",
						"Declare one, such as: @Bean ZooKeeperLockProvider locks(CuratorFramework client) "
								+ "{ return ZooKeeperLockProvider.builder(client).build(); }");
			}
		};
	}

	private static boolean isMissing(Class<?> type, ListableBeanFactory beanFactory) {
		return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, type, true, false).length == 0;
	}

	/**
	 * Follows annotations and requests.
	 */
	static final class DefaultSettings implements LockSettings {

		private static final Duration WAIT = Duration.ofSeconds(10);

		@Override
		public Duration defaultWait() {
			return WAIT;
		}

		@Override
		public @Nullable Duration wait(String name) {
			return null;
		}

		@Override
		public boolean isUnguarded(String name) {
			return false;
		}

	}

}
