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

package io.github.zklock.leader;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.AcquireContext;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.core.spi.ProviderGauges;
import io.github.zklock.test.memory.InMemoryLockProvider;

/**
 * Locks in memory with a lease that a test sets.
 */
final class LeaseProvider implements LockProvider, ProviderGauges {

	final InMemoryLockProvider locks;

	final AtomicInteger reads = new AtomicInteger();

	volatile Duration lease = Duration.ofMinutes(1);

	LeaseProvider(InMemoryLockProvider locks) {
		this.locks = locks;
	}

	@Override
	public LockHandle acquire(LockRequest request, AcquireContext context) {
		return this.locks.acquire(request, context);
	}

	@Override
	public CompletableFuture<LockHandle> acquireAsync(LockRequest request, AcquireContext context) {
		return this.locks.acquireAsync(request, context);
	}

	@Override
	public boolean isConnected() {
		return true;
	}

	@Override
	public Duration leaseLeft() {
		this.reads.incrementAndGet();
		return this.lease;
	}

}
