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

import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.test.memory.InMemoryLockProvider;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/**
 * Auto-configuration of tests for locks in memory. It takes the place of ZooKeeper, and
 * of a provider that the application may have.
 *
 * @see AutoConfigureZkLock
 */
@AutoConfiguration(before = ZkLockAutoConfiguration.class)
final class InMemoryLockAutoConfiguration {

	// The name of the provider that it replaces, which health groups may use.
	@Bean
	@Primary
	InMemoryLockProvider zkLockProvider() {
		return new InMemoryLockProvider();
	}

	@Bean
	static InMemoryProviders zkLockInMemoryProviders() {
		return new InMemoryProviders();
	}

	@Bean
	LockTesting zkLockTesting(InMemoryLockProvider provider) {
		return new LockTesting(provider);
	}

}
