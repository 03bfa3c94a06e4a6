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

import org.jspecify.annotations.Nullable;

/**
 * The backend answered that this client may not take the lock. Trying again does not
 * help.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public class LockAccessException extends LockUnavailableException {

	/**
	 * Create the exception.
	 * @param request the request
	 * @param waited how long the caller waited
	 * @param reason what was refused and what to do, as the end of a sentence
	 * @param cause the cause, if any
	 */
	public LockAccessException(LockRequest request, Duration waited, String reason, @Nullable Throwable cause) {
		super(request, waited, reason, cause);
	}

}
