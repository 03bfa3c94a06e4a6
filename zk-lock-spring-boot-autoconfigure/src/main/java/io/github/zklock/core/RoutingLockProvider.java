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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Takes each lock from the provider of the {@linkplain LockRequest#client() client} that
 * the request names. The providers are independent, so an outage of one of them does not
 * affect the others.
 *
 * @since 0.1.0
 */
public final class RoutingLockProvider implements LockProvider {

	private final Map<String, LockProvider> providers;

	/**
	 * Create the provider.
	 * @param providers the provider of each client, by its name
	 */
	public RoutingLockProvider(Map<String, ? extends LockProvider> providers) {
		this.providers = new LinkedHashMap<>(providers);
	}

	/**
	 * Acquire a lock from the provider of its client.
	 * @throws IllegalArgumentException if there is no such client
	 */
	@Override
	public LockHandle acquire(LockRequest request) {
		return provider(request).acquire(request);
	}

	/**
	 * Acquire a lock from the provider of its client.
	 * @throws IllegalArgumentException if there is no such client
	 */
	@Override
	public CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
		return provider(request).acquireAsync(request);
	}

	@Override
	public LockHandle acquire(LockRequest request, Duration spent) {
		return provider(request).acquire(request, spent);
	}

	@Override
	public CompletableFuture<LockHandle> acquireAsync(LockRequest request, Duration spent) {
		return provider(request).acquireAsync(request, spent);
	}

	@Override
	public LockHandle acquire(LockRequest request, Duration spent, Runnable whenWaiting) {
		return provider(request).acquire(request, spent, whenWaiting);
	}

	@Override
	public CompletableFuture<LockHandle> acquireAsync(LockRequest request, Duration spent, Runnable whenWaiting) {
		return provider(request).acquireAsync(request, spent, whenWaiting);
	}

	private LockProvider provider(LockRequest request) {
		LockProvider provider = this.providers.get(request.client());
		if (provider == null) {
			throw new IllegalArgumentException(LockException.describe(request)
					+ " cannot be acquired, since there is no such client: the clients are " + this.providers.keySet());
		}
		return provider;
	}

}
