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

package io.github.zklock.core.internal;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockKeyException;
import io.github.zklock.core.LockLimits;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.AcquireContext;
import io.github.zklock.core.spi.LockListener;
import io.github.zklock.core.spi.LockProvider;
import org.jspecify.annotations.Nullable;

/**
 * Acquires locks and notifies listeners of each.
 *
 * @since 0.1.0
 */
public final class ObservedLocks {

	private final LockProvider provider;

	private final LockListeners listeners;

	private final LockLimits limits;

	/**
	 * Create them.
	 * @param provider the provider of locks
	 * @param listeners returns the listeners, which are notified in their order
	 * @param limits how much one call may ask for
	 */
	public ObservedLocks(LockProvider provider, Supplier<? extends List<? extends LockListener>> listeners,
			LockLimits limits) {
		this.provider = provider;
		this.listeners = new LockListeners(listeners);
		this.limits = limits;
	}

	/**
	 * Acquire all locks of some requests or none.
	 * @param requests the requests, at least one
	 * @return the lock
	 */
	public LockHandle acquire(Collection<LockRequest> requests) {
		JointRequest joint = joint(requests);
		return (joint != null) ? new JointAcquisition(this, joint).acquire()
				: acquire(requests.iterator().next(), Duration.ZERO);
	}

	/**
	 * Acquire all locks of some requests or none, without a waiting thread.
	 * @param requests the requests, at least one
	 * @return a future of the lock, which withdraws the requests when it is cancelled
	 */
	public CompletableFuture<LockHandle> acquireAsync(Collection<LockRequest> requests) {
		@Nullable JointRequest joint;
		try {
			joint = joint(requests);
		}
		catch (LockKeyException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		return (joint != null) ? new JointAcquisition(this, joint).acquireAsync()
				: acquireAsync(requests.iterator().next(), Duration.ZERO);
	}

	private @Nullable JointRequest joint(Collection<LockRequest> requests) {
		JointRequest.requireAny(requests);
		if (requests.size() == 1) {
			return null;
		}
		JointRequest joint = JointRequest.of(requests);
		this.limits.checkKeys(joint.requests());
		return joint;
	}

	LockHandle acquire(LockRequest request, Duration spent) {
		RequestListeners told = this.listeners.follow(request);
		return orRefused(told, () -> observed(told, this.provider.acquire(request, context(spent, told))));
	}

	CompletableFuture<LockHandle> acquireAsync(LockRequest request, Duration spent) {
		RequestListeners told = this.listeners.follow(request);
		CompletableFuture<LockHandle> acquiring = orRefused(told,
				() -> this.provider.acquireAsync(request, context(spent, told)));
		CompletableFuture<LockHandle> result = new CompletableFuture<>();
		acquiring.thenApply((handle) -> observed(told, handle)).whenComplete((handle, failure) -> {
			if (failure != null) {
				told.refused(Failures.unwrap(failure));
				result.completeExceptionally(Failures.unwrap(failure));
			}
			else if (!result.complete(handle)) {
				LockRun.releaseUnused(handle);
			}
		});
		result.whenComplete((handle, failure) -> {
			if (failure != null) {
				acquiring.cancel(false);
			}
		});
		return result;
	}

	private static <T> T orRefused(RequestListeners told, Supplier<T> request) {
		try {
			return request.get();
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

	/**
	 * Report that a lock will not be requested, since there is no time left.
	 */
	void refused(LockRequest request, LockException failure) {
		this.listeners.follow(request).refused(failure);
	}

	private static LockHandle observed(RequestListeners told, LockHandle handle) {
		return told.isEmpty() ? handle : LockRun.keep(handle, (granted) -> {
			ObservedHandle observed = new ObservedHandle(granted, told);
			told.acquired(observed);
			return observed;
		});
	}

}
