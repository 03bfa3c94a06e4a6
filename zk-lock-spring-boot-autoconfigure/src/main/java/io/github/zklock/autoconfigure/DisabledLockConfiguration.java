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

package io.github.zklock.autoconfigure;

import java.util.List;

import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.internal.NoOpLockProvider;
import io.github.zklock.core.spi.LockProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What an application gets in the place of locks that are turned off, so that it starts
 * and runs as with them.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "zk-lock.enabled", havingValue = false)
class DisabledLockConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(DisabledLockConfiguration.class);

	// The name of the other one, which health groups may use.
	@Bean
	@ConditionalOnMissingBean(LockProvider.class)
	NoOpLockProvider zkLockProvider() {
		return new NoOpLockProvider();
	}

	// Not on a provider of the application, and without listeners: nothing is locked.
	@Bean
	@ConditionalOnMissingBean(LockOperations.class)
	LockTemplate zkLockTemplate(ZkLockProperties properties) {
		logger.warn("Locks are turned off by zk-lock.enabled=false: methods with @DistributedLock and callers of "
				+ "LockOperations run at once and exclude no other caller");
		return new LockTemplate(new NoOpLockProvider(), List::of, properties.limits().toLimits(), null);
	}

}
