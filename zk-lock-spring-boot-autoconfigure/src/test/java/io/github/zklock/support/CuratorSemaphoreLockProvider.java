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

package io.github.zklock.support;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockProvider;
import io.github.zklock.core.LockRequest;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.framework.recipes.locks.Lease;

/**
 * Curator's semaphore recipe behind the SPI, to compare what it makes of a fault. Its
 * leases are the children of {@code <key>/leases}.
 */
public final class CuratorSemaphoreLockProvider implements LockProvider {

	private final CuratorFramework client;

	/**
	 * Create the provider.
	 * @param client the client
	 */
	public CuratorSemaphoreLockProvider(CuratorFramework client) {
		this.client = client;
	}

	@Override
	public LockHandle acquire(LockRequest request) {
		InterProcessSemaphoreV2 semaphore = new InterProcessSemaphoreV2(this.client, "/locks/" + request.key(),
				request.permits());
		try {
			Lease lease = semaphore.acquire(request.waitNanos(), TimeUnit.NANOSECONDS);
			if (lease != null) {
				return new LeaseHandle(request.key(), semaphore, lease);
			}
		}
		catch (RuntimeException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		throw new LockNotAcquiredException(request, Duration.ZERO, null);
	}

	@Override
	public CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
		return CompletableFuture.supplyAsync(() -> acquire(request));
	}

	private static final class LeaseHandle extends PlainLockHandle {

		private final InterProcessSemaphoreV2 semaphore;

		private final Lease lease;

		LeaseHandle(String key, InterProcessSemaphoreV2 semaphore, Lease lease) {
			super(key, LockMode.EXCLUSIVE, 0);
			this.semaphore = semaphore;
			this.lease = lease;
		}

		@Override
		public void release() {
			this.semaphore.returnLease(this.lease);
		}

	}

}
