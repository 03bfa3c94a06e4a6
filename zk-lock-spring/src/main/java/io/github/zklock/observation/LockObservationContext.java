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

package io.github.zklock.observation;

import java.util.Locale;

import io.github.zklock.core.LockAccessException;
import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockInterruptedException;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/**
 * What is known about a request for a lock, or about the lock.
 *
 * @since 0.1.0
 */
public final class LockObservationContext extends Observation.Context {

	private final LockRequest request;

	private final boolean keyShown;

	private volatile @Nullable Outcome outcome;

	private volatile @Nullable LockHandle handle;

	private volatile @Nullable LockHolder holder;

	/**
	 * Create the context.
	 * @param request the request
	 * @param keyShown whether the span may show the key
	 */
	public LockObservationContext(LockRequest request, boolean keyShown) {
		this.request = request;
		this.keyShown = keyShown;
	}

	/**
	 * Return the request.
	 * @return the request
	 */
	public LockRequest getRequest() {
		return this.request;
	}

	/**
	 * Return whether the span may show the key, which may be personal data.
	 * @return whether it may
	 */
	public boolean isKeyShown() {
		return this.keyShown;
	}

	/**
	 * Return the outcome.
	 * @return the outcome, {@code null} as long as there is none
	 */
	public @Nullable Outcome getOutcome() {
		return this.outcome;
	}

	/**
	 * Return the lock.
	 * @return the handle, {@code null} if there is none
	 */
	public @Nullable LockHandle getHandle() {
		return this.handle;
	}

	/**
	 * Return the holder of a lock that was not acquired.
	 * @return the holder, {@code null} if there is none, or it is not known
	 */
	public @Nullable LockHolder getHolder() {
		return this.holder;
	}

	/**
	 * Set the outcome.
	 * @param outcome the outcome
	 */
	public void setOutcome(Outcome outcome) {
		this.outcome = outcome;
	}

	/**
	 * Set the lock.
	 * @param handle the handle
	 */
	public void setHandle(LockHandle handle) {
		this.handle = handle;
	}

	/**
	 * Set the holder of a lock that was not acquired.
	 * @param holder the holder, {@code null} if it is not known
	 */
	public void setHolder(@Nullable LockHolder holder) {
		this.holder = holder;
	}

	/**
	 * The outcome of a request or of a lock, as in the tag {@code outcome}.
	 *
	 * @since 0.1.0
	 */
	public enum Outcome {

		/** The lock was acquired. */
		ACQUIRED,

		/** Other clients held it until the timeout, or its tick has run. */
		NOT_ACQUIRED,

		/** The backend did not answer. */
		UNAVAILABLE,

		/** The backend has refused this client for good, such as by its permissions. */
		REFUSED,

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
		public static Outcome of(LockException exception) {
			if (exception instanceof LockNotAcquiredException) {
				return NOT_ACQUIRED;
			}
			if (exception instanceof LockUnavailableException) {
				return UNAVAILABLE;
			}
			if (exception instanceof LockAccessException) {
				return REFUSED;
			}
			if (exception instanceof LockInterruptedException) {
				return INTERRUPTED;
			}
			return (exception instanceof LockLostException) ? LOST : ERROR;
		}

	}

}
