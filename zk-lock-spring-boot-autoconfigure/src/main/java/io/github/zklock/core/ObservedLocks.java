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

/**
 * Acquires single locks and tells listeners of each.
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
		this.listeners.find();
		long start = System.nanoTime();
		try {
			return acquired(request, this.provider.acquire(request, spent), start);
		}
		catch (LockException ex) {
			refused(request, ex);
			throw ex;
		}
	}

	CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
		return acquireAsync(request, Duration.ZERO);
	}

	CompletableFuture<LockHandle> acquireAsync(LockRequest request, Duration spent) {
		this.listeners.find();
		long start = System.nanoTime();
		CompletableFuture<LockHandle> acquiring = this.provider.acquireAsync(request, spent);
		CompletableFuture<LockHandle> result = new CompletableFuture<>();
		acquiring.whenComplete((handle, failure) -> {
			if (failure != null) {
				refused(request, Failures.unwrap(failure));
				result.completeExceptionally(Failures.unwrap(failure));
			}
			else {
				complete(result, request, handle, start);
			}
		});
		result.whenComplete((handle, failure) -> {
			if (failure != null) {
				acquiring.cancel(false);
			}
		});
		return result;
	}

	private void complete(CompletableFuture<LockHandle> result, LockRequest request, LockHandle handle, long start) {
		try {
			LockHandle acquired = acquired(request, handle, start);
			if (!result.complete(acquired)) {
				acquired.forgo();
			}
		}
		catch (Throwable ex) {
			result.completeExceptionally(ex);
		}
	}

	void refused(LockRequest request, Throwable failure) {
		if (failure instanceof LockException exception) {
			this.listeners.tell((listener) -> listener.notAcquired(request, exception));
		}
	}

	private LockHandle acquired(LockRequest request, LockHandle handle, long start) {
		if (this.listeners.isEmpty()) {
			return handle;
		}
		ObservedHandle observed = observed(request, handle);
		Duration waited = Duration.ofNanos(System.nanoTime() - start);
		this.listeners.tell((listener) -> listener.acquired(request, observed, waited));
		return observed;
	}

	// Nobody else can give it back.
	private ObservedHandle observed(LockRequest request, LockHandle handle) {
		try {
			return new ObservedHandle(handle, request, this.listeners);
		}
		catch (Throwable ex) {
			handle.forgo();
			throw ex;
		}
	}

}
