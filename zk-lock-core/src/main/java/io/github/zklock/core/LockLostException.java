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

import io.github.zklock.core.internal.LockKeys;
import org.jspecify.annotations.Nullable;

/**
 * The lock was lost while its body ran, so another client may have run at the same time.
 * The effects of the body must be checked or undone.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public class LockLostException extends LockException {

	private final @Nullable LockLoss loss;

	/**
	 * Create the exception for a loss whose reason is not known.
	 * @param key the key of the lock
	 * @param mode the mode of the lock
	 * @param state the state of the handle
	 */
	public LockLostException(String key, LockMode mode, LockState state) {
		super(message(LockKeys.describe(key, mode), state, null), null, key, mode, Duration.ZERO);
		this.loss = null;
	}

	/**
	 * Create the exception.
	 * @param handle the lock
	 * @param state the state of the lock
	 */
	public LockLostException(LockHandle handle, LockState state) {
		super(message(LockKeys.describe(handle.key(), handle.mode()), state, handle.loss()), null, handle.key(),
				handle.mode(), Duration.ZERO);
		this.loss = handle.loss();
	}

	/**
	 * Create the exception with a message of its own.
	 * @param handle the lock
	 * @param message what happened and what to do
	 * @param cause the cause, if any
	 */
	public LockLostException(LockHandle handle, String message, @Nullable Throwable cause) {
		super(message, cause, handle.key(), handle.mode(), Duration.ZERO);
		this.loss = handle.loss();
	}

	/**
	 * Return the exception for a lock that was lost.
	 * @param handle the lock
	 * @return the exception, or {@code null} if the lock was not lost
	 */
	public static @Nullable LockLostException of(LockHandle handle) {
		for (LockHandle each : handle.handles()) {
			if (each.state() == LockState.LOST) {
				return new LockLostException(each, LockState.LOST);
			}
		}
		return null;
	}

	/**
	 * Return why the lock was lost.
	 * @return the reason, or {@code null} if it is not known, or the lock was not lost
	 */
	public @Nullable LockLoss getLoss() {
		return this.loss;
	}

	private static String message(String lock, LockState state, @Nullable LockLoss loss) {
		return switch (state) {
			case RELEASED -> lock + " is not held: it was released before";
			case UNCERTAIN -> lock + " is not known to be held: the connection to the backend is interrupted";
			default -> lock + " was lost before it was released: "
					+ ((loss != null) ? loss : "its session has ended or its node was deleted")
					+ ", so another client may hold it; check or undo what was done under it";
		};
	}

}
