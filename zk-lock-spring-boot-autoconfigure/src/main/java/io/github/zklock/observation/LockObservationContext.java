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

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockRequest;
import io.github.zklock.observation.internal.LockOutcome;
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

	private volatile @Nullable LockOutcome outcome;

	private volatile @Nullable LockHandle handle;

	private volatile @Nullable LockHolder holder;

	LockObservationContext(LockRequest request, boolean keyShown) {
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
	public @Nullable LockOutcome getOutcome() {
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

	void outcome(LockOutcome outcome) {
		this.outcome = outcome;
	}

	void handle(LockHandle handle) {
		this.handle = handle;
	}

	void holder(@Nullable LockHolder holder) {
		this.holder = holder;
	}

}
