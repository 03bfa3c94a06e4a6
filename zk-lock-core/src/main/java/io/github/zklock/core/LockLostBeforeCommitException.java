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
 * A lock was lost before anything was committed under it. The transaction was rolled
 * back, or the method had not begun. So it is safe to try the method again, and an HTTP
 * handler can answer 503.
 * <p>
 * If the method has committed another transaction before, the exception is a plain
 * {@link LockLostException}, since that transaction stays. The effects of the method
 * beyond transactions, such as a statement in auto-commit or a mail, are not known and
 * stay.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public class LockLostBeforeCommitException extends LockLostException {

	/**
	 * Create the exception.
	 * @param handle the lock
	 * @param message what happened and what to do
	 * @param cause the cause, if any
	 */
	public LockLostBeforeCommitException(LockHandle handle, String message, @Nullable Throwable cause) {
		super(handle, message, cause);
	}

}
