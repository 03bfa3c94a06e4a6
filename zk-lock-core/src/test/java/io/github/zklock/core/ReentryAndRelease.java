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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.github.zklock.core.spi.support.ReentrancyRegistry;
import io.github.zklock.support.Interleaving;

/**
 * An owner asks for its lock again, as two threads may do in its name, while it releases
 * it: the lock is there as long as one of its handles is, and is released once.
 */
public class ReentryAndRelease extends Interleaving {

	private static final LockRequest REQUEST = LockRequest.of("key").withOwner("owner");

	private final ReentrancyRegistry registry = new ReentrancyRegistry();

	private final AtomicInteger released = new AtomicInteger();

	private LockHandle first;

	@Override
	public void begin() {
		this.first = this.registry.register(new Root(), REQUEST, "owner");
	}

	@Override
	public void one() {
		this.first.release();
	}

	@Override
	public void other() {
		LockHandle nested = this.registry.reenter(REQUEST, "owner");
		if (nested != null) {
			require(this.released.get() == 0, "the lock is held while somebody has re-entered it");
			nested.release();
		}
	}

	@Override
	public void end() {
		require(this.released.get() == 1, "the lock is released, once");
		require(this.registry.size() == 0, "nothing is remembered");
	}

	private final class Root implements LockHandle {

		@Override
		public String key() {
			return REQUEST.key();
		}

		@Override
		public LockMode mode() {
			return REQUEST.mode();
		}

		@Override
		public long fencingToken() {
			return 1;
		}

		@Override
		public LockState state() {
			return (ReentryAndRelease.this.released.get() > 0) ? LockState.RELEASED : LockState.HELD;
		}

		@Override
		public void release() {
			ReentryAndRelease.this.released.incrementAndGet();
		}

		@Override
		public CompletableFuture<Void> releaseAsync() {
			release();
			return CompletableFuture.completedFuture(null);
		}

		@Override
		public void onLost(Consumer<? super LockHandle> listener) {
		}

	}

}
