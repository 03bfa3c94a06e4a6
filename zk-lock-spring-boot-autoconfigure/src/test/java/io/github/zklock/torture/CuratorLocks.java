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
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;

/**
 * Curator's mutex and read-write lock as they are. They have no token and tell of no
 * loss.
 */
final class CuratorLocks implements LockProvider {

	private final CuratorFramework client;

	CuratorLocks(CuratorFramework client) {
		this.client = client;
	}

	@Override
	public LockHandle acquire(LockRequest request) {
		long start = System.nanoTime();
		InterProcessMutex mutex = mutex(request);
		try {
			if (mutex.acquire(request.waitNanos(), TimeUnit.NANOSECONDS)) {
				return new Handle(request.key(), request.mode(), mutex);
			}
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		throw new LockNotAcquiredException(request, Duration.ofNanos(System.nanoTime() - start), null);
	}

	private InterProcessMutex mutex(LockRequest request) {
		String path = "/locks/" + request.key();
		if (request.mode() == LockMode.EXCLUSIVE) {
			return new InterProcessMutex(this.client, path);
		}
		InterProcessReadWriteLock locks = new InterProcessReadWriteLock(this.client, path);
		return (request.mode() == LockMode.READ) ? locks.readLock() : locks.writeLock();
	}

	@Override
	public CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
		throw new UnsupportedOperationException("The recipe is bound to a thread");
	}

	private record Handle(String key, LockMode mode, InterProcessMutex mutex) implements LockHandle {

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
