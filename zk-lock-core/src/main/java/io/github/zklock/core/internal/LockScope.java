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

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import io.github.zklock.core.LockCallback;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.LossPolicy;
import org.jspecify.annotations.Nullable;

/**
 * The locks under which a thread or a chain of asynchronous calls runs, from the
 * innermost to the outermost. They are set by {@link LockTemplate} and therefore by
 * {@code @DistributedLock}; a caller that takes a lock with
 * {@link LockOperations#acquire} can set it with {@link #call(LockHandle, LockCallback)}.
 * A thread forgets its scope when it leaves the body; a body that continues on another
 * thread can carry the scope, which is immutable.
 *
 * @since 0.1.0
 * @see LockHandle#current()
 */
public final class LockScope {

	private static final ThreadLocal<@Nullable LockScope> CURRENT = new ThreadLocal<>();

	private final LockHandle handle;

	private final Collection<LockRequest> requests;

	private final @Nullable Object owner;

	private final LossPolicy onLost;

	private final @Nullable LockScope outer;

	/**
	 * Create a scope. No thread runs in it until it is {@linkplain #call(LockCallback)
	 * called}.
	 * @param handle the lock
	 * @param requests the requests for the lock
	 * @param owner the owner of requests without an owner, if others in this scope may
	 * re-enter the lock
	 * @param onLost what happens when the lock is lost while a thread runs in the scope
	 * @param outer the scope around this one, whose locks count as long as they are not
	 * released
	 */
	public LockScope(LockHandle handle, Collection<LockRequest> requests, @Nullable Object owner, LossPolicy onLost,
			@Nullable LockScope outer) {
		this.handle = handle;
		this.requests = requests;
		this.owner = owner;
		this.onLost = onLost;
		this.outer = unreleased(outer);
	}

	// An asynchronous call may begin after its caller has left.
	private static @Nullable LockScope unreleased(@Nullable LockScope scope) {
		LockScope found = scope;
		while (found != null && found.handle.state() == LockState.RELEASED) {
			found = found.outer;
		}
		return found;
	}

	/**
	 * Return the scope in which the calling thread runs.
	 * @return the scope, or {@code null} if the thread runs under no lock
	 */
	public static @Nullable LockScope ofThread() {
		return CURRENT.get();
	}

	/**
	 * Enter a scope that a chain of asynchronous calls has carried to the calling thread.
	 * @param scope the scope, or {@code null} for none
	 */
	public static void enter(@Nullable LockScope scope) {
		if (scope != null) {
			CURRENT.set(scope);
		}
		else {
			CURRENT.remove();
		}
	}

	/**
	 * Return whether the calling thread may enter the scope. It may if the scope belongs
	 * to a chain of asynchronous calls, or to this thread, and its lock is not released.
	 * @return whether it may
	 */
	public boolean isOpenToThread() {
		return this == CURRENT.get() || this.handle.state() != LockState.RELEASED
				&& ((this.owner instanceof Thread) ? this.owner == Thread.currentThread() : this.owner != null);
	}

	/**
	 * Call a body with a lock as the current one of the calling thread. The lock is
	 * neither acquired nor released.
	 * @param <T> the type of the result
	 * @param <E> the type of the exception that the body may throw
	 * @param handle the lock
	 * @param body what to call
	 * @return what the body returned
	 * @throws E what the body threw
	 */
	public static <T extends @Nullable Object, E extends Throwable> T call(LockHandle handle, LockCallback<T, E> body)
			throws E {
		// A thread must not run under the lock of another thread.
		handle.handles().forEach(LockHandle::fencingToken);
		return new LockScope(handle, List.of(), null, LossPolicy.FAIL_AT_EXIT, CURRENT.get()).call(body);
	}

	/**
	 * Call a body with this scope as the scope of the calling thread. Interrupt the
	 * thread when the lock is lost, if that is wanted. The lock is neither acquired nor
	 * released, and a loss is not thrown when the body returns.
	 * @param <T> the type of the result
	 * @param <E> the type of the exception that the body may throw
	 * @param body what to call
	 * @return what the body returned
	 * @throws E what the body threw
	 */
	public <T extends @Nullable Object, E extends Throwable> T call(LockCallback<T, E> body) throws E {
		LockScope before = CURRENT.get();
		CURRENT.set(this);
		// The thread must not seem to be under this lock after any exception.
		try {
			return callObserved(body);
		}
		finally {
			enter(before);
		}
	}

	/**
	 * Run a task in this scope.
	 * @param task the task
	 */
	public void run(Runnable task) {
		this.<@Nullable Object, RuntimeException>call((held) -> {
			task.run();
			return null;
		});
	}

	private <T extends @Nullable Object, E extends Throwable> T callObserved(LockCallback<T, E> body) throws E {
		try (Presence presence = new Presence()) {
			presence.begin(this.handle);
			if (this.onLost != LossPolicy.INTERRUPT) {
				return body.doWithLock(this.handle);
			}
			try (LossInterrupt interrupt = LossInterrupt.on((notice) -> this.handle.onLost((lost) -> notice.run()))) {
				return body.doWithLock(this.handle);
			}
		}
	}

	/**
	 * Check all locks under which the calling thread runs, except those that
	 * {@linkplain LossPolicy#IGNORE ignore} a loss; without a lock there is nothing to
	 * check. To be called before the work of the thread becomes irrevocable, for example
	 * before the commit of a transaction.
	 * @throws LockLostException if one of them is not known to be held
	 */
	public static void assertHeld() {
		for (LockScope scope = CURRENT.get(); scope != null; scope = scope.outer) {
			if (scope.onLost != LossPolicy.IGNORE) {
				scope.handle.assertHeld();
			}
		}
	}

	/**
	 * Return the locks of this scope and of the scopes around it, except those that
	 * {@linkplain LossPolicy#IGNORE ignore} a loss.
	 * @return the locks, starting with the innermost scope
	 */
	public List<LockHandle> locks() {
		List<LockHandle> locks = new ArrayList<>();
		for (LockScope scope = this; scope != null; scope = scope.outer) {
			if (scope.onLost != LossPolicy.IGNORE) {
				locks.addAll(scope.handle.handles());
			}
		}
		return locks;
	}

	LockHandle handle() {
		return this.handle;
	}

	Collection<LockRequest> requests() {
		return this.requests;
	}

	@Nullable Object owner() {
		return this.owner;
	}

	@Nullable LockScope outer() {
		return this.outer;
	}

	/**
	 * Return the tick that the calling thread runs.
	 * @return the tick, or {@code null} if there is none
	 */
	public static @Nullable LockTick tick() {
		for (LockScope scope = CURRENT.get(); scope != null; scope = scope.outer) {
			for (LockRequest request : scope.requests) {
				if (request.tick() != null) {
					return request.tick().withAttempt(WorkRecords.attempt(scope.handle));
				}
			}
		}
		return null;
	}

	/**
	 * Return the innermost lock under which the calling thread runs.
	 * @return the lock, or {@code null} if there is none
	 */
	public static @Nullable LockHandle current() {
		LockScope scope = CURRENT.get();
		return (scope != null) ? scope.handle : null;
	}

}
