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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.spi.AcquireContext;
import io.github.zklock.core.spi.LockProvider;

/**
 * Grants every lock at once and excludes no other holder: for locks that are turned off.
 * A handle is {@link LockState#HELD} until it is released, and never lost.
 * <p>
 * The fencing tokens are 1, 2, 3 and so on, less than every token of a real provider. A
 * resource that compares tokens accepts them until it has seen a token of another
 * provider, and then rejects them. It is safe, and can be written to again when locks are
 * turned on.
 *
 * @since 0.1.0
 */
public final class NoOpLockProvider implements LockProvider {

	private final AtomicLong tokens = new AtomicLong();

	/**
	 * Create the provider.
	 */
	public NoOpLockProvider() {
	}

	/**
	 * Return whether a lock is turned off, so that it excludes no other holder.
	 * @param handle the lock
	 * @return whether it comes from a provider of this class
	 */
	public static boolean isTurnedOff(LockHandle handle) {
		return handle.handles().stream().map(ObservedHandle::unobserved).anyMatch(NoOpHandle.class::isInstance);
	}

	@Override
	public LockHandle acquire(LockRequest request, AcquireContext context) {
		return new NoOpHandle(request, this.tokens.incrementAndGet());
	}

	@Override
	public CompletableFuture<LockHandle> acquireAsync(LockRequest request, AcquireContext context) {
		return CompletableFuture.completedFuture(acquire(request));
	}

	private static final class NoOpHandle implements LockHandle {

		private final LockRequest request;

		private final long token;

		private volatile LockState state = LockState.HELD;

		NoOpHandle(LockRequest request, long token) {
			this.request = request;
			this.token = token;
		}

		@Override
		public String key() {
			return this.request.key();
		}

		@Override
		public LockMode mode() {
			return this.request.mode();
		}

		@Override
		public long fencingToken() {
			return this.token;
		}

		@Override
		public LockState state() {
			return this.state;
		}

		@Override
		public void onLost(Consumer<? super LockHandle> listener) {
		}

		@Override
		public void release() {
			this.state = LockState.RELEASED;
		}

		@Override
		public CompletableFuture<Void> releaseAsync() {
			release();
			return CompletableFuture.completedFuture(null);
		}

		@Override
		public String toString() {
			return LockKeys.describe(key(), mode()) + " turned off " + this.state;
		}

	}

}
