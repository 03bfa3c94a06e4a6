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
 * The base class of all exceptions of locks. Unchecked.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public abstract class LockException extends RuntimeException {

	private final @Nullable String key;

	private final @Nullable LockMode mode;

	private final Duration waited;

	/**
	 * Create the exception.
	 * @param message what happened, to which key, what to do
	 * @param cause the cause, if any
	 * @param key the key of the lock, if it is known
	 * @param mode the mode of the lock, if it is known
	 * @param waited how long the caller waited
	 */
	protected LockException(String message, @Nullable Throwable cause, @Nullable String key, @Nullable LockMode mode,
			Duration waited) {
		super(message, cause);
		this.key = key;
		this.mode = mode;
		this.waited = waited;
	}

	/**
	 * Return the key of the lock.
	 * @return the key, or {@code null} if there was none
	 */
	public @Nullable String getKey() {
		return this.key;
	}

	/**
	 * Return the mode of the lock.
	 * @return the mode, or {@code null} if it was not yet known
	 */
	public @Nullable LockMode getMode() {
		return this.mode;
	}

	/**
	 * Return how long the caller waited before this exception.
	 * @return the time waited, zero if it did not wait
	 */
	public Duration getWaited() {
		return this.waited;
	}

}
