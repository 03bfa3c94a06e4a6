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
import org.jspecify.annotations.Nullable;

/**
 * The backend could not be asked for the lock within the timeout: it is down, out of
 * reach or shutting down. Whether others hold the lock is not known.
 *
 * @since 0.1.0
 * @see LockNotAcquiredException
 * @see LockAccessException
 */
@SuppressWarnings("serial")
public class LockUnavailableException extends LockException {

	/**
	 * Create the exception.
	 * @param request the request
	 * @param waited how long the caller waited
	 * @param reason why the lock is not available and what to do, as the end of a
	 * sentence
	 * @param cause the cause, if any
	 */
	public LockUnavailableException(LockRequest request, Duration waited, String reason, @Nullable Throwable cause) {
		super(LockKeys.describe(request.key(), request.mode()) + " not available after " + DurationText.of(waited)
				+ ": " + reason, cause, request.key(), request.mode(), waited);
	}

}
