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

import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;

/**
 * A {@link LockHandle} that can end without its {@linkplain LockRequest#lockAtLeastFor()
 * minimum time}, when no work was done under the lock. A backend that keeps keys for a
 * minimum time, or records runs of jobs, implements it with its handles.
 *
 * @since 0.1.0
 */
public interface UnusedRelease {

	/**
	 * Release a lock that was not used, without waiting for the backend.
	 * @return a future as {@link LockHandle#releaseAsync()} returns it
	 */
	CompletableFuture<Void> releaseUnused();

	/**
	 * Release a lock that was not used, without waiting for the backend. A lock that has
	 * no minimum time, or that another handle of its owner used, is released as with
	 * {@link LockHandle#releaseAsync()}.
	 * @param handle the lock
	 * @return a future as {@link LockHandle#releaseAsync()} returns it
	 */
	static CompletableFuture<Void> of(LockHandle handle) {
		return (handle instanceof UnusedRelease unused) ? unused.releaseUnused() : handle.releaseAsync();
	}

}
