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
 * A key is missing, not allowed, or could not be computed. Nothing was sent to the
 * backend.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public class LockKeyException extends LockException {

	/**
	 * Create the exception.
	 * @param message what is wrong with the key and what to do
	 * @param key the key, if there is one
	 */
	public LockKeyException(String message, @Nullable String key) {
		this(message, key, null);
	}

	/**
	 * Create the exception with a cause.
	 * @param message what is wrong with the key and what to do
	 * @param key the key or the expression that should have given it, if there is one
	 * @param cause the cause, if any
	 */
	public LockKeyException(String message, @Nullable String key, @Nullable Throwable cause) {
		super(message, cause, key, null, Duration.ZERO);
	}

}
