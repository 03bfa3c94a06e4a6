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
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Runs a body under a lock: the programmatic form of {@code @DistributedLock}, which uses
 * the same algorithm. The bean of Spring Boot completes a request with the configuration
 * for its {@linkplain LockRequest#withName name}, where the request itself leaves a value
 * open. It uses {@code zk-lock.locks.<name>.*}, then {@code zk-lock.default-wait}.
 *
 * @since 0.1.0
 */
public interface LockOperations {

	/**
	 * Acquire a lock for the calling thread, see {@link #acquire(Collection)}. The caller
	 * has to release the handle.
	 * @param request the lock to acquire
	 * @return the handle
	 * @throws LockNotAcquiredException if other holders had the lock for the whole
	 * timeout
	 * @throws LockUnavailableException if the backend could not be asked in that time
	 */
	default LockHandle acquire(LockRequest request) {
		return acquire(List.of(request));
	}

	/**
	 * Acquire a lock if other holders leave it within its wait time. A request without a
	 * wait time is one non-blocking attempt.
	 * @param request the lock to acquire
	 * @return the handle, or empty if other holders have the lock
	 * @throws LockUnavailableException if the backend could not be asked in that time
	 */
	default Optional<LockHandle> tryAcquire(LockRequest request) {
		try {
			return Optional.of(acquire(request.withDefaults(Duration.ZERO, null)));
		}
		catch (LockNotAcquiredException ex) {
			return Optional.empty();
		}
	}

	/**
	 * Acquire one lock, or several locks of which all are acquired or none. Each key is
	 * acquired once, in the order of the keys, so that callers do not wait for each
	 * other. The shortest of the timeouts applies. The caller has to release the handle.
	 * The locks belong to the calling thread, which re-enters them. Another thread may
	 * release the handle, but gets an {@link IllegalStateException} if it works with it.
	 * Acquire a lock for another thread with an {@linkplain LockRequest#withOwner owner}
	 * of its own, or with {@link #acquireAsync(Collection)}.
	 * @param requests the locks to acquire, at least one
	 * @return the handle; for several keys one that stands for all of them
	 * @throws LockNotAcquiredException if other holders had a lock for the whole timeout
	 * @throws LockUnavailableException if the backend could not be asked in that time
	 * @throws IllegalArgumentException if there is no request, or a key is requested with
	 * different numbers of permits
	 * @see LockHandle#handles()
	 */
	LockHandle acquire(Collection<LockRequest> requests);

	/**
	 * The same as {@link #acquire(LockRequest)}, without blocking a thread.
	 * @param request the lock to acquire
	 * @return a future of the handle, see {@link #acquireAsync(Collection)}
	 */
	default CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
		return acquireAsync(List.of(request));
	}

	/**
	 * The same as {@link #tryAcquire}, without blocking a thread.
	 * @param request the lock to acquire
	 * @return a future of the handle, or of empty if other holders have the lock.
	 * Cancelling it withdraws the request
	 */
	default CompletableFuture<Optional<LockHandle>> tryAcquireAsync(LockRequest request) {
		return LockTry.of(acquireAsync(request.withDefaults(Duration.ZERO, null)));
	}

	/**
	 * The same as {@link #acquire(Collection)}, without blocking a thread. A request
	 * without an owner re-enters the locks under which the calling thread runs at this
	 * moment. A lock that is new belongs to the handle alone.
	 * @param requests the locks to acquire, at least one
	 * @return a future of the handle, which fails with the exceptions of
	 * {@link #acquire(Collection)}. Cancelling it withdraws the requests
	 */
	CompletableFuture<LockHandle> acquireAsync(Collection<LockRequest> requests);

	/**
	 * Acquire the lock of a key, run the body, release the lock. The same as
	 * {@link #execute(LockRequest, LockCallback)} with {@link LockRequest#of(String)}.
	 * @param <T> the type of the result
	 * @param <E> the type of the exception that the body may throw
	 * @param key the key
	 * @param body what to run under the lock
	 * @return what the body returned
	 * @throws E what the body threw
	 * @throws LockKeyException if the key is not allowed
	 */
	default <T extends @Nullable Object, E extends Throwable> T execute(String key, LockCallback<T, E> body) throws E {
		return execute(LockRequest.of(key), body);
	}

	/**
	 * The same as {@link #execute(String, LockCallback)}, for a body without a result.
	 * @param <E> the type of the exception that the body may throw
	 * @param key the key
	 * @param body what to run under the lock
	 * @throws E what the body threw
	 * @throws LockKeyException if the key is not allowed
	 */
	default <E extends Throwable> void executeWithoutResult(String key, LockAction<E> body) throws E {
		executeWithoutResult(LockRequest.of(key), body);
	}

	/**
	 * The same as {@link #execute(LockRequest, LockCallback)}, for a body without a
	 * result.
	 * @param <E> the type of the exception that the body may throw
	 * @param request the lock to acquire
	 * @param body what to run under the lock
	 * @throws E what the body threw
	 */
	default <E extends Throwable> void executeWithoutResult(LockRequest request, LockAction<E> body) throws E {
		this.<@Nullable Object, E>execute(request, (handle) -> {
			body.doWithLock(handle);
			return null;
		});
	}

	/**
	 * The same as {@link #tryExecute(LockRequest, LockAction)} with
	 * {@link LockRequest#of(String)}: one non-blocking attempt.
	 * @param <E> the type of the exception that the body may throw
	 * @param key the key
	 * @param body what to run under the lock
	 * @return whether the body ran
	 * @throws E what the body threw
	 * @throws LockKeyException if the key is not allowed
	 */
	default <E extends Throwable> boolean tryExecute(String key, LockAction<E> body) throws E {
		return tryExecute(LockRequest.of(key), body);
	}

	/**
	 * Run the body if other holders leave the lock within the wait time. A request
	 * without a wait time is one non-blocking attempt.
	 * @param <E> the type of the exception that the body may throw
	 * @param request the lock to acquire
	 * @param body what to run under the lock
	 * @return whether the body ran
	 * @throws E what the body threw
	 * @throws LockUnavailableException if the backend could not be asked in that time
	 */
	default <E extends Throwable> boolean tryExecute(LockRequest request, LockAction<E> body) throws E {
		return execute(request.withDefaults(Duration.ZERO, null), (handle) -> {
			body.doWithLock(handle);
			return true;
		}, (refusal) -> false);
	}

	/**
	 * Acquire the lock, run the body, release the lock.
	 * @param <T> the type of the result
	 * @param <E> the type of the exception that the body may throw
	 * @param request the lock to acquire
	 * @param body what to run under the lock
	 * @return what the body returned
	 * @throws E what the body threw; a loss of the lock is attached as suppressed
	 * @throws LockNotAcquiredException if other holders had the lock for the whole
	 * timeout
	 * @throws LockUnavailableException if the backend could not be asked in that time
	 * @throws LockLostException if the body returned but had lost its lock before, unless
	 * the request says {@link LossPolicy#IGNORE}
	 */
	default <T extends @Nullable Object, E extends Throwable> T execute(LockRequest request, LockCallback<T, E> body)
			throws E {
		return execute(List.of(request), body);
	}

	/**
	 * Acquire the lock, run the body, release the lock; or, when others held the lock for
	 * the whole wait time, do something else instead. An exception of the same type that
	 * comes out of the body is not mistaken for that.
	 * @param <T> the type of the result
	 * @param <E> the type of the exception that the body may throw
	 * @param request the lock to acquire
	 * @param body what to run under the lock
	 * @param otherwise what to run without the lock
	 * @return what the one that ran returned
	 * @throws E what the body threw
	 * @throws LockUnavailableException if the backend could not be asked in that time
	 * @throws LockLostException if the body returned but had lost its lock before
	 */
	default <T extends @Nullable Object, E extends Throwable> T execute(LockRequest request, LockCallback<T, E> body,
			NotAcquiredCallback<T, E> otherwise) throws E {
		return execute(List.of(request), body, otherwise);
	}

	/**
	 * The same as {@link #executeAsync(LockRequest, Function)} with
	 * {@link LockRequest#of(String)}.
	 * @param <T> the type of the result
	 * @param key the key
	 * @param body what to run under the lock
	 * @return the future
	 * @throws LockKeyException if the key is not allowed
	 */
	default <T extends @Nullable Object> CompletableFuture<T> executeAsync(String key,
			Function<? super LockHandle, ? extends CompletionStage<T>> body) {
		return executeAsync(LockRequest.of(key), body);
	}

	/**
	 * The same as {@link #executeAsync(Collection, Function, Function)} with one lock.
	 * @param <T> the type of the result
	 * @param request the lock to acquire
	 * @param body what to run under the lock
	 * @param otherwise what to run without it, given the {@link LockNotAcquiredException}
	 * or {@link LockUnavailableException}
	 * @return the future
	 */
	default <T extends @Nullable Object> CompletableFuture<T> executeAsync(LockRequest request,
			Function<? super LockHandle, ? extends CompletionStage<T>> body,
			Function<? super LockException, ? extends CompletionStage<T>> otherwise) {
		return executeAsync(List.of(request), body, otherwise);
	}

	/**
	 * Acquire the lock without blocking a thread, run the body, release the lock when the
	 * stage that the body returned has completed.
	 * @param <T> the type of the result
	 * @param request the lock to acquire
	 * @param body what to run under the lock
	 * @return a future that fails as {@link #execute(LockRequest, LockCallback)} throws,
	 * and with every exception of the body. Cancelling it before the lock is granted
	 * withdraws the request. After that neither the body nor its stage is notified, and
	 * the lock stays until the stage completes. Cancelling a stage would complete it
	 * while its work may continue. To stop the work, signal it in another way, and let
	 * the stage complete when it has stopped
	 */
	default <T extends @Nullable Object> CompletableFuture<T> executeAsync(LockRequest request,
			Function<? super LockHandle, ? extends CompletionStage<T>> body) {
		return executeAsync(List.of(request), body);
	}

	/**
	 * The same as {@link #tryExecute(String, LockAction)}, without blocking a thread.
	 * @param <T> the type of what the stage returns, which is not used
	 * @param key the key
	 * @param body what to run under the lock
	 * @return a future of whether the body ran, see
	 * {@link #tryExecuteAsync(LockRequest, Function)}
	 * @throws LockKeyException if the key is not allowed
	 */
	default <T extends @Nullable Object> CompletableFuture<Boolean> tryExecuteAsync(String key,
			Function<? super LockHandle, ? extends CompletionStage<T>> body) {
		return tryExecuteAsync(LockRequest.of(key), body);
	}

	/**
	 * The same as {@link #tryExecute(LockRequest, LockAction)}, without blocking a
	 * thread.
	 * @param <T> the type of what the stage returns, which is not used
	 * @param request the lock to acquire
	 * @param body what to run under the lock, which ends with the stage that it returns
	 * @return a future of whether the body ran. Failures and cancellation are the same as
	 * with {@link #executeAsync(LockRequest, Function)}
	 */
	default <T extends @Nullable Object> CompletableFuture<Boolean> tryExecuteAsync(LockRequest request,
			Function<? super LockHandle, ? extends CompletionStage<T>> body) {
		return LockTry.run(this, request.withDefaults(Duration.ZERO, null), body);
	}

	/**
	 * The same as {@link #execute(LockRequest, LockCallback)} with several locks, which
	 * are acquired as with {@link #acquire(Collection)}.
	 * @param <T> the type of the result
	 * @param <E> the type of the exception that the body may throw
	 * @param requests the locks to acquire, at least one; the first says what happens
	 * when one of them is lost
	 * @param body what to run under the locks
	 * @return what the body returned
	 * @throws E what the body threw
	 */
	<T extends @Nullable Object, E extends Throwable> T execute(Collection<LockRequest> requests,
			LockCallback<T, E> body) throws E;

	/**
	 * The same as {@link #execute(LockRequest, LockCallback, NotAcquiredCallback)} with
	 * several locks, which are acquired as with {@link #acquire(Collection)}.
	 * @param <T> the type of the result
	 * @param <E> the type of the exception that the body may throw
	 * @param requests the locks to acquire, at least one; the first says what happens
	 * when one of them is lost
	 * @param body what to run under the locks
	 * @param otherwise what to run without them
	 * @return what the one that ran returned
	 * @throws E what the body threw
	 */
	<T extends @Nullable Object, E extends Throwable> T execute(Collection<LockRequest> requests,
			LockCallback<T, E> body, NotAcquiredCallback<T, E> otherwise) throws E;

	/**
	 * The same as {@link #executeAsync(LockRequest, Function)} with several locks, which
	 * are acquired as with {@link #acquireAsync(Collection)}.
	 * @param <T> the type of the result
	 * @param requests the locks to acquire, at least one; the first says what happens
	 * when one of them is lost
	 * @param body what to run under the locks
	 * @return the future
	 */
	<T extends @Nullable Object> CompletableFuture<T> executeAsync(Collection<LockRequest> requests,
			Function<? super LockHandle, ? extends CompletionStage<T>> body);

	/**
	 * The same as {@link #executeAsync(Collection, Function)}, with another result when
	 * others held a lock for the whole timeout. That result also applies when the backend
	 * could not be asked in that time.
	 * @param <T> the type of the result
	 * @param requests the locks to acquire, at least one; the first says what happens
	 * when one of them is lost
	 * @param body what to run under the locks
	 * @param otherwise what to run without them, given the
	 * {@link LockNotAcquiredException} or {@link LockUnavailableException}
	 * @return the future
	 */
	<T extends @Nullable Object> CompletableFuture<T> executeAsync(Collection<LockRequest> requests,
			Function<? super LockHandle, ? extends CompletionStage<T>> body,
			Function<? super LockException, ? extends CompletionStage<T>> otherwise);

	/**
	 * Return a key as a {@link java.util.concurrent.locks.Lock}, in
	 * {@link LockMode#EXCLUSIVE}, for code that requires one. {@link #execute} needs no
	 * {@code finally}, reports a loss without hiding what the body threw, and supports
	 * all values of a {@link LockRequest}.
	 * @param key the key
	 * @return the lock
	 * @throws LockKeyException if the key is not allowed
	 */
	default LockView asLock(String key) {
		return new LockView(this, LockRequest.of(key));
	}

	/**
	 * Return a key as a {@link java.util.concurrent.locks.ReadWriteLock}.
	 * @param key the key
	 * @return the lock
	 * @throws LockKeyException if the key is not allowed
	 */
	default LockView.ReadWrite asReadWriteLock(String key) {
		return new LockView.ReadWrite(this, key);
	}

}
