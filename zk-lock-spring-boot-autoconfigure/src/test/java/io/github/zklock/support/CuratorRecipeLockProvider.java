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
import java.util.function.Consumer;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockProvider;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockUnavailableException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.zookeeper.KeeperException;

/**
 * Curator's lock recipe behind the SPI: what one writes in an afternoon. It is here to
 * prove that the tests of faults can fail.
 */
public final class CuratorRecipeLockProvider implements LockProvider {

	private final CuratorFramework client;

	/**
	 * Create the provider.
	 * @param client the client
	 */
	public CuratorRecipeLockProvider(CuratorFramework client) {
		this.client = client;
	}

	@Override
	public LockHandle acquire(LockRequest request) {
		long start = System.nanoTime();
		InterProcessMutex mutex = new InterProcessMutex(this.client, "/locks/" + request.key());
		try {
			if (mutex.acquire(request.waitNanos(), TimeUnit.NANOSECONDS)) {
				return new RecipeHandle(request.key(), mutex);
			}
		}
		catch (KeeperException ex) {
			throw new LockUnavailableException(request, Duration.ofNanos(System.nanoTime() - start), "recipe failed",
					ex);
		}
		catch (RuntimeException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		throw new LockNotAcquiredException(request, Duration.ofNanos(System.nanoTime() - start), null);
	}

	@Override
	public CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
		throw new UnsupportedOperationException("The recipe is bound to a thread");
	}

	private record RecipeHandle(String key, InterProcessMutex mutex) implements LockHandle {

		@Override
		public LockMode mode() {
			return LockMode.EXCLUSIVE;
		}

		@Override
		public long fencingToken() {
			return 0;
		}

		@Override
		public LockState state() {
			return this.mutex.isAcquiredInThisProcess() ? LockState.HELD : LockState.RELEASED;
		}

		@Override
		public void onLost(Consumer<? super LockHandle> listener) {
			// The recipe does not notice.
		}

		@Override
		public void release() {
			try {
				this.mutex.release();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}

		@Override
		public CompletableFuture<Void> releaseAsync() {
			throw new UnsupportedOperationException("The recipe is bound to a thread");
		}

	}

}
