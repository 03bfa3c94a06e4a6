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

import io.github.zklock.interceptor.check.LockUsageValidator;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Checks child contexts without auto-configured locks: guarded methods of their beans may
 * run without a lock, and unnoticed.
 */
class ChildContextCheck implements ApplicationListener<ContextRefreshedEvent> {

	private final BeanFactory beanFactory;

	private final LockUsageValidator validator;

	ChildContextCheck(BeanFactory beanFactory, LockUsageValidator validator) {
		this.beanFactory = beanFactory;
		this.validator = validator;
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		ApplicationContext refreshed = event.getApplicationContext();
		boolean enabled = refreshed.getEnvironment().getProperty("zk-lock.enabled", Boolean.class, true);
		if (enabled && !hasValidator(refreshed) && isNearest(refreshed.getParent())
				&& refreshed.getAutowireCapableBeanFactory() instanceof ConfigurableListableBeanFactory child) {
			this.validator.checkChild(child);
		}
	}

	// A context tells all contexts above it that it is ready.
	private boolean isNearest(@Nullable ApplicationContext parent) {
		ApplicationContext nearest = parent;
		while (nearest != null && !hasValidator(nearest)) {
			nearest = nearest.getParent();
		}
		return nearest != null && nearest.getAutowireCapableBeanFactory() == this.beanFactory;
	}

	private static boolean hasValidator(ApplicationContext context) {
		return context.getBeanNamesForType(LockUsageValidator.class, true, false).length > 0;
	}

}
