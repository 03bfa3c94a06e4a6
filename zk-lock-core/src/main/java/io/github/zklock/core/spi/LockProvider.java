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

package io.github.zklock.core.spi;

import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockInterruptedException;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.LockUpgradeException;

/**
 * The SPI that a backend implements. Three outcomes are three types. The first is a
 * handle. The second is a {@link LockNotAcquiredException}, when other holders had the
 * lock for the whole timeout. The third is a {@link LockUnavailableException}, when the
 * backend could not be asked.
 *
 * @since 0.1.0
 */
public interface LockProvider {

	/**
	 * Acquire a lock for the request's owner, by default the calling thread. The timeout
	 * is a hard bound: it covers outages and retries as well. Without an owner in the
	 * request the lock belongs to the thread, and the handle fails with an
	 * {@link IllegalStateException} when another thread works with it. Any thread may
	 * release it.
	 * @param request what to acquire
	 * @param context what the caller says besides
	 * @return the handle of the lock, to be released by the caller
	 * @throws LockNotAcquiredException if other holders had the lock for the whole
	 * timeout, or at once if the {@linkplain LockRequest#tick() tick} has run
	 * @throws LockUnavailableException if the backend could not be asked in that time
	 * @throws LockInterruptedException if the calling thread was interrupted; its
	 * interrupt flag is set again
	 * @throws LockUpgradeException if the owner holds the key in {@link LockMode#READ}
	 * and asks for more
	 * @throws LockLostException if the owner requests a key again after the loss of its
	 * lock; a thread that is not named as owner gets this exception once
	 */
	LockHandle acquire(LockRequest request, AcquireContext context);

	/**
	 * Acquire a lock without blocking a thread. Without an owner in the request the lock
	 * belongs to the handle alone, and nothing re-enters it. An owner that is a
	 * {@link Thread} only lends what it holds already. What the thread does later must
	 * not re-enter a lock that outlives the call. A thread that is named as the owner by
	 * another one only lends, too.
	 * @param request what to acquire
	 * @param context what the caller says besides
	 * @return a future of the handle, which fails with the exceptions of
	 * {@link #acquire(LockRequest, AcquireContext)}. Cancelling it withdraws the request:
	 * a lock that is granted at the same moment is released
	 */
	CompletableFuture<LockHandle> acquireAsync(LockRequest request, AcquireContext context);

	/**
	 * {@linkplain #acquire(LockRequest, AcquireContext) Acquire} one lock.
	 * @param request what to acquire
	 * @return the handle of the lock, to be released by the caller
	 */
	default LockHandle acquire(LockRequest request) {
		return acquire(request, AcquireContext.NONE);
	}

	/**
	 * {@linkplain #acquireAsync(LockRequest, AcquireContext) Acquire} one lock without
	 * blocking a thread.
	 * @param request what to acquire
	 * @return a future of the handle
	 */
	default CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
		return acquireAsync(request, AcquireContext.NONE);
	}

}
