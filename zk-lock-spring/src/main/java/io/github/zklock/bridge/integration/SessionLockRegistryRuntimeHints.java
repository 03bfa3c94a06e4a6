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

package io.github.zklock.bridge.integration;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.util.ClassUtils;

/**
 * Hints for native images: the locks of Spring Integration 7 are proxies.
 *
 * @since 0.1.0
 */
public final class SessionLockRegistryRuntimeHints implements RuntimeHintsRegistrar {

	/**
	 * Create the hints.
	 */
	public SessionLockRegistryRuntimeHints() {
	}

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		if (ClassUtils.isPresent(DistributedLocks.INTERFACE, classLoader)) {
			hints.proxies().registerJdkProxy(TypeReference.of(DistributedLocks.INTERFACE));
		}
	}

}
