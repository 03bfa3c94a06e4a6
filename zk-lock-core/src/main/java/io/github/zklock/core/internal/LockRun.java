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

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import io.github.zklock.core.LockCallback;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.LossPolicy;
import io.github.zklock.core.spi.UnusedRelease;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The algorithm of every lock: begin, run, release, finish. Blocking, transactional,
 * asynchronous and reactive calls differ in the thread on which each step runs and in the
 * moment of the release. A run is for one call. Internal: only zk-lock itself uses it.
 *
 * @since 0.1.0
 */
public final class LockRun {

	private static final Logger logger = LoggerFactory.getLogger(LockRun.class);

	// Linked while there is enough stack for that.
	private static final Function<LockHandle, CompletableFuture<Void>> BLOCKING = (handle) -> {
		handle.release();
		return CompletableFuture.completedFuture(null);
	};

	private static final Function<LockHandle, CompletableFuture<Void>> ASYNC = LockHandle::releaseAsync;

	private static final Function<LockHandle, CompletableFuture<Void>> UNUSED = UnusedRelease::of;

	private final Collection<LockRequest> requests;

	private final Object owner;

	private final LossPolicy onLost;

	private final @Nullable LockScope outer;

	private volatile @Nullable LockScope scope;

	private volatile boolean cancelled;

	private LockRun(Collection<LockRequest> requests, Object owner, @Nullable LockScope outer) {
		JointRequest.requireAny(requests);
		this.requests = requests;
		this.owner = owner;
		this.onLost = requests.iterator().next().onLost();
		this.outer = outer;
	}

	/**
	 * Create a run on the calling thread, which owns the locks.
	 * @param requests the requests, at least one
	 * @return the run
	 */
	public static LockRun ofThread(Collection<LockRequest> requests) {
		return new LockRun(requests, Thread.currentThread(), LockScope.ofThread());
	}

	/**
	 * Create a run that continues on other threads.
	 * @param requests the requests, at least one
	 * @param outer the scope around the run
	 * @return the run
	 */
	public static LockRun detached(Collection<LockRequest> requests, @Nullable LockScope outer) {
		return new LockRun(requests, new Object(), outer);
	}

	/**
	 * Begin with the acquire of the locks.
	 * @param operations what acquires
	 * @return the lock
	 */
	public LockHandle begin(LockOperations operations) {
		return keep(operations.acquire(LockOwners.own(this.requests, this.owner, this.outer)), this::entered);
	}

	/**
	 * Take the first step with a lock that was granted just now. If the step fails, its
	 * caller never gets the lock, so it is released.
	 * @param granted the lock
	 * @param step the step
	 * @return what the step returned
	 */
	public static LockHandle keep(LockHandle granted, UnaryOperator<LockHandle> step) {
		try {
			return step.apply(granted);
		}
		catch (Throwable ex) {
			releaseUnused(granted);
			throw ex;
		}
	}

	/**
	 * Begin with the acquire of the locks, in the scope around the run, even if its
	 * thread is another one.
	 * @param operations what acquires
	 * @return a future of the lock, which withdraws the requests when it is cancelled
	 */
	public CompletableFuture<LockHandle> beginAsync(LockOperations operations) {
		Collection<LockRequest> owned = LockOwners.own(this.requests, this.owner, this.outer);
		return (this.outer == null || this.outer == LockScope.ofThread()) ? operations.acquireAsync(owned)
				: this.outer.call((held) -> operations.acquireAsync(owned));
	}

	/**
	 * Continue when the locks are acquired or refused. The caller does not run a body
	 * with a lock that it gets while it still calls this.
	 * @param acquiring the future of the lock
	 * @param granted takes the lock
	 * @param refused takes the failure
	 */
	public static void whenAcquired(CompletableFuture<LockHandle> acquiring, Consumer<LockHandle> granted,
			Consumer<Throwable> refused) {
		Thread caller = Thread.currentThread();
		// Only the caller writes it, and only there its value counts.
		boolean[] calling = { true };
		acquiring.whenComplete((handle, failure) -> {
			if (failure != null) {
				refused.accept(Failures.unwrap(failure));
			}
			// A lock that is turned off costs no thread.
			else if (calling[0] && Thread.currentThread() == caller && !NoOpLockProvider.isTurnedOff(handle)) {
				BodyThread.run(granted, handle);
			}
			else {
				granted.accept(handle);
			}
		});
		calling[0] = false;
	}

	/**
	 * Enter the run after {@link #beginAsync}.
	 * @param handle the lock
	 * @return the lock
	 */
	public LockHandle entered(LockHandle handle) {
		// A thread that only begins a body is not interrupted for it.
		boolean foreign = this.onLost == LossPolicy.INTERRUPT && !(this.owner instanceof Thread);
		this.scope = new LockScope(handle, this.requests, this.owner, foreign ? LossPolicy.FAIL_AT_EXIT : this.onLost,
				this.outer);
		return handle;
	}

	/**
	 * Call a body in the scope of the lock.
	 * @param <T> the type of the result
	 * @param <E> the type of the exception that the body may throw
	 * @param body what to call
	 * @return what the body returned
	 * @throws E what the body threw
	 */
	public <T extends @Nullable Object, E extends Throwable> T call(LockCallback<T, E> body) throws E {
		return scope().call(body);
	}

	/**
	 * Call a body, release the lock and finish.
	 * @param <T> the type of the result
	 * @param <E> the type of the exception that the body may throw
	 * @param body what to call
	 * @return what the body returned
	 * @throws E what the body threw
	 */
	public <T extends @Nullable Object, E extends Throwable> T execute(LockCallback<T, E> body) throws E {
		return execute(body, true);
	}

	/**
	 * Call a body and finish, and leave the release to others.
	 * @param <T> the type of the result
	 * @param <E> the type of the exception that the body may throw
	 * @param body what to call
	 * @return what the body returned
	 * @throws E what the body threw
	 */
	public <T extends @Nullable Object, E extends Throwable> T executeHeld(LockCallback<T, E> body) throws E {
		return execute(body, false);
	}

	private <T extends @Nullable Object, E extends Throwable> T execute(LockCallback<T, E> body, boolean releases)
			throws E {
		T result;
		try {
			result = call(body);
		}
		catch (Throwable ex) {
			try {
				WorkRecords.failed(handle(), ex);
			}
			finally {
				end(releases);
			}
			finish(ex);
			throw ex;
		}
		end(releases);
		LockLostException loss = finish();
		if (loss != null) {
			throw loss;
		}
		return result;
	}

	private void end(boolean releases) {
		if (releases) {
			release(handle());
		}
	}

	/**
	 * Release a lock, on another thread if this one has no stack left for it.
	 * @param handle the lock
	 */
	public static void release(LockHandle handle) {
		release(handle, BLOCKING);
	}

	/**
	 * Release a lock that was not used, on another thread if this one has no stack left
	 * for it.
	 * @param handle the lock
	 */
	static void releaseUnused(LockHandle handle) {
		release(handle, UNUSED);
	}

	/**
	 * Release a lock, on another thread if this one has no stack left for it. For the end
	 * of a future or publisher, which keeps to itself what is thrown there.
	 * @param handle the lock
	 * @return a future that ends with the release, and never fails
	 */
	public static CompletableFuture<Void> releaseAsync(LockHandle handle) {
		CompletableFuture<Void> released = new CompletableFuture<>();
		release(handle, ASYNC).whenComplete((done, failure) -> released.complete(null));
		return released;
	}

	private static CompletableFuture<Void> release(LockHandle handle,
			Function<LockHandle, CompletableFuture<Void>> way) {
		try {
			return way.apply(handle);
		}
		catch (Throwable ex) {
			CompletableFuture<Void> released = new CompletableFuture<>();
			BodyThread.run((held) -> {
				Throwable failure = Failures.thrownBy(() -> way.apply(held).join());
				if (failure != null) {
					logger.error(Failures.NOT_RELEASED, held, failure);
				}
				released.complete(null);
			}, handle);
			return released;
		}
	}

	/**
	 * Finish a run whose body ended without a failure.
	 * @return the loss of the lock with which the call fails, or {@code null}
	 */
	public @Nullable LockLostException finish() {
		return (this.onLost != LossPolicy.IGNORE) ? loss() : null;
	}

	/**
	 * Finish a run whose body failed: its failure is the one of the call, and a loss of
	 * the lock is suppressed in it. Only a body that was cancelled because of the loss
	 * fails with the loss.
	 * @param failure the failure of the body
	 * @return the failure of the call
	 */
	public Throwable finish(Throwable failure) {
		LockLostException loss = loss();
		if (loss != null && this.cancelled && failure instanceof CancellationException) {
			return loss;
		}
		// The advice of two losses could differ.
		if (loss != null && !(failure instanceof LockLostException)) {
			failure.addSuppressed(loss);
		}
		return failure;
	}

	private @Nullable LockLostException loss() {
		LockScope begun = this.scope;
		return (begun != null) ? LockLostException.of(begun.handle()) : null;
	}

	/**
	 * Cancel the future of a body when the lock is lost, if the policy says so.
	 * @param body the future
	 */
	void cancelOnLoss(Future<?> body) {
		LockScope begun = this.scope;
		if (begun != null && this.onLost == LossPolicy.INTERRUPT) {
			begun.handle().onLost((lost) -> {
				this.cancelled = !body.isDone();
				body.cancel(true);
			});
		}
	}

	/**
	 * Return whether a call was refused its lock, so that its body did not begin.
	 * @param failure why {@link #begin} failed
	 * @return whether other holders have the lock, or the backend could not be asked
	 */
	public static boolean isRefusal(Throwable failure) {
		return failure instanceof LockNotAcquiredException || failure instanceof LockUnavailableException;
	}

	/**
	 * Return what happens when the lock is lost.
	 * @return the policy of the first request
	 */
	public LossPolicy onLost() {
		return this.onLost;
	}

	/**
	 * Return the entries of the context of a chain of asynchronous calls in this run.
	 * @return the entries
	 */
	public Map<Object, Object> context() {
		return ObservedHandle.context(handle());
	}

	/**
	 * Return the scope of the run.
	 * @return the scope
	 * @throws IllegalStateException if the run has not begun
	 */
	public LockScope scope() {
		LockScope begun = this.scope;
		if (begun == null) {
			throw new IllegalStateException("The run has not begun");
		}
		return begun;
	}

	private LockHandle handle() {
		return scope().handle();
	}

}
