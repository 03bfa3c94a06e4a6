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

import org.jspecify.annotations.Nullable;

/**
 * A use of {@code @DistributedLock} that cannot work, found at start-up unless only a
 * call can show it.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public class InvalidLockUsageException extends RuntimeException {

	private final String description;

	private final String action;

	/**
	 * Create the exception.
	 * @param description what is wrong, and with which method
	 * @param action what to do about it
	 */
	public InvalidLockUsageException(String description, String action) {
		this(description, action, null);
	}

	/**
	 * Create the exception with a cause.
	 * @param description what is wrong, and with which method
	 * @param action what to do about it
	 * @param cause the cause, if any
	 */
	public InvalidLockUsageException(String description, String action, @Nullable Throwable cause) {
		super(description + " " + action, cause);
		this.description = description;
		this.action = action;
	}

	/**
	 * Return what is wrong, and with which method.
	 * @return the description
	 */
	public String getDescription() {
		return this.description;
	}

	/**
	 * Return what to do about it.
	 * @return the action
	 */
	public String getAction() {
		return this.action;
	}

}
