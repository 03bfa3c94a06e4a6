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
import io.github.zklock.bridge.integration.SessionLockRegistry;
import io.github.zklock.bridge.integration.SessionLockRegistryRuntimeHints;
import io.github.zklock.core.LockOperations;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * Auto-configuration of a lock registry for Spring Integration, unless the application
 * has its own. Spring Integration uses a registry only where it is configured to.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ZkLockAutoConfiguration.class)
@ConditionalOnClass(LockRegistry.class)
@ConditionalOnBean(LockOperations.class)
@ImportRuntimeHints(SessionLockRegistryRuntimeHints.class)
public final class ZkLockIntegrationAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(LockRegistry.class)
	SessionLockRegistry zkLockRegistry(LockOperations locks) {
		return new SessionLockRegistry(locks);
	}

}
