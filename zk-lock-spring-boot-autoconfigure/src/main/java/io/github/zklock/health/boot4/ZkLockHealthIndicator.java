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

package io.github.zklock.health.boot4;

import io.github.zklock.health.LockHealth;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Reports the {@linkplain LockHealth health of the locks} to Spring Boot 4.
 *
 * @since 0.1.0
 */
public final class ZkLockHealthIndicator extends AbstractHealthIndicator {

	private final LockHealth locks;

	/**
	 * Create the indicator.
	 * @param locks the health of the locks
	 */
	public ZkLockHealthIndicator(LockHealth locks) {
		this.locks = locks;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		LockHealth.Report report = this.locks.report();
		builder.status(report.status()).withDetails(report.details());
	}

}
