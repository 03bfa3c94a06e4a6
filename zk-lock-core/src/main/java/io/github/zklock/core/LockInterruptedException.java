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

import io.github.zklock.core.internal.DurationText;
import io.github.zklock.core.internal.LockKeys;

/**
 * The thread was interrupted while it waited for the lock. Its interrupt flag is set
 * again.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public class LockInterruptedException extends LockException {

	/**
	 * Create the exception.
	 * @param request the request
	 * @param waited how long the caller waited
	 */
	public LockInterruptedException(LockRequest request, Duration waited) {
		super(LockKeys.describe(request.key(), request.mode()) + " not acquired: thread '"
				+ LockKeys.abbreviate(Thread.currentThread().getName()) + "' was interrupted after "
				+ DurationText.of(waited), null, request.key(), request.mode(), waited);
	}

}
