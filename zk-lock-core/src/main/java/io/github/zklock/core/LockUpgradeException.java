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

package io.github.zklock.core;

import java.time.Duration;

import io.github.zklock.core.internal.LockKeys;

/**
 * The owner holds the key in {@link LockMode#READ} and requests {@link LockMode#WRITE} or
 * {@link LockMode#EXCLUSIVE}. Two readers that did so would wait for each other for ever,
 * so it is refused at once.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public class LockUpgradeException extends LockException {

	/**
	 * Create the exception.
	 * @param request the request
	 */
	public LockUpgradeException(LockRequest request) {
		super(LockKeys.describe(request.key(), request.mode())
				+ " refused: its owner holds it in mode READ, and a read lock " + "cannot be upgraded; take "
				+ request.mode() + " first, or release the read lock first", null, request.key(), request.mode(),
				Duration.ZERO);
	}

}
