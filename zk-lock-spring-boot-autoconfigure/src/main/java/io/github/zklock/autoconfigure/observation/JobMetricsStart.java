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

package io.github.zklock.autoconfigure.observation;

import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.Ordered;

/**
 * Registers the metrics of jobs once Spring has scheduled them, and the metrics of roles.
 */
final class JobMetricsStart implements ApplicationListener<ContextRefreshedEvent>, Ordered {

	private final ApplicationContext context;

	private final Runnable register;

	JobMetricsStart(ApplicationContext context, Runnable register) {
		this.context = context;
		this.register = register;
	}

	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE;
	}

	// A child context has jobs of its own.
	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		if (event.getApplicationContext() == this.context) {
			this.register.run();
		}
	}

}
