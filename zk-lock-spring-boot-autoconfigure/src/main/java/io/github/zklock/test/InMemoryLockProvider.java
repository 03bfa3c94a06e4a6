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

package io.github.zklock.test;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockInterruptedException;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockProvider;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.ReentrancyRegistry;

/**
 * Locks inside one JVM, with the semantics of the ZooKeeper provider: one queue for each
 * key, first come first served, in which only {@link LockMode#READ} shares with
 * {@code READ}, and as many share as the requests have permits. Each
 * {@linkplain LockRequest#client() client} has keys of its own. For tests of applications
 * that should not need a ZooKeeper server; it excludes nobody outside the instance, and
 * remembers the {@linkplain LockRequest#tick() tick} of each key and schedule that ran
 * last. {@link #loseAll()} does what an expired session does.
 *
 * @since 0.1.0
 */
public final class InMemoryLockProvider implements LockProvider {

	// By the name of the client.
	private final Map<String, LockQueues> queues = new ConcurrentHashMap<>();

	private final ReentrancyRegistry reentrancy = new ReentrancyRegistry();

	/**
	 * Create a provider that shares its locks with no other.
	 */
	public InMemoryLockProvider() {
	}

	@Override
	public LockHandle acquire(LockRequest request) {
		long start = System.nanoTime();
		Object owner = (request.owner() != null) ? request.owner() : Thread.currentThread();
		LockHandle nested = this.reentrancy.reenter(request, owner);
		if (nested != null) {
			return nested;
		}
		InMemoryLockHandle handle = new InMemoryLockHandle(queues(request), request);
		if (Thread.currentThread().isInterrupted()) {
			throw new LockInterruptedException(request, Duration.ZERO);
		}
		queues(request).join(handle);
		await(handle, start);
		InMemoryTicks.Run run = handle.hasRun();
		if (run != null) {
			throw hasRun(handle, run, start);
		}
		return this.reentrancy.register(handle, request, owner);
	}

	@Override
	public CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
		long start = System.nanoTime();
		try {
			LockHandle nested = this.reentrancy.reenterAsync(request);
			if (nested != null) {
				return CompletableFuture.completedFuture(nested);
			}
		}
		catch (LockException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		InMemoryLockHandle handle = new InMemoryLockHandle(queues(request), request);
		try {
			queues(request).join(handle);
		}
		catch (LockException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		if (handle.granted().isDone()) {
			InMemoryTicks.Run run = handle.hasRun();
			return (run != null) ? CompletableFuture.failedFuture(hasRun(handle, run, start))
					: CompletableFuture.completedFuture(this.reentrancy.registerAsync(handle, request));
		}
		if (request.waitTime().isZero() && queues(handle.request()).withdraw(handle)) {
			return CompletableFuture.failedFuture(notAcquired(handle, start));
		}
		return awaitAsync(handle, start);
	}

	/**
	 * Lose every lock that is held, as the end of a ZooKeeper session does: the handles
	 * turn {@link io.github.zklock.core.LockState#LOST}, their listeners are told, and
	 * whoever waits next acquires the lock, if it is not to be kept for a
	 * {@linkplain LockRequest#atLeast() time}. Returns when the listeners have run.
	 */
	public void loseAll() {
		this.queues.values()
			.stream()
			.flatMap((queues) -> queues.loseAll().stream())
			.forEach(InMemoryLockHandle::tellLost);
	}

	/**
	 * Lose the lock on one key, of all clients, like {@link #loseAll()}. Has no effect on
	 * a key that nobody holds.
	 * @param key the key
	 */
	public void lose(String key) {
		this.queues.values()
			.stream()
			.flatMap((queues) -> queues.lose(key).stream())
			.forEach(InMemoryLockHandle::tellLost);
	}

	/**
	 * Return how many keys somebody holds, keeps or waits for.
	 * @return the number of keys, {@code 0} when no lock is in use
	 */
	public int keysInUse() {
		return this.queues.values().stream().mapToInt(LockQueues::size).sum();
	}

	private void await(InMemoryLockHandle handle, long start) {
		LockRequest request = handle.request();
		try {
			handle.granted().get(request.waitNanos(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			if (queues(handle.request()).withdraw(handle)) {
				throw notAcquired(handle, start);
			}
		}
		catch (InterruptedException ex) {
			if (!queues(handle.request()).withdraw(handle)) {
				handle.forgo();
			}
			Thread.currentThread().interrupt();
			throw new LockInterruptedException(request, since(start));
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("A grant never fails", ex);
		}
	}

	private CompletableFuture<LockHandle> awaitAsync(InMemoryLockHandle handle, long start) {
		CompletableFuture<LockHandle> result = new CompletableFuture<>();
		CompletableFuture<Void> timer = new CompletableFuture<>();
		// On other threads: the one that releases or keeps the time must not run a body.
		timer.thenRunAsync(() -> {
			if (queues(handle.request()).withdraw(handle)) {
				result.completeExceptionally(notAcquired(handle, start));
			}
		});
		Future<?> end = Delay.run(() -> timer.complete(null), handle.request().waitNanos());
		handle.granted().thenRunAsync(() -> {
			InMemoryTicks.Run run = handle.hasRun();
			if (run != null) {
				result.completeExceptionally(hasRun(handle, run, start));
				return;
			}
			LockHandle granted = this.reentrancy.registerAsync(handle, handle.request());
			if (!result.complete(granted)) {
				granted.forgo();
			}
		});
		result.whenComplete((granted, failure) -> {
			end.cancel(false);
			if (failure != null) {
				queues(handle.request()).withdraw(handle);
			}
		});
		return result;
	}

	private LockQueues queues(LockRequest request) {
		return this.queues.computeIfAbsent(request.client(), (client) -> new LockQueues());
	}

	private LockNotAcquiredException notAcquired(InMemoryLockHandle handle, long start) {
		LockHolder holder = queues(handle.request()).holder(handle.key());
		Duration kept = queues(handle.request()).kept(handle.key());
		return (kept != null) ? LockNotAcquiredException.kept(handle.request(), since(start), holder, kept)
				: new LockNotAcquiredException(handle.request(), since(start), holder);
	}

	private static LockNotAcquiredException hasRun(InMemoryLockHandle handle, InMemoryTicks.Run run, long start) {
		return LockNotAcquiredException.hasRun(handle.request(), since(start), run.tick(), run::runner);
	}

	private static Duration since(long start) {
		return Duration.ofNanos(System.nanoTime() - start);
	}

}
