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

import io.github.zklock.core.LockLimits;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.spi.LockListener;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.core.spi.LockSettings;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The template on the provider of the application. The beans of the application win, even
 * if they are in a parent context.
 *
 * @since 0.1.0
 */
@Configuration(proxyBeanMethods = false)
public class LockTemplateConfiguration {

	// Listeners may need beans that lock.
	@Bean
	@OnBeans(present = LockProvider.class, missing = LockOperations.class)
	LockTemplate zkLockTemplate(ObjectProvider<LockProvider> providers, ObjectProvider<LockListener> listeners,
			ObjectProvider<LockLimits> limits, LockSettings settings) {
		LockProvider provider = SingleBean.of(LockProvider.class, providers,
				"declare a LockOperations bean on the one to use");
		return new LockTemplate(provider, () -> listeners.orderedStream().toList(),
				limits.getIfAvailable(() -> LockLimits.DEFAULT), settings);
	}

}
