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

package io.github.zklock.zookeeper.local;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLoss;
import io.github.zklock.core.LockState;
import io.github.zklock.core.internal.DurationText;
import io.github.zklock.core.internal.LockKeys;
import io.github.zklock.zookeeper.session.NodeJanitor;
import io.github.zklock.zookeeper.tasks.EngineTasks;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The locks that are held through a provider.
 */
public final class HeldLocks {

	private static final Logger logger = LoggerFactory.getLogger(HeldLocks.class);

	// Between two looks at a lock that is uncertain. A look is no I/O.
	private static final long LOOK_MS = 20;

	// What waits longer is worth a line in the log.
	private static final long QUIET_MS = 1000;

	private final Set<ZooKeeperLockHandle> handles = ConcurrentHashMap.newKeySet();

	private final AtomicInteger lost = new AtomicInteger();

	private volatile @Nullable CompletableFuture<@Nullable Void> none;

	// What a shutdown does not wait for.
	private volatile Set<LockHandle> excepted = Set.of();

	private final NodeJanitor janitor;

	private final EngineTasks tasks;

	private final boolean awaitsDelete;

	private final long commitWait;

	private final LossLog log;

	/**
	 * Create an instance.
	 * @param awaitsDelete whether a release waits until ZooKeeper has confirmed it
	 * @param commitWait how long a commit waits for the connection, in milliseconds
	 */
	public HeldLocks(NodeJanitor janitor, EngineTasks tasks, boolean awaitsDelete, long commitWait) {
		this.janitor = janitor;
		this.tasks = tasks;
		this.awaitsDelete = awaitsDelete;
		this.commitWait = commitWait;
		this.log = new LossLog(tasks);
	}

	NodeJanitor janitor() {
		return this.janitor;
	}

	boolean awaitsDelete() {
		return this.awaitsDelete;
	}

	void add(ZooKeeperLockHandle handle) {
		this.handles.add(handle);
	}

	void remove(ZooKeeperLockHandle handle) {
		this.handles.remove(handle);
		CompletableFuture<@Nullable Void> waiting = this.none;
		if (waiting != null && isNoneLeft()) {
			waiting.complete(null);
		}
	}

	private boolean isNoneLeft() {
		return this.excepted.containsAll(this.handles);
	}

	/** Notify the holders of locks of earlier generations that these are lost. */
	public void loseBroken() {
		this.handles.forEach(ZooKeeperLockHandle::loseIfBroken);
	}

	/** Return how many locks were lost. */
	public int lossCount() {
		return this.lost.get();
	}

	/**
	 * Return a future of the state of a lock when it is known again. The end of the lease
	 * ends the wait in any case.
	 */
	CompletableFuture<LockState> whenCertain(ZooKeeperLockHandle handle) {
		if (handle.state() != LockState.UNCERTAIN) {
			return CompletableFuture.completedFuture(handle.state());
		}
		CompletableFuture<@Nullable Void> certain = new CompletableFuture<>();
		pollUntilCertain(handle, certain, 0);
		CompletableFuture<@Nullable Void> ended = this.tasks.within(this.commitWait, certain, null);
		CompletableFuture<LockState> state = new CompletableFuture<>();
		this.tasks.whenEnded(ended, () -> this.tasks.notice(() -> state.complete(handle.state())));
		return state;
	}

	private void pollUntilCertain(ZooKeeperLockHandle handle, CompletableFuture<@Nullable Void> certain, int looks) {
		if (handle.knownState() != LockState.UNCERTAIN) {
			certain.complete(null);
			return;
		}
		if (looks * LOOK_MS == QUIET_MS && this.commitWait > QUIET_MS) {
			logWait(handle);
		}
		this.tasks.later(() -> pollUntilCertain(handle, certain, looks + 1), TimeUnit.MILLISECONDS.toNanos(LOOK_MS),
				() -> certain.complete(null));
	}

	private void logWait(ZooKeeperLockHandle handle) {
		long lease = TimeUnit.NANOSECONDS.toMillis(handle.remainingLease());
		Duration left = Duration.ofMillis(Math.max(Math.min(this.commitWait - QUIET_MS, lease), 0));
		logger.info(
				"A commit under {} waits for the connection to ZooKeeper, for {} more at most; then its "
						+ "transaction is rolled back",
				LockKeys.describe(handle.request().key(), handle.request().mode()), DurationText.of(left));
	}

	/** Count and log a lost lock. */
	void reportLoss(ZooKeeperLockHandle handle, LockLoss loss) {
		this.lost.incrementAndGet();
		this.log.addLoss(handle, loss);
	}

	/** Return a future that ends when all losses so far are logged. */
	public CompletableFuture<@Nullable Void> whenLogged() {
		return this.log.written();
	}

	public Stream<ZooKeeperLockHandle> handles() {
		return this.handles.stream();
	}

	public int size() {
		return this.handles.size();
	}

	/**
	 * Return a future that ends when no lock is held any more. Called once, after the
	 * provider has stopped granting locks.
	 * @param excepted locks that cannot be released before
	 */
	public CompletableFuture<@Nullable Void> whenNone(Set<LockHandle> excepted) {
		CompletableFuture<@Nullable Void> released = new CompletableFuture<>();
		this.excepted = excepted;
		this.none = released;
		if (isNoneLeft()) {
			released.complete(null);
		}
		return released;
	}

	/** Take all locks away, since the provider is shut down. */
	public void revokeAll() {
		List.copyOf(this.handles).forEach((handle) -> handle.revoke(LockLoss.SHUT_DOWN));
		this.log.shutDown();
	}

}
