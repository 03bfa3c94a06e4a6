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
 * and must not throw; whatever they throw is logged and harms nobody else, an
 * {@link Error} included. Listeners that are beans may need beans that lock: they are
 * looked up when the first lock is asked for.
 *
 * @since 0.1.0
 */
public interface LockListener {

	/**
	 * A lock is about to be asked for, by the calling thread. Exactly one of
	 * {@link #acquired}, {@link #notAcquired} and {@link #withdrawn} follows, perhaps on
	 * another thread.
	 * @param request what is asked
	 * @return who is told what becomes of this one request. By default this listener; one
	 * that has to remember something of each request returns an object for it. If that is
	 * a {@link LockWaitListener}, it is also told when the request begins to wait
	 */
	default LockListener follow(LockRequest request) {
		return this;
	}

	/**
	 * A lock was acquired.
	 * @param request what was asked
	 * @param handle the handle
	 * @param waited the time from the request to the lock
	 */
	default void acquired(LockRequest request, LockHandle handle, Duration waited) {
	}

	/**
	 * A lock was not acquired, for whatever reason.
	 * @param request what was asked
	 * @param exception the reason
	 */
	default void notAcquired(LockRequest request, LockException exception) {
	}

	/**
	 * A request has ended without an answer: its caller has cancelled it, or it failed by
	 * something else than a {@link LockException}.
	 * @param request what was asked
	 * @param waited the time since the request
	 */
	default void withdrawn(LockRequest request, Duration waited) {
	}

	/**
	 * The calling thread begins to run under a lock. It may do so more than once, and
	 * several threads at the same time.
	 * @param request what was asked
	 * @param handle the handle
	 * @return what to run, on the same thread, when it leaves; {@code null} for nothing
	 */
	default @Nullable Runnable entered(LockRequest request, LockHandle handle) {
		return null;
	}

	/**
	 * Return what a chain of asynchronous calls under a lock carries with it, where it
	 * has a context to carry it in, like that of Project Reactor.
	 * @param request what was asked
	 * @param handle the handle
	 * @return the entries of the context
	 */
	default Map<Object, Object> context(LockRequest request, LockHandle handle) {
		return Map.of();
	}

	/**
	 * A body has ended and its lock was released, or had been lost before.
	 * @param request what was asked
	 * @param handle the handle, whose state tells which
	 * @param held the time from the lock to its release
	 */
	default void released(LockRequest request, LockHandle handle, Duration held) {
	}

	/**
	 * A lock was lost while its body runs. Called on a thread of the provider.
	 * @param request what was asked
	 * @param handle the handle
	 */
	default void lost(LockRequest request, LockHandle handle) {
	}

}
