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

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The algorithm of every lock: acquire, run, release, outcome. The outcome of the body
 * has priority: an exception of the body is never replaced by one of the lock. Thread
 * safe.
 *
 * @since 0.1.0
 */
public class LockTemplate implements LockOperations {

	private static final Logger logger = LoggerFactory.getLogger(LockTemplate.class);

	private final ObservedLocks locks;

	/**
	 * Create a template without listeners.
	 * @param provider where locks come from
	 */
	public LockTemplate(LockProvider provider) {
		this(provider, List.of());
	}

	/**
	 * Create a template.
	 * @param provider where locks come from
	 * @param listeners who is told about locks, in this order
	 */
	public LockTemplate(LockProvider provider, List<? extends LockListener> listeners) {
		this.locks = new ObservedLocks(provider, new LockListeners(listeners));
	}

	@Override
	public LockHandle acquire(Collection<LockRequest> requests) {
		return (requests.size() == 1) ? this.locks.acquire(requests.iterator().next())
				: new JointAcquisition(this.locks, JointRequest.of(requests)).acquire();
	}

	@Override
	public CompletableFuture<LockHandle> acquireAsync(Collection<LockRequest> requests) {
		return (requests.size() == 1) ? this.locks.acquireAsync(requests.iterator().next())
				: new JointAcquisition(this.locks, JointRequest.of(requests)).acquireAsync();
	}

	@Override
	public <T extends @Nullable Object, E extends Throwable> T execute(Collection<LockRequest> requests,
			LockCallback<T, E> body) throws E {
		return run(acquire(requests), onLost(requests), body);
	}

	@Override
	public <T extends @Nullable Object, E extends Throwable> T execute(Collection<LockRequest> requests,
			LockCallback<T, E> body, NotAcquiredCallback<T, E> otherwise) throws E {
		LockHandle handle;
		try {
			handle = acquire(requests);
		}
		catch (LockNotAcquiredException ex) {
			return otherwise.doWithoutLock(ex);
		}
		return run(handle, onLost(requests), body);
	}

	@Override
	public <T extends @Nullable Object> CompletableFuture<T> executeAsync(Collection<LockRequest> requests,
			Function<? super LockHandle, ? extends CompletionStage<T>> body) {
		CompletableFuture<T> result = new CompletableFuture<>();
		CompletableFuture<LockHandle> acquiring = acquireAsync(requests);
		acquiring.whenComplete((handle, failure) -> {
			if (failure != null) {
				result.completeExceptionally(Failures.unwrap(failure));
			}
			else if (result.isDone()) {
				handle.releaseAsync();
			}
			else {
				runAsync(handle, onLost(requests), body, result);
			}
		});
		result.whenComplete((value, failure) -> {
			if (result.isCancelled()) {
				acquiring.cancel(false);
			}
		});
		return result;
	}

	private <T extends @Nullable Object, E extends Throwable> T run(LockHandle handle, OnLost onLost,
			LockCallback<T, E> body) throws E {
		T result;
		try {
			result = LockScope.call(handle, onLost, body);
		}
		catch (Throwable ex) {
			Failures.suppress(ex, released(handle));
			throw ex;
		}
		LockLostException loss = released(handle);
		if (loss != null && onLost != OnLost.IGNORE) {
			throw loss;
		}
		return result;
	}

	private <T extends @Nullable Object> void runAsync(LockHandle handle, OnLost onLost,
			Function<? super LockHandle, ? extends CompletionStage<T>> body, CompletableFuture<T> result) {
		CompletionStage<T> stage;
		// The thread that begins the body is not the body's own.
		OnLost here = (onLost == OnLost.INTERRUPT) ? OnLost.FAIL_AT_EXIT : onLost;
		try {
			stage = LockScope.call(handle, here,
					(held) -> Objects.requireNonNull(body.apply(held), "The body returned no stage"));
		}
		catch (Throwable ex) {
			stage = CompletableFuture.failedFuture(ex);
		}
		stage.whenComplete((value, failure) -> handle.releaseAsync().whenComplete((released, ignored) -> {
			LockLostException loss = loss(handle);
			if (failure != null) {
				Throwable outcome = Failures.unwrap(failure);
				Failures.suppress(outcome, loss);
				result.completeExceptionally(outcome);
			}
			else if (loss != null && onLost != OnLost.IGNORE) {
				result.completeExceptionally(loss);
			}
			else {
				result.complete(value);
			}
		}));
	}

	private static OnLost onLost(Collection<LockRequest> requests) {
		return requests.iterator().next().onLost();
	}

	private static @Nullable LockLostException released(LockHandle handle) {
		try {
			handle.release();
		}
		catch (RuntimeException ex) {
			logger.error("{} was not released: its provider must not throw, but did", handle, ex);
		}
		return loss(handle);
	}

	private static @Nullable LockLostException loss(LockHandle handle) {
		for (LockHandle each : handle.handles()) {
			if (each.state() == LockState.LOST) {
				return new LockLostException(each.key(), each.mode(), LockState.LOST);
			}
		}
		return null;
	}

}
