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

package io.github.zklock.torture;

import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.AcquireContext;
import io.github.zklock.core.spi.LockProvider;

/**
 * Keeps every lock for the next request of its process.
 *
 * @param delegate grants them
 */
record CachedLocks(LockProvider delegate) implements LockProvider {

	@Override
	public LockHandle acquire(LockRequest request, AcquireContext context) {
		return this.delegate.acquire(request.withCache(true), context);
	}

	@Override
	public CompletableFuture<LockHandle> acquireAsync(LockRequest request, AcquireContext context) {
		return this.delegate.acquireAsync(request.withCache(true), context);
	}

}
