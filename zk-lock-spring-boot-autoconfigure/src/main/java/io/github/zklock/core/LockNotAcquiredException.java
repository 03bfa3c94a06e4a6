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
 * Others held the lock for the whole time to wait. The backend answered; trying again
 * later is reasonable.
 *
 * @since 0.1.0
 * @see LockUnavailableException
 */
@SuppressWarnings("serial")
public class LockNotAcquiredException extends LockException {

	private final transient @Nullable LockHolder holder;

	/**
	 * Create the exception.
	 * @param request what was asked
	 * @param waited how long the caller waited
	 * @param holder who held the lock, if known
	 */
	public LockNotAcquiredException(LockRequest request, Duration waited, @Nullable LockHolder holder) {
		this(request, waited, holder, "");
	}

	/**
	 * Create the exception with a remark.
	 * @param request what was asked
	 * @param waited how long the caller waited
	 * @param holder who held the lock, if known
	 * @param remark what else the message says, or empty
	 */
	public LockNotAcquiredException(LockRequest request, Duration waited, @Nullable LockHolder holder, String remark) {
		super(message(request, holder, remark), null, request.key(), request.mode(), waited);
		this.holder = holder;
	}

	/**
	 * Create the exception for a key that stays taken for a time that its last holder has
	 * asked for, whether or not that one still uses it.
	 * @param request what was asked
	 * @param waited how long the caller waited
	 * @param holder who held the lock, if known
	 * @param atLeast how long the holder keeps the key, counted from its grant
	 * @return the exception
	 * @see LockRequest#atLeast()
	 */
	public static LockNotAcquiredException kept(LockRequest request, Duration waited, @Nullable LockHolder holder,
			Duration atLeast) {
		return new LockNotAcquiredException(request, waited, holder,
				"its last holder keeps it at least " + DurationText.of(atLeast));
	}

	/**
	 * Return who held the lock when the caller gave up.
	 * @return the holder, or {@code null} if it is not known
	 */
	public @Nullable LockHolder getHolder() {
		return this.holder;
	}

	private static String message(LockRequest request, @Nullable LockHolder holder, String remark) {
		String time = request.waitTime().isZero() ? "at once" : "within " + DurationText.of(request.waitTime());
		return describe(request.key(), request.mode()) + " not acquired " + time
				+ ((holder != null) ? "; held by " + holder : "") + (remark.isEmpty() ? "" : "; " + remark);
	}

}
