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

import io.github.zklock.interceptor.check.LockValidation;

import org.springframework.core.Ordered;

/**
 * How annotated methods are intercepted.
 *
 * @since 0.1.0
 */
public class ZkLockAopProperties {

	static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 100;

	/**
	 * Position of the lock among the advices of a method. Lower values are further
	 * outside.
	 */
	private int order = DEFAULT_ORDER;

	/**
	 * What to do at startup about annotated methods that cannot be guarded.
	 */
	private LockValidation validation = LockValidation.FAIL;

	public int getOrder() {
		return this.order;
	}

	public void setOrder(int order) {
		this.order = order;
	}

	public LockValidation getValidation() {
		return this.validation;
	}

	public void setValidation(LockValidation validation) {
		this.validation = validation;
	}

}
