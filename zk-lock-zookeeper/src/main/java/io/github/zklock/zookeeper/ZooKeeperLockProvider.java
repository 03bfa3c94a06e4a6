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

package io.github.zklock.zookeeper;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockAccessException;
import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.internal.LockRun;
import io.github.zklock.core.spi.AcquireContext;
import io.github.zklock.core.spi.HolderSource;
import io.github.zklock.core.spi.JobStore;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.core.spi.LockSpace;
import io.github.zklock.core.spi.ProviderGauges;
import io.github.zklock.core.spi.UnusedRelease;
import io.github.zklock.core.spi.support.ReentrancyRegistry;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockInspector;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockSnapshot;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockStatus;
import io.github.zklock.zookeeper.local.LockAttempt;
import io.github.zklock.zookeeper.local.ZooKeeperLockHandle;
import io.github.zklock.zookeeper.node.OwnerData;
import io.github.zklock.zookeeper.queue.HolderWatch;
import io.github.zklock.zookeeper.tasks.StackRoom;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.Op;
import org.jspecify.annotations.Nullable;

/**
 * Locks on Apache ZooKeeper: an ephemeral sequential node per contender under a container
 * node per key. The lowest number holds, a waiter watches the one node that must go
 * before it, and the lock lives as long as its session. Requests of this provider that
 * wait for one key in one mode share a contender. They hand the lock over among
 * themselves, unless the {@linkplain Fairness fairness} is strict.
 * <p>
 * The names of the nodes are compatible with Curator's recipes. An
 * {@code InterProcessMutex} on {@link #pathOf(String)} and
 * {@link io.github.zklock.core.LockMode#EXCLUSIVE} exclude each other. So do an
 * {@code InterProcessReadWriteLock} and {@link io.github.zklock.core.LockMode#READ} and
 * {@link io.github.zklock.core.LockMode#WRITE}.
 * <p>
 * The client belongs to the caller: it may connect later, and it is not closed here.
 * Thread safe.
 *
 * @since 0.1.0
 * @see <a href=
 * "https://zookeeper.apache.org/doc/r3.9.3/recipes.html#sc_recipes_Locks">ZooKeeper
 * recipes: Locks</a>
 */
public final class ZooKeeperLockProvider
		implements LockProvider, LockSpace, JobStore.Source, HolderSource, ProviderGauges, AutoCloseable {

	final LockEngine engine;

	private final OwnerData ownerData;

	private final Duration tryTimeout;

	private final Duration shutdownGrace;

	final ReentrancyRegistry registry = new ReentrancyRegistry();

	ZooKeeperLockProvider(ZooKeeperLockProviderBuilder builder) {
		StackRoom.prepare();
		this.shutdownGrace = builder.shutdownGrace;
		this.engine = new LockEngine(builder);
		this.ownerData = builder.ownerData();
		this.tryTimeout = builder.tryTimeout;
	}

	/**
	 * Start to build a provider.
	 * @param client the client, started or to be started by the caller
	 * @return the builder
	 */
	public static ZooKeeperLockProviderBuilder builder(CuratorFramework client) {
		return new ZooKeeperLockProviderBuilder(client);
	}

	@Override
	public LockHandle acquire(LockRequest request, AcquireContext context) {
		this.engine.tasks.refuseToBlock();
		StackRoom.require(StackRoom.framesWithoutRequest());
		Object owner = (request.owner() != null) ? request.owner() : Thread.currentThread();
		LockHandle here = acquireHere(request, owner);
		if (here != null) {
			return here;
		}
		StackRoom.require(StackRoom.MANY);
		LockAttempt attempt = beginAttempt(request, context);
		try {
			LockHandle granted = attempt.await();
			this.engine.access.granted();
			return register(granted, request, owner);
		}
		catch (LockAccessException ex) {
			this.engine.access.refused(request, ex);
			throw ex;
		}
		catch (LockUnavailableException ex) {
			this.engine.unanswered(request);
			throw ex;
		}
		catch (Error ex) {
			forget(attempt);
			throw ex;
		}
		finally {
			this.engine.attempts.remove(attempt);
		}
	}

	/**
	 * Acquire the lock if that takes no request: through what its owner holds already, or
	 * through a node that is kept.
	 */
	@Nullable LockHandle acquireHere(LockRequest request, Object owner) {
		LockHandle nested = this.registry.reenter(request, owner);
		if (nested != null) {
			return nested;
		}
		LockHandle kept = this.engine.isOpen() ? this.engine.queues.takeAtOnce(request, this.ownerData) : null;
		return (kept != null) ? register(kept, request, owner) : null;
	}

	LockHandle register(LockHandle granted, LockRequest request, Object owner) {
		return LockRun.keep(granted, (handle) -> this.registry.register(handle, request, owner));
	}

	@Override
	public CompletableFuture<LockHandle> acquireAsync(LockRequest request, AcquireContext context) {
		StackRoom.require(StackRoom.MANY);
		try {
			LockHandle nested = this.registry.reenterAsync(request);
			return (nested != null) ? CompletableFuture.completedFuture(nested)
					: futureOf(beginAttempt(request, context));
		}
		catch (LockException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private CompletableFuture<LockHandle> futureOf(LockAttempt attempt) {
		CompletableFuture<LockHandle> result = new CompletableFuture<>();
		try {
			attempt.expireInTime();
			CompletableFuture<LockAttempt.Verdict> verdict = attempt.verdict();
			this.engine.tasks.whenEnded(verdict, () -> {
				this.engine.attempts.remove(attempt);
				this.engine.tasks.callBack(() -> deliver(attempt, verdict.join(), result));
			});
			result.whenComplete((handle, failure) -> {
				if (failure != null) {
					this.engine.tasks.run(attempt::cancel);
				}
			});
			return result;
		}
		catch (Error ex) {
			forget(attempt);
			return CompletableFuture.failedFuture(attempt.failures().failed(ex));
		}
	}

	// The caller does not wait any more, and would never release the lock.
	private void forget(LockAttempt attempt) {
		this.engine.attempts.remove(attempt);
		this.engine.tasks.run(attempt::cancel);
	}

	private void deliver(LockAttempt attempt, LockAttempt.Verdict verdict, CompletableFuture<LockHandle> result) {
		LockHandle handle;
		try {
			LockHandle granted = attempt.heldOrThrow(verdict);
			this.engine.access.granted();
			handle = this.registry.registerAsync(granted, attempt.request());
		}
		catch (LockAccessException ex) {
			this.engine.access.refused(attempt.request(), ex);
			result.completeExceptionally(ex);
			return;
		}
		catch (LockException ex) {
			if (ex instanceof LockUnavailableException) {
				this.engine.unanswered(attempt.request());
			}
			result.completeExceptionally(ex);
			return;
		}
		catch (Throwable ex) {
			verdict.releaseUnused();
			result.completeExceptionally(attempt.failures().failed(ex));
			return;
		}
		if (!result.complete(handle)) {
			UnusedRelease.of(handle);
		}
	}

	LockAttempt beginAttempt(LockRequest asked, AcquireContext context) {
		LockRequest request = this.engine.queues.accept(asked);
		LockAttempt attempt = new LockAttempt(this.engine.tracker, this.engine.tasks, this.engine.paths, request,
				this.ownerData.of(request), leftForATry(context.spent()));
		Runnable whenWaiting = context.whenWaiting();
		if (whenWaiting != null) {
			attempt.onWaiting(whenWaiting);
		}
		this.engine.enter(attempt);
		return attempt;
	}

	// The first connection takes longer than a request, and its time does not count.
	private Duration leftForATry(Duration spent) {
		long start = this.engine.tasks.nanoTime() - spent.toNanos();
		Duration left = this.tryTimeout.plusNanos(this.engine.tracker.openingAfter(start)).minus(spent);
		return left.isNegative() ? Duration.ZERO : left;
	}

	/**
	 * Return the path of a key's node, as a client with the same namespace sees it. A
	 * plain Curator recipe on this path takes part in the same lock.
	 * @param key the key
	 * @return the path
	 * @throws io.github.zklock.core.LockKeyException if the key is not allowed
	 */
	@Override
	public String pathOf(String key) {
		return this.engine.paths.directoryInNamespace(LockRequest.of(key).key());
	}

	/**
	 * Return how many locks are held through this provider, nested ones counted once.
	 * @return the number of locks
	 */
	public int heldLocks() {
		return this.engine.held.size();
	}

	@Override
	public boolean isConnected() {
		return status().connection() == ZooKeeperLockStatus.Connection.CONNECTED;
	}

	@Override
	public @Nullable Duration leaseLeft() {
		return EngineStatus.leaseLeft(this.engine);
	}

	@Override
	public int pendingDeletes() {
		return this.engine.services.janitor().pending();
	}

	@Override
	public long requeuedRequests() {
		return this.engine.queues.requeued();
	}

	@Override
	public long unreadableJobs() {
		return this.engine.jobs.unreadable();
	}

	/**
	 * Refuse new requests, withdraw the waiting ones, and wait for the locks that are
	 * held. Locks that are not released in time are taken away: their handles turn
	 * {@link io.github.zklock.core.LockState#LOST}. Has an effect only once. Locks of the
	 * calling thread are not waited for, since it cannot release them meanwhile.
	 * @param grace how long to wait for locks that are held
	 */
	public void shutdown(Duration grace) {
		this.engine.shutdown(grace, this.registry.heldByThread());
	}

	/**
	 * Return why ZooKeeper cannot be asked at this moment.
	 * @return the reason, as the end of a sentence; empty if it can be asked, or the
	 * reason is unknown
	 */
	public Optional<String> connectionProblem() {
		return Optional.ofNullable(this.engine.tracker.problem());
	}

	/**
	 * Return what is known of ZooKeeper and the locks, without a request and a wait.
	 * @return the status
	 */
	public ZooKeeperLockStatus status() {
		return EngineStatus.of(this.engine);
	}

	/**
	 * Return what this process holds and waits for, without a request and a wait.
	 * @return the snapshot
	 */
	public ZooKeeperLockSnapshot snapshot() {
		return EngineStatus.snapshot(this.engine);
	}

	/**
	 * Return what looks at the queues of the whole cluster.
	 * @return the inspector
	 */
	public ZooKeeperLockInspector inspector() {
		return this.engine.inspector;
	}

	/**
	 * Return the operation that guards a write to ZooKeeper with a lock. It fails when
	 * the node of the lock is gone, as it is before another client gets the lock. Within
	 * one client the next holder may use the same node, so do not use the operation after
	 * the release.
	 * @param handle the lock, for one key
	 * @return the operation, for a {@code multi} of a client of the same ensemble without
	 * a namespace, and with the same chroot
	 * @throws io.github.zklock.core.LockLostException if the lock is not known to be held
	 * @throws IllegalArgumentException if it is no single lock of ZooKeeper
	 */
	public static Op check(LockHandle handle) {
		handle.assertHeld();
		ZooKeeperLockHandle lock = handle.unwrap(ZooKeeperLockHandle.class);
		if (lock == null) {
			throw new IllegalArgumentException(
					handle + " is not a single lock of ZooKeeper: for several keys, guard each of its handles()");
		}
		return Op.check(lock.path(), -1);
	}

	@Override
	public JobStore jobs() {
		return this.engine.inspector.jobs();
	}

	@Override
	public CompletableFuture<?> whenHolderGone(String key) {
		return HolderWatch.ofHolder(this.engine.services, key);
	}

	@Override
	public CompletableFuture<?> whenResumed(JobStore.Job job) {
		return HolderWatch.ofPause(this.engine.services,
				this.engine.paths.job(job.schedule(), job.periodic(), job.key()));
	}

	@Override
	public Runnable onSession(Runnable action) {
		return this.engine.tracker.onSession(action);
	}

	@Override
	public String lockSpace() {
		return this.engine.lockSpace();
	}

	@Override
	public boolean isOf(LockHandle handle) {
		ZooKeeperLockHandle held = handle.unwrap(ZooKeeperLockHandle.class);
		return held != null && held.isIn(this.engine.held);
	}

	/**
	 * {@linkplain #shutdown Shut down}, and wait for locks that are held as long as the
	 * {@linkplain ZooKeeperLockProviderBuilder#shutdownGrace builder} says.
	 */
	@Override
	public void close() {
		shutdown(this.shutdownGrace);
	}

}
