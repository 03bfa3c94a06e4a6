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
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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

	private final LockProvider provider;

	private final LockListeners listeners;

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
		this.provider = provider;
		this.listeners = new LockListeners(listeners);
	}

	@Override
	public <T extends @Nullable Object, E extends Throwable> T execute(LockRequest request, LockCallback<T, E> body)
			throws E {
		return run(acquire(request), body);
	}

	@Override
	public <T extends @Nullable Object, E extends Throwable> T execute(LockRequest request, LockCallback<T, E> body,
			NotAcquiredCallback<T, E> otherwise) throws E {
		Tenure tenure;
		try {
			tenure = acquire(request);
		}
		catch (LockNotAcquiredException ex) {
			return otherwise.doWithoutLock(ex);
		}
		return run(tenure, body);
	}

	@Override
	public <T extends @Nullable Object> CompletableFuture<T> executeAsync(LockRequest request,
			Function<? super LockHandle, ? extends CompletionStage<T>> body) {
		long start = System.nanoTime();
		CompletableFuture<T> result = new CompletableFuture<>();
		CompletableFuture<LockHandle> acquiring = this.provider.acquireAsync(request);
		acquiring.whenComplete((handle, failure) -> {
			if (failure != null) {
				result.completeExceptionally(refused(request, unwrap(failure)));
			}
			else if (result.isDone()) {
				handle.releaseAsync();
			}
			else {
				runAsync(acquired(request, handle, start), body, result);
			}
		});
		result.whenComplete((value, failure) -> {
			if (result.isCancelled()) {
				acquiring.cancel(false);
			}
		});
		return result;
	}

	private Tenure acquire(LockRequest request) {
		long start = System.nanoTime();
		try {
			return acquired(request, this.provider.acquire(request), start);
		}
		catch (LockException ex) {
			refused(request, ex);
			throw ex;
		}
	}

	private Tenure acquired(LockRequest request, LockHandle handle, long start) {
		long now = System.nanoTime();
		this.listeners.tell((listener) -> listener.acquired(request, handle, Duration.ofNanos(now - start)));
		handle.onLost((lost) -> this.listeners.tell((listener) -> listener.lost(request, lost)));
		return new Tenure(request, handle, now);
	}

	private Throwable refused(LockRequest request, Throwable failure) {
		if (failure instanceof LockException exception) {
			this.listeners.tell((listener) -> listener.notAcquired(request, exception));
		}
		return failure;
	}

	private <T extends @Nullable Object, E extends Throwable> T run(Tenure tenure, LockCallback<T, E> body) throws E {
		LockHandle previous = CurrentLock.set(tenure.handle);
		T result;
		try {
			result = body.doWithLock(tenure.handle);
		}
		catch (Throwable ex) {
			CurrentLock.set(previous);
			suppress(ex, ended(tenure));
			throw ex;
		}
		CurrentLock.set(previous);
		LockLostException loss = ended(tenure);
		if (loss != null) {
			throw loss;
		}
		return result;
	}

	private <T extends @Nullable Object> void runAsync(Tenure tenure,
			Function<? super LockHandle, ? extends CompletionStage<T>> body, CompletableFuture<T> result) {
		LockHandle previous = CurrentLock.set(tenure.handle);
		CompletionStage<T> stage;
		try {
			stage = Objects.requireNonNull(body.apply(tenure.handle), "The body returned no stage");
		}
		catch (Throwable ex) {
			stage = CompletableFuture.failedFuture(ex);
		}
		finally {
			CurrentLock.set(previous);
		}
		stage.whenComplete((value, failure) -> tenure.handle.releaseAsync().whenComplete((released, ignored) -> {
			LockLostException loss = ended(tenure);
			if (failure != null) {
				Throwable outcome = unwrap(failure);
				suppress(outcome, loss);
				result.completeExceptionally(outcome);
			}
			else if (loss != null) {
				result.completeExceptionally(loss);
			}
			else {
				result.complete(value);
			}
		}));
	}

	private @Nullable LockLostException ended(Tenure tenure) {
		try {
			tenure.handle.release();
		}
		catch (RuntimeException ex) {
			logger.error("{} was not released: its provider must not throw, but did", tenure.handle, ex);
		}
		Duration held = Duration.ofNanos(System.nanoTime() - tenure.since);
		LockHandle handle = tenure.handle;
		this.listeners.tell((listener) -> listener.released(tenure.request, handle, held));
		LockState state = handle.state();
		return (state == LockState.LOST) ? new LockLostException(handle.key(), handle.mode(), state) : null;
	}

	private static void suppress(Throwable outcome, @Nullable LockLostException loss) {
		if (loss != null) {
			outcome.addSuppressed(loss);
		}
	}

	private static Throwable unwrap(Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

	private record Tenure(LockRequest request, LockHandle handle, long since) {
	}

}
