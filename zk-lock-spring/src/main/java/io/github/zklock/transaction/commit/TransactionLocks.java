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

package io.github.zklock.transaction.commit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LossPolicy;
import io.github.zklock.core.internal.LockCommit;
import io.github.zklock.core.internal.LockRun;
import io.github.zklock.core.spi.UnusedRelease;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The locks that were taken inside a transaction: checked before its commit, released
 * after its completion. Bound to the thread as long as the transaction is not suspended.
 *
 * @since 0.1.0
 */
public final class TransactionLocks implements TransactionSynchronization {

	private static final Logger logger = LoggerFactory.getLogger(TransactionLocks.class);

	private static final Object KEY = TransactionLocks.class;

	private static final Object SUSPENDED = TransactionLocks.class.getName() + ".suspended";

	// The last acquired first. Guarded by itself, as a transaction that times out may be
	// completed on another thread.
	private final Deque<BoundLock> locks = new ArrayDeque<>();

	private volatile boolean ended;

	private boolean followed;

	private TransactionLocks() {
	}

	/**
	 * Return whether the calling thread runs in a transaction that can keep locks.
	 * @return whether it does
	 */
	public static boolean isTransactionActive() {
		return TransactionSynchronizationManager.isActualTransactionActive()
				&& TransactionSynchronizationManager.isSynchronizationActive();
	}

	/**
	 * Return the locks of the active transaction of the calling thread.
	 * @return its locks, to which more can be added until it is completed
	 */
	public static TransactionLocks ofTransaction() {
		TransactionLocks locks = current();
		if (locks == null) {
			locks = new TransactionLocks();
			TransactionSynchronizationManager.registerSynchronization(locks);
			locks.resume();
		}
		return locks;
	}

	static @Nullable TransactionLocks current() {
		TransactionLocks locks = (TransactionLocks) TransactionSynchronizationManager.getResource(KEY);
		return (locks != null && !locks.ended) ? locks : null;
	}

	/**
	 * Leave the release of a lock to the transaction.
	 * @param handle the lock
	 * @param onLost what happens when it is lost
	 * @throws IllegalStateException if the transaction was completed meanwhile; the lock
	 * is released then
	 */
	public void add(LockHandle handle, LossPolicy onLost) {
		synchronized (this.locks) {
			if (!this.ended) {
				this.locks.push(new BoundLock(handle, onLost));
				return;
			}
		}
		UnusedRelease.of(handle);
		throw new IllegalStateException(
				"The transaction was completed while " + handle + " was waited for: its timeout may be too short");
	}

	/**
	 * Return the locks of the transactions of the calling thread, except those whose loss
	 * is ignored. A suspended transaction keeps its locks for all that it has called.
	 * @return the locks
	 */
	public static List<LockHandle> ofThread() {
		List<LockHandle> handles = new ArrayList<>();
		TransactionLocks locks = current();
		if (locks != null) {
			locks.addTo(handles);
		}
		suspended().forEach((each) -> each.addTo(handles));
		return handles;
	}

	@SuppressWarnings("unchecked")
	private static List<TransactionLocks> suspended() {
		List<TransactionLocks> suspended = (List<TransactionLocks>) TransactionSynchronizationManager
			.getResource(SUSPENDED);
		return (suspended != null) ? suspended : List.of();
	}

	// What was completed on another thread is not resumed here.
	private static void suspended(Consumer<List<TransactionLocks>> change) {
		List<TransactionLocks> suspended = new ArrayList<>(suspended());
		change.accept(suspended);
		suspended.removeIf((each) -> each.ended);
		TransactionSynchronizationManager.unbindResourceIfPossible(SUSPENDED);
		if (!suspended.isEmpty()) {
			TransactionSynchronizationManager.bindResource(SUSPENDED, suspended);
		}
	}

	private void addTo(List<LockHandle> handles) {
		if (!this.ended) {
			for (BoundLock lock : bound()) {
				if (lock.onLost() != LossPolicy.IGNORE) {
					handles.addAll(lock.handle().handles());
				}
			}
		}
	}

	@Override
	public void suspend() {
		TransactionSynchronizationManager.unbindResourceIfPossible(KEY);
		suspended((suspended) -> suspended.add(this));
	}

	// One that was completed on another thread is still bound to this one.
	@Override
	public void resume() {
		suspended((suspended) -> suspended.remove(this));
		TransactionSynchronizationManager.unbindResourceIfPossible(KEY);
		TransactionSynchronizationManager.bindResource(KEY, this);
	}

	@Override
	public void beforeCommit(boolean readOnly) {
		LockCommit.require(ofThread());
	}

	// What was registered meanwhile would come after this one, and may need the locks.
	@Override
	public void beforeCompletion() {
		if (TransactionSynchronizationManager.isSynchronizationActive()) {
			this.followed = true;
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCompletion(int status) {
					end(status);
				}

			});
		}
	}

	@Override
	public void afterCompletion(int status) {
		if (!this.followed) {
			end(status);
		}
	}

	private void end(int status) {
		suspended((suspended) -> suspended.remove(this));
		if (TransactionSynchronizationManager.getResource(KEY) == this) {
			TransactionSynchronizationManager.unbindResource(KEY);
		}
		synchronized (this.locks) {
			this.ended = true;
		}
		for (BoundLock lock : bound()) {
			release(lock, status);
		}
	}

	private static void release(BoundLock lock, int status) {
		LockRun.release(lock.handle());
		if (status != STATUS_ROLLED_BACK && lock.onLost() != LossPolicy.IGNORE
				&& lock.handle().state() == LockState.LOST) {
			logger.warn("{} was lost while its transaction was committed, so another client may have held it: check "
					+ "what was committed", lock.handle());
		}
	}

	private List<BoundLock> bound() {
		synchronized (this.locks) {
			return new ArrayList<>(this.locks);
		}
	}

	private record BoundLock(LockHandle handle, LossPolicy onLost) {
	}

}
