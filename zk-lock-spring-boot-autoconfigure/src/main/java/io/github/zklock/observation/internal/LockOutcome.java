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

package io.github.zklock.observation.internal;

import java.util.Locale;

import io.github.zklock.core.LockAccessException;
import io.github.zklock.core.LockException;
import io.github.zklock.core.LockInterruptedException;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockUnavailableException;

/**
 * The outcome of a request or of a lock, as in the tag {@code outcome}.
 *
 * @since 0.1.0
 */
public enum LockOutcome {

	/** The lock was acquired. */
	ACQUIRED,

	/** Other clients held it until the timeout, or its tick has run. */
	NOT_ACQUIRED,

	/** The backend did not answer, or has refused this client. */
	UNAVAILABLE,

	/** The thread was interrupted while it waited. */
	INTERRUPTED,

	/** The caller has cancelled the request. */
	WITHDRAWN,

	/** The lock was released by its holder. */
	RELEASED,

	/** The lock was lost, or requested again after its loss. */
	LOST,

	/** The request was refused for another reason, such as an upgrade. */
	ERROR;

	private final String text = name().toLowerCase(Locale.ROOT);

	/**
	 * Return the value of the tag.
	 * @return the name in lower case
	 */
	public String text() {
		return this.text;
	}

	/**
	 * Return the outcome of a request that has failed.
	 * @param exception the failure
	 * @return the outcome
	 */
	public static LockOutcome of(LockException exception) {
		if (exception instanceof LockNotAcquiredException) {
			return NOT_ACQUIRED;
		}
		if (exception instanceof LockUnavailableException || exception instanceof LockAccessException) {
			return UNAVAILABLE;
		}
		if (exception instanceof LockInterruptedException) {
			return INTERRUPTED;
		}
		return (exception instanceof LockLostException) ? LOST : ERROR;
	}

}
