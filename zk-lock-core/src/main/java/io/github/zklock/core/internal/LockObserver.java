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
import java.util.Map;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.LockListener;
import org.jspecify.annotations.Nullable;

/**
 * A listener that follows each request from its begin to its end, as metrics and traces
 * need it. Internal: only zk-lock itself uses it, and it may change at any time.
 *
 * @since 0.1.0
 */
public interface LockObserver extends LockListener {

	/**
	 * Called when the calling thread is about to request a lock. Exactly one of
	 * {@link #acquired}, {@link #notAcquired} and {@link #withdrawn} follows, perhaps on
	 * another thread.
	 * @param request the request
	 * @return the observer for this one request. By default this observer; one that has
	 * to remember something of each request returns an object for it. If that is a
	 * {@link LockWaitObserver}, it is also notified when the request begins to wait
	 */
	default LockObserver follow(LockRequest request) {
		return this;
	}

	/**
	 * Called when a request has ended without an answer: its caller has cancelled it, or
	 * it failed with another exception than a {@link LockException}.
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
	 * Return what a chain of asynchronous calls under a lock carries with it. This
	 * applies where the chain has a context for it, such as the context of Project
	 * Reactor.
	 * @param request the request
	 * @param handle the handle
	 * @return the entries of the context
	 */
	default Map<Object, Object> context(LockRequest request, LockHandle handle) {
		return Map.of();
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
	 * Called when a tick is given up, since all attempts at it have died. In the whole
	 * cluster, only the first node to notice it makes this call. It is no part of the
	 * request, which was refused before.
	 * @param request the request for the tick
	 */
	default void givenUp(LockRequest request) {
	}

}
