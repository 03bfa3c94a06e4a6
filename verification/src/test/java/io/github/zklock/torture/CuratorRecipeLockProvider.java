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

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.spi.AcquireContext;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.PlainLockHandle;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.zookeeper.KeeperException;

/**
 * Curator's mutex and read-write lock behind the SPI: what one writes in an afternoon.
 * They have no token and tell of no loss. They are here to prove that the tests of faults
 * can fail.
 */
final class CuratorRecipeLockProvider implements LockProvider {

	private final CuratorFramework client;

	CuratorRecipeLockProvider(CuratorFramework client) {
		this.client = client;
	}

	@Override
	public LockHandle acquire(LockRequest request, AcquireContext context) {
		long start = System.nanoTime();
		InterProcessMutex mutex = mutex(request);
		try {
			if (mutex.acquire(request.waitNanos(), TimeUnit.NANOSECONDS)) {
				return new RecipeHandle(request, mutex);
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
	public CompletableFuture<LockHandle> acquireAsync(LockRequest request, AcquireContext context) {
		throw new UnsupportedOperationException("The recipe is bound to a thread");
	}

	private InterProcessMutex mutex(LockRequest request) {
		String path = "/locks/" + request.key();
		if (request.mode() == LockMode.EXCLUSIVE) {
			return new InterProcessMutex(this.client, path);
		}
		InterProcessReadWriteLock locks = new InterProcessReadWriteLock(this.client, path);
		return (request.mode() == LockMode.READ) ? locks.readLock() : locks.writeLock();
	}

	private static final class RecipeHandle extends PlainLockHandle {

		private final InterProcessMutex mutex;

		RecipeHandle(LockRequest request, InterProcessMutex mutex) {
			super(request, 0);
			this.mutex = mutex;
		}

		@Override
		public LockState state() {
			return this.mutex.isAcquiredInThisProcess() ? LockState.HELD : LockState.RELEASED;
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
