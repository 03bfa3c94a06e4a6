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
 * The backend has answered that this client is not allowed to take the lock: permissions
 * or a quota do not suffice. A retry does not help, so a guarded method throws this
 * exception in every case. It is not skipped, and its fallback method is not called.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public class LockAccessException extends LockException {

	/**
	 * Create the exception.
	 * @param request the request
	 * @param waited how long the caller waited
	 * @param reason what was refused and what to do, as the end of a sentence
	 * @param cause the cause, if any
	 */
	public LockAccessException(LockRequest request, Duration waited, String reason, @Nullable Throwable cause) {
		super(LockKeys.describe(request.key(), request.mode()) + " refused after " + DurationText.of(waited) + ": "
				+ reason, cause, request.key(), request.mode(), waited);
	}

}
