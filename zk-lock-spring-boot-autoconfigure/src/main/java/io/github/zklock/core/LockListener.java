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
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Is told what happens to the locks of a {@link LockTemplate}. Listeners must be quick
 * and must not throw. What they throw, an {@link Error} included, is logged and has no
 * other effect. Listeners that are beans may need beans that lock: they are looked up
 * when the first lock is requested.
 *
 * @since 0.1.0
 */
public interface LockListener {

	/**
	 * Called when the calling thread is about to request a lock. Exactly one of
	 * {@link #acquired}, {@link #notAcquired} and {@link #withdrawn} follows, perhaps on
	 * another thread.
	 * @param request the request
	 * @return the listener for this one request. By default this listener; one that has
	 * to remember something of each request returns an object for it. If that is a
	 * {@link LockWaitListener}, it is also told when the request begins to wait
	 */
	default LockListener follow(LockRequest request) {
		return this;
	}

	/**
	 * Called when a lock was acquired.
	 * @param request the request
	 * @param handle the handle
	 * @param waited the time from the request to the lock
	 */
	default void acquired(LockRequest request, LockHandle handle, Duration waited) {
	}

	/**
	 * Called when a lock was not acquired, for any reason.
	 * @param request the request
	 * @param exception the reason
	 */
	default void notAcquired(LockRequest request, LockException exception) {
	}

	/**
	 * Called when a request has ended without an answer: its caller has cancelled it, or
	 * it failed by something else than a {@link LockException}.
	 * @param request the request
	 * @param waited the time since the request
	 */
	default void withdrawn(LockRequest request, Duration waited) {
	}

	/**
	 * Called when the calling thread begins to run under a lock. It may do so more than
	 * once, and several threads at the same time.
	 * @param request the request
	 * @param handle the handle
	 * @return what to run, on the same thread, when it leaves; {@code null} for nothing
	 */
	default @Nullable Runnable entered(LockRequest request, LockHandle handle) {
		return null;
	}

	/**
	 * Return what a chain of asynchronous calls under a lock carries with it, where it
	 * has a context to carry it in, like that of Project Reactor.
	 * @param request the request
	 * @param handle the handle
	 * @return the entries of the context
	 */
	default Map<Object, Object> context(LockRequest request, LockHandle handle) {
		return Map.of();
	}

	/**
	 * Called when a body has ended and its lock was released, or had been lost before.
	 * @param request the request
	 * @param handle the handle, whose state tells which
	 * @param held the time from the lock to its release
	 */
	default void released(LockRequest request, LockHandle handle, Duration held) {
	}

	/**
	 * Called when a transaction is rolled back because the lock was not known to be held
	 * before the commit.
	 * @param request the request
	 * @param handle the handle
	 */
	default void rolledBack(LockRequest request, LockHandle handle) {
	}

	/**
	 * Called when a lock was lost while its body runs, on a thread of the provider.
	 * @param request the request
	 * @param handle the handle
	 */
	default void lost(LockRequest request, LockHandle handle) {
	}

}
