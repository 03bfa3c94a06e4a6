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

import org.jspecify.annotations.Nullable;

/**
 * The locks under which a thread runs, from the innermost to the outermost. They are set
 * by {@link LockTemplate} and therefore by {@code @DistributedLock}; whoever takes a lock
 * with {@link LockOperations#acquire} can set it with {@link #call}.
 *
 * @since 0.1.0
 * @see LockHandle#current()
 */
public final class LockScope {

	private static final ThreadLocal<@Nullable LockScope> CURRENT = new ThreadLocal<>();

	private final LockHandle handle;

	private final OnLost onLost;

	private final @Nullable LockScope outer;

	private LockScope(LockHandle handle, OnLost onLost, @Nullable LockScope outer) {
		this.handle = handle;
		this.onLost = onLost;
		this.outer = outer;
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
		return call(handle, OnLost.FAIL_AT_EXIT, body);
	}

	/**
	 * Call a body with a lock as the current one of the calling thread, and interrupt the
	 * thread when the lock is lost, if that is wanted. The lock is neither acquired nor
	 * released, and a loss is not thrown when the body returns.
	 * @param <T> the type of the result
	 * @param <E> the type of the exception that the body may throw
	 * @param handle the lock
	 * @param onLost what happens when the lock is lost while the body runs
	 * @param body what to call
	 * @return what the body returned
	 * @throws E what the body threw
	 */
	public static <T extends @Nullable Object, E extends Throwable> T call(LockHandle handle, OnLost onLost,
			LockCallback<T, E> body) throws E {
		LockScope outer = CURRENT.get();
		CURRENT.set(new LockScope(handle, onLost, outer));
		try {
			if (onLost != OnLost.INTERRUPT) {
				return body.doWithLock(handle);
			}
			try (LossInterrupt interrupt = LossInterrupt.on(handle)) {
				return body.doWithLock(handle);
			}
		}
		finally {
			if (outer != null) {
				CURRENT.set(outer);
			}
			else {
				CURRENT.remove();
			}
		}
	}

	/**
	 * Check all locks under which the calling thread runs, except those whose loss is to
	 * be {@linkplain OnLost#IGNORE ignored}; without one there is nothing to check. For
	 * what makes the work of the thread irrevocable, like the commit of a transaction.
	 * @throws LockLostException if one of them is not known to be held
	 */
	public static void assertHeld() {
		for (LockScope scope = CURRENT.get(); scope != null; scope = scope.outer) {
			if (scope.onLost != OnLost.IGNORE) {
				scope.handle.assertHeld();
			}
		}
	}

	static @Nullable LockHandle current() {
		LockScope scope = CURRENT.get();
		return (scope != null) ? scope.handle : null;
	}

}
