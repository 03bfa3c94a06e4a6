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

package io.github.zklock.core.spi;

import java.time.Duration;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;

/**
 * Is notified of what happens to the locks of a {@link LockTemplate}. Listeners must be
 * quick and must not throw. What they throw, an {@link Error} included, is logged and has
 * no other effect. Listeners that are beans may need beans that lock: they are looked up
 * when the first lock is requested.
 *
 * @since 0.1.0
 */
public interface LockListener {

	/**
	 * Called when a lock was acquired.
	 * @param request the request
	 * @param handle the handle
	 * @param waited the time from the request to the lock
	 */
	default void acquired(LockRequest request, LockHandle handle, Duration waited) {
	}

	/**
	 * Called when a lock was not acquired: other clients hold it, the backend does not
	 * answer, or the request is wrong. A request that is cancelled has no event.
	 * @param request the request
	 * @param exception the reason
	 */
	default void notAcquired(LockRequest request, LockException exception) {
	}

	/**
	 * Called when a lock was released, or at its release had been lost before.
	 * @param request the request
	 * @param handle the handle, whose state says which
	 * @param held the time from the lock to its release
	 */
	default void released(LockRequest request, LockHandle handle, Duration held) {
	}

	/**
	 * Called when a lock was lost before its release, on a thread of the provider. If
	 * only the release shows that, {@link #released} may be called before.
	 * @param request the request
	 * @param handle the handle
	 */
	default void lost(LockRequest request, LockHandle handle) {
	}

}
