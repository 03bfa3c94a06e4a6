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

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.github.zklock.core.internal.LockScope;
import org.jspecify.annotations.Nullable;

/**
 * A lock that was acquired. Any thread may read its state and release it. A handle that
 * {@link LockOperations#acquire(LockRequest) acquire} returned belongs to the calling
 * thread. Another thread gets an {@link IllegalStateException} if it requests the token,
 * asserts that the lock is held or registers a listener. A handle of
 * {@code acquireAsync}, of a body, or of a request with an
 * {@linkplain LockRequest#withOwner owner} is not bound to a thread.
 * <p>
 * There is no lease time to choose or to extend: the lock lives until it is released or
 * its session ends. No lock service can keep two bodies from overlapping when a process
 * is paused for longer than its session lives. A resource that must be safe even then
 * compares the {@linkplain #fencingToken() fencing token}.
 *
 * @since 0.1.0
 * @see <a href=
 * "https://martin.kleppmann.com/2016/02/08/how-to-do-distributed-locking.html"> How to do
 * distributed locking</a>
 */
public interface LockHandle extends AutoCloseable {

	/**
	 * Return the key of the lock, as it was requested.
	 * @return the key
	 */
	String key();

	/**
	 * Return the mode that was requested. A {@link LockMode#READ} request nested in a
	 * {@link LockMode#WRITE} lock says {@code READ}.
	 * @return the mode
	 */
	LockMode mode();

	/**
	 * Return the fencing token: a positive number, greater for every later holder of the
	 * key that excludes this one. Holders that share the key, through
	 * {@link LockMode#READ} or {@linkplain LockRequest#permits() permits}, have a token
	 * of their own each. They do not exclude each other, so a resource that compares
	 * tokens must not accept only the greatest one. Nested handles share the token of the
	 * outermost one. With ZooKeeper it is made of the {@code czxid} of the lock's node
	 * and a count of the holders that used that node.
	 * @return the fencing token
	 * @throws IllegalStateException if this handle stands for several keys: each of its
	 * {@link #handles()} has a token
	 */
	long fencingToken();

	/**
	 * Return the handles of the single locks, in the order in which they were acquired,
	 * if this one stands for several keys.
	 * @return the handles; this one for a single key
	 */
	default List<LockHandle> handles() {
		return List.of(this);
	}

	/**
	 * Return what is known about the lock at this moment, without any I/O.
	 * @return the state
	 */
	LockState state();

	/**
	 * Return why the lock was lost.
	 * @return the reason, or {@code null} if the lock was not lost or that is not known
	 */
	default @Nullable LockLoss loss() {
		return null;
	}

	/**
	 * Return whether the lock is known to be held at this moment, without any I/O.
	 * @return {@code true} when the state is {@link LockState#HELD}
	 */
	default boolean isHeld() {
		return state() == LockState.HELD;
	}

	/**
	 * Check that the lock is held: the call to make before each irrevocable step of a
	 * long body.
	 * @throws LockLostException if the state is not {@link LockState#HELD}
	 */
	default void assertHeld() {
		LockState state = state();
		if (state != LockState.HELD) {
			throw new LockLostException(this, state);
		}
	}

	/**
	 * Return a future of the state that completes when the state is not
	 * {@link LockState#UNCERTAIN}: when the connection is back, or when the lock is lost.
	 * The provider bounds the wait. By default the future is complete.
	 * @return a future that never fails; its state is {@link LockState#UNCERTAIN} if the
	 * wait has ended without an answer
	 */
	default CompletableFuture<LockState> whenCertain() {
		return CompletableFuture.completedFuture(state());
	}

	/**
	 * Register a listener that is notified once when the lock is lost. It runs on a
	 * thread of the provider, never on one of ZooKeeper's; at once if the lock is lost
	 * already.
	 * @param listener the listener, called with this handle
	 */
	void onLost(Consumer<? super LockHandle> listener);

	/**
	 * Release the lock. Returns when the lock is free for others, or after a short bound
	 * when the backend does not answer. In that case the release is repeated in the
	 * background until it succeeds. Locks that are released without waiting for the
	 * backend may become free in another order. The request may have said how long the
	 * key stays taken {@linkplain LockRequest#lockAtLeastFor() at least}. If that time is
	 * not over, this method returns at once, and the key becomes free when it is. Has no
	 * effect on a lock that is released or lost; never throws because of the backend.
	 */
	void release();

	/**
	 * Release the lock without waiting for the backend.
	 * @return a future that completes, never exceptionally, under the conditions under
	 * which {@link #release()} returns
	 */
	CompletableFuture<Void> releaseAsync();

	/**
	 * The same as {@link #release()}, for {@code try}-with-resources. It throws nothing
	 * if the lock was lost, but logs a warning, unless {@link #assertHeld()} has thrown.
	 * {@link LockOperations#execute(LockRequest, LockCallback) LockOperations.execute}
	 * reports each loss with a {@link LockLostException}.
	 */
	@Override
	default void close() {
		release();
	}

	/**
	 * Return this lock as a type of its provider, for what only that provider can do.
	 * @param <T> the type
	 * @param type the type
	 * @return the lock, or {@code null} if it is of no such type
	 */
	default <T> @Nullable T unwrap(Class<T> type) {
		return type.isInstance(this) ? type.cast(this) : null;
	}

	/**
	 * Run a body under this lock, so that {@link #current()} returns the lock and commits
	 * of the body check it. Does not release the lock. Not needed inside the body of
	 * {@link LockOperations#execute(LockRequest, LockCallback) LockOperations.execute}.
	 * @param <T> the type of the result
	 * @param <E> the exception that the body declares
	 * @param body the body
	 * @return what the body returns
	 * @throws E what the body throws
	 * @throws IllegalStateException if the lock belongs to another thread
	 */
	default <T extends @Nullable Object, E extends Throwable> T call(LockCallback<T, E> body) throws E {
		return LockScope.call(this, body);
	}

	/**
	 * Return a task that runs under the locks of the calling thread, on any thread. The
	 * locks must be held until the task has ended. Suits Spring's {@code TaskDecorator}.
	 * @param task the task
	 * @return the task under the locks, or the task itself if the calling thread runs
	 * under no lock
	 */
	static Runnable propagate(Runnable task) {
		LockScope scope = LockScope.ofThread();
		return (scope != null) ? () -> scope.run(task) : task;
	}

	/**
	 * Return the handle of the innermost lock under which the calling thread runs, as set
	 * by {@link LockTemplate} and therefore by {@code @DistributedLock}.
	 * @return the current handle
	 * @throws IllegalStateException if the calling thread does not run under a lock
	 */
	static LockHandle current() {
		LockHandle handle = LockScope.current();
		if (handle == null) {
			throw new IllegalStateException("Thread '" + Thread.currentThread().getName()
					+ "' does not run under a lock: call LockHandle.current() inside a method annotated with "
					+ "@DistributedLock or inside a LockTemplate callback, on the thread that entered it. A publisher or "
					+ "a future does its work on other threads: give the method a parameter of type LockHandle");
		}
		return handle;
	}

}
