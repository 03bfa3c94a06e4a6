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
import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.internal.UnusedRelease;
import io.github.zklock.core.spi.AcquireContext;
import io.github.zklock.core.spi.LockProvider;

/**
 * Acquires single locks and notifies listeners of each.
 */
final class ObservedLocks {

	private final LockProvider provider;

	private final LockListeners listeners;

	ObservedLocks(LockProvider provider, LockListeners listeners) {
		this.provider = provider;
		this.listeners = listeners;
	}

	LockHandle acquire(LockRequest request) {
		return acquire(request, Duration.ZERO);
	}

	LockHandle acquire(LockRequest request, Duration spent) {
		RequestListeners told = this.listeners.follow(request);
		try {
			return observed(told, this.provider.acquire(request, context(spent, told)));
		}
		catch (Throwable ex) {
			told.refused(ex);
			throw ex;
		}
	}

	CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
		return acquireAsync(request, Duration.ZERO);
	}

	CompletableFuture<LockHandle> acquireAsync(LockRequest request, Duration spent) {
		RequestListeners told = this.listeners.follow(request);
		CompletableFuture<LockHandle> acquiring = begin(request, spent, told);
		CompletableFuture<LockHandle> result = new CompletableFuture<>();
		acquiring.whenComplete((handle, failure) -> {
			if (failure != null) {
				told.refused(Failures.unwrap(failure));
				result.completeExceptionally(Failures.unwrap(failure));
			}
			else {
				complete(result, told, handle);
			}
		});
		result.whenComplete((handle, failure) -> {
			if (failure != null) {
				acquiring.cancel(false);
			}
		});
		return result;
	}

	private CompletableFuture<LockHandle> begin(LockRequest request, Duration spent, RequestListeners told) {
		try {
			return this.provider.acquireAsync(request, context(spent, told));
		}
		catch (Throwable ex) {
			told.refused(ex);
			throw ex;
		}
	}

	private static AcquireContext context(Duration spent, RequestListeners told) {
		Runnable whenWaiting = told.whenWaiting();
		return (spent.isZero() && whenWaiting == null) ? AcquireContext.NONE
				: AcquireContext.NONE.withSpent(spent).withWhenWaiting(whenWaiting);
	}

	private void complete(CompletableFuture<LockHandle> result, RequestListeners told, LockHandle handle) {
		LockHandle acquired;
		try {
			acquired = observed(told, handle);
		}
		catch (Throwable ex) {
			told.refused(ex);
			result.completeExceptionally(ex);
			return;
		}
		if (!result.complete(acquired)) {
			UnusedRelease.of(acquired);
		}
	}

	/**
	 * Report that a lock will not be requested, since there is no time left.
	 */
	void refused(LockRequest request, LockException failure) {
		this.listeners.follow(request).refused(failure);
	}

	// After a failure only this method can release the lock.
	private static LockHandle observed(RequestListeners told, LockHandle handle) {
		if (told.isEmpty()) {
			return handle;
		}
		ObservedHandle observed;
		try {
			observed = new ObservedHandle(handle, told);
		}
		catch (Throwable ex) {
			UnusedRelease.of(handle);
			throw ex;
		}
		try {
			told.acquired(observed);
		}
		catch (Throwable ex) {
			// There is no stack or memory left for listeners. The lock is granted.
		}
		return observed;
	}

}
