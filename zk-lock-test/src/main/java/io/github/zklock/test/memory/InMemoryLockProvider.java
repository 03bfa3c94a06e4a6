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

package io.github.zklock.test.memory;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockInterruptedException;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.AcquireContext;
import io.github.zklock.core.spi.HolderSource;
import io.github.zklock.core.spi.JobStore;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.core.spi.UnusedRelease;
import io.github.zklock.core.spi.support.ReentrancyRegistry;

/**
 * Locks within one JVM, with the semantics of the ZooKeeper provider. Each key has one
 * queue, first come first served. Only {@link LockMode#READ} shares with {@code READ},
 * and as many requests share as they have permits. For tests of applications that should
 * not need a ZooKeeper server. It excludes only providers that are created with
 * {@link #another}. It remembers the {@linkplain LockRequest#tick() tick} of each key and
 * schedule that ran last. {@link #loseAll()} does what an expired session does, and
 * {@link InMemoryLockTesting} more of what can happen to locks.
 *
 * @since 0.1.0
 */
public final class InMemoryLockProvider implements LockProvider, JobStore.Source, HolderSource {

	private final LockQueues queues;

	private final InMemoryNode node;

	private final ReentrancyRegistry reentrancy = new ReentrancyRegistry();

	/**
	 * Create a provider that shares its locks with no other.
	 */
	public InMemoryLockProvider() {
		this(new LockQueues(), new InMemoryNode(null));
	}

	private InMemoryLockProvider(LockQueues queues, InMemoryNode node) {
		this.queues = queues;
		this.node = node;
	}

	/**
	 * Create the provider of another process, which competes for the same locks.
	 * @param name the name of the process in messages
	 * @return the provider
	 */
	public InMemoryLockProvider another(String name) {
		return new InMemoryLockProvider(this.queues, new InMemoryNode(Objects.requireNonNull(name)));
	}

	@Override
	public LockHandle acquire(LockRequest request, AcquireContext context) {
		Object owner = (request.owner() != null) ? request.owner() : Thread.currentThread();
		LockHandle nested = this.reentrancy.reenter(request, owner);
		if (nested != null) {
			return nested;
		}
		InMemoryLockHandle handle = new InMemoryLockHandle(this.queues, this.node, request);
		if (Thread.currentThread().isInterrupted()) {
			throw new LockInterruptedException(request, Duration.ZERO);
		}
		this.queues.join(handle);
		await(handle);
		LockException refusal = handle.refusal();
		if (refusal != null) {
			throw refusal;
		}
		return this.reentrancy.register(handle, request, owner);
	}

	@Override
	public CompletableFuture<LockHandle> acquireAsync(LockRequest request, AcquireContext context) {
		try {
			LockHandle nested = this.reentrancy.reenterAsync(request);
			if (nested != null) {
				return elsewhere(CompletableFuture.completedFuture(nested));
			}
			InMemoryLockHandle handle = new InMemoryLockHandle(this.queues, this.node, request);
			this.queues.join(handle);
			if (request.waitTime().isZero()) {
				this.queues.expire(handle);
			}
			return handle.isSettled() ? elsewhere(settled(handle)) : awaitAsync(handle);
		}
		catch (LockException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/**
	 * Lose every lock that is held, as the end of a ZooKeeper session does. The handles
	 * turn {@link io.github.zklock.core.LockState#LOST}, and their listeners are
	 * notified. The next waiting request acquires the lock, if it is not to be kept for a
	 * {@linkplain LockRequest#lockAtLeastFor() time}. Returns when the listeners have
	 * run. The locks of {@linkplain #another other processes} are not lost.
	 */
	public void loseAll() {
		loseAll(this.node);
	}

	void loseAll(InMemoryNode of) {
		this.queues.lose((handle) -> handle.node() == of).forEach(InMemoryLockHandle::tellLost);
	}

	/**
	 * Lose the lock on one key, like {@link #loseAll()}. Has no effect on a key that is
	 * not held.
	 * @param key the key
	 */
	public void lose(String key) {
		this.queues.lose((handle) -> handle.node() == this.node && handle.key().equals(key))
			.forEach(InMemoryLockHandle::tellLost);
	}

	/**
	 * Return how many keys are held, kept or waited for.
	 * @return the number of keys, {@code 0} when no lock is in use
	 */
	public int keysInUse() {
		return this.queues.size();
	}

	@Override
	public JobStore jobs() {
		return new InMemoryJobs(this.queues);
	}

	@Override
	public CompletableFuture<?> whenHolderGone(String key) {
		return this.queues.whenHolderGone(key);
	}

	@Override
	public CompletableFuture<?> whenResumed(JobStore.Job job) {
		return this.queues.whenResumed(job);
	}

	// There is no new session, as a lost one does not end what a test plays.
	@Override
	public Runnable onSession(Runnable action) {
		action.run();
		return () -> {
		};
	}

	LockQueues queues() {
		return this.queues;
	}

	InMemoryNode node() {
		return this.node;
	}

	void disconnect() {
		this.queues.disconnect(this.node);
	}

	void reconnect() {
		this.queues.reconnect(this.node);
	}

	/**
	 * Forget what a test has left in this process and all others.
	 * @param token the fencing token of the last lock before the test
	 */
	void reset(long token) {
		reconnect();
		this.queues.reset(token).forEach(InMemoryLockHandle::tellLost);
		this.reentrancy.forgetLost();
	}

	private void await(InMemoryLockHandle handle) {
		LockRequest request = handle.request();
		if (request.waitTime().isZero()) {
			this.queues.expire(handle);
		}
		if (handle.isSettled()) {
			return;
		}
		InMemoryClock.Alarm alarm = alarm(handle);
		try {
			handle.settled().get();
		}
		catch (InterruptedException ex) {
			if (!this.queues.withdraw(handle)) {
				UnusedRelease.of(handle);
			}
			Thread.currentThread().interrupt();
			throw new LockInterruptedException(request, handle.waited());
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("A grant never fails", ex);
		}
		finally {
			alarm.cancel();
		}
	}

	private CompletableFuture<LockHandle> awaitAsync(InMemoryLockHandle handle) {
		CompletableFuture<LockHandle> result = new CompletableFuture<>();
		InMemoryClock.Alarm alarm = alarm(handle);
		handle.settled().thenRunAsync(() -> deliver(settled(handle), result), InMemoryLockProvider::onOwnThread);
		result.whenComplete((granted, failure) -> {
			alarm.cancel();
			if (failure != null) {
				this.queues.withdraw(handle);
			}
		});
		return result;
	}

	// A thread that calls, releases or keeps the time must not run a body.
	private static CompletableFuture<LockHandle> elsewhere(CompletableFuture<LockHandle> answer) {
		CompletableFuture<LockHandle> result = new CompletableFuture<>();
		onOwnThread(() -> deliver(answer, result));
		return result;
	}

	private static void deliver(CompletableFuture<LockHandle> answer, CompletableFuture<LockHandle> result) {
		answer.whenComplete((granted, refusal) -> {
			if (refusal != null) {
				result.completeExceptionally(refusal);
			}
			else if (!result.complete(granted)) {
				UnusedRelease.of(granted);
			}
		});
	}

	static void onOwnThread(Runnable task) {
		Thread thread = new Thread(null, task, "zk-lock-memory", 0, false);
		thread.setDaemon(true);
		thread.start();
	}

	private InMemoryClock.Alarm alarm(InMemoryLockHandle handle) {
		return this.queues.clock().alarm(() -> this.queues.expire(handle), handle.request().waitNanos());
	}

	private CompletableFuture<LockHandle> settled(InMemoryLockHandle handle) {
		LockException refusal = handle.refusal();
		return (refusal != null) ? CompletableFuture.failedFuture(refusal)
				: CompletableFuture.completedFuture(this.reentrancy.registerAsync(handle, handle.request()));
	}

}
