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

/**
 * The key is in use with another number of {@linkplain LockRequest#permits() permits}. If
 * requests used different numbers, more of them could hold the key than each number
 * allows. So a later request is refused. Trying again helps only when the key is not used
 * any more. A client of ZooKeeper that may create nodes can cause this as well.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public class LockPermitsException extends LockException {

	private final int permits;

	private final int permitsInUse;

	/**
	 * Create the exception.
	 * @param request the request
	 * @param waited how long the caller waited
	 * @param permitsInUse the number of permits with which the key is in use
	 */
	public LockPermitsException(LockRequest request, Duration waited, int permitsInUse) {
		super(LockKeys.describe(request.key(), request.mode()) + " refused: it asks for " + text(request.permits())
				+ ", but the key is in use with " + text(permitsInUse)
				+ "; give all requests for the key the same number, or this one a key of its own. If all have that "
				+ "number, another client of ZooKeeper has created a node with another one", null, request.key(),
				request.mode(), waited);
		this.permits = request.permits();
		this.permitsInUse = permitsInUse;
	}

	/**
	 * Return the number of permits that was requested.
	 * @return the number of permits
	 */
	public int getPermits() {
		return this.permits;
	}

	/**
	 * Return the number of permits with which the key is in use.
	 * @return the number of permits
	 */
	public int getPermitsInUse() {
		return this.permitsInUse;
	}

	private static String text(int permits) {
		return (permits == 1) ? "1 permit" : permits + " permits";
	}

}
