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
 * A transaction was rolled back because a lock was not known to be held before the
 * commit. Nothing of the transaction has to be undone, so it is safe to try it again: an
 * HTTP handler can answer 503. Only this transaction is rolled back: what the method
 * committed before, in other transactions, stays.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public class LockLostBeforeCommitException extends LockLostException {

	/**
	 * Create the exception.
	 * @param handle the lock
	 * @param state the state of the lock
	 */
	public LockLostBeforeCommitException(LockHandle handle, LockState state) {
		this(handle, reason(handle, state), null);
	}

	/**
	 * Create the exception with a reason of its own.
	 * @param handle the lock
	 * @param reason why the transaction cannot commit, to follow the name of the lock
	 * @param cause the cause, if any
	 */
	protected LockLostBeforeCommitException(LockHandle handle, String reason, @Nullable Throwable cause) {
		super(handle,
				describe(handle) + " " + reason + ". The transaction is rolled back, and it is safe to try it again",
				cause);
	}

	private static String reason(LockHandle handle, LockState state) {
		return switch (state) {
			case RELEASED -> "was released before the commit";
			case UNCERTAIN -> "is not known to be held before the commit: the connection is interrupted";
			default -> "was lost before the commit" + ((handle.loss() != null) ? (": " + handle.loss()) : "");
		};
	}

}
