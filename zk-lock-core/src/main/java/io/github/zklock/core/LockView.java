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

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

import io.github.zklock.core.internal.LockKeys;
import io.github.zklock.core.internal.LockOwners;
import io.github.zklock.core.internal.LockRun;
import io.github.zklock.core.internal.LockScope;
import org.jspecify.annotations.Nullable;

/**
 * One key in one mode as a {@link Lock} of the JDK, for code that requires one. It has no
 * state of its own. Two views of one key and mode of the same {@link LockOperations} are
 * equal, and one can unlock what the other has locked.
 * <p>
 * It keeps the contract of {@link Lock}, and defines what that contract leaves open. It
 * is re-entrant for a thread and a key, together with a {@code @DistributedLock} on the
 * same key. Only the thread that has locked it may unlock it. It is fair between
 * processes. There are no conditions. While the backend cannot be asked, {@link #lock()}
 * and {@link #lockInterruptibly()} wait until it can. {@link #tryLock()} and
 * {@link #tryLock(long, TimeUnit)} throw a {@link LockUnavailableException} then, since
 * {@code false} means that another holder has the lock. {@link #unlock()} reports the
 * loss of a lock, and {@link #handle()} shows it before that.
 *
 * @since 0.1.0
 * @see LockOperations#asLock(String)
 * @see LockOperations#asReadWriteLock(String)
 */
public final class LockView implements Lock {

	// The locks of each thread by view. A thread without a lock has no map.
	private static final ThreadLocal<@Nullable Map<LockView, Deque<LockHandle>>> HELD = new ThreadLocal<>();

	private final LockOperations operations;

	private final LockRequest request;

	LockView(LockOperations operations, LockRequest request) {
		this.operations = operations;
		this.request = request;
	}

	/**
	 * Lock the key, and wait for that as long as it takes. An interrupt does not end the
	 * wait. The interrupted thread goes to the end of the queue, and its interrupt flag
	 * is set when this returns.
	 * @throws LockUpgradeException if the thread holds the key in {@link LockMode#READ}
	 * and this is not a view of that mode
	 * @throws LockLostException if the thread holds the key with a lock that is not known
	 * to be held any more
	 * @throws LockUnavailableException if the provider is closed, or refuses requests in
	 * an outage
	 */
	@Override
	public void lock() {
		boolean interrupted = Thread.interrupted();
		try {
			while (!isLockedWithin(LockRequest.FOREVER)) {
				interrupted |= Thread.interrupted();
			}
		}
		finally {
			restore(interrupted);
		}
	}

	// Returns false after an interrupt.
	private boolean isLockedWithin(Duration wait) {
		try {
			acquire(wait);
			return true;
		}
		catch (LockInterruptedException ex) {
			return false;
		}
	}

	/**
	 * Lock the key, and wait for that until the thread is interrupted.
	 * @throws InterruptedException if it is interrupted, or was before
	 * @throws LockUpgradeException as {@link #lock()}
	 * @throws LockLostException as {@link #lock()}
	 * @throws LockUnavailableException as {@link #lock()}
	 */
	@Override
	public void lockInterruptibly() throws InterruptedException {
		acquireInterruptibly(LockRequest.FOREVER);
	}

	/**
	 * Lock the key if it is free. An interrupt has no effect on this.
	 * @return {@code false} if another holder has it or another request waits for it. A
	 * reader may share the lock with readers of its process for 50 ms after a writer of
	 * another process has come. A strict order excludes that
	 * @throws LockUpgradeException as {@link #lock()}
	 * @throws LockLostException as {@link #lock()}
	 * @throws LockUnavailableException if the backend could not be asked in the time that
	 * the provider has for a non-blocking attempt, or for its first connection
	 */
	@Override
	public boolean tryLock() {
		boolean interrupted = Thread.interrupted();
		try {
			while (!isLockedWithin(Duration.ZERO)) {
				interrupted |= Thread.interrupted();
			}
			return true;
		}
		catch (LockNotAcquiredException ex) {
			return false;
		}
		finally {
			restore(interrupted);
		}
	}

	/**
	 * Lock the key, and wait for that no longer than a time.
	 * @param time how long to wait; zero or less is one try
	 * @param unit the unit of the time
	 * @return {@code false} if other holders had it for the whole time
	 * @throws InterruptedException if the thread is interrupted, or was before
	 * @throws LockUpgradeException as {@link #lock()}
	 * @throws LockLostException as {@link #lock()}
	 * @throws LockUnavailableException if the backend could not be asked in that time
	 */
	@Override
	public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
		try {
			acquireInterruptibly(Duration.ofNanos(Math.max(unit.toNanos(time), 0)));
			return true;
		}
		catch (LockNotAcquiredException ex) {
			return false;
		}
	}

	/**
	 * Release what the calling thread has locked last with a view of this key and mode.
	 * The key is free when all of them are released.
	 * @throws IllegalMonitorStateException if the thread has locked nothing by such a
	 * view
	 * @throws LockLostException if the lock was lost before: the work under it may have
	 * overlapped with the work of another holder. It is released nevertheless
	 */
	@Override
	public void unlock() {
		LockHandle handle = handle();
		// Forgotten only after a release, so that a caller can repeat a failed one.
		handle.release();
		forget();
		LockLostException loss = LockLostException.of(handle);
		if (loss != null) {
			throw loss;
		}
	}

	/**
	 * Refuse to make a condition, because other processes could not signal it.
	 * @throws UnsupportedOperationException always
	 */
	@Override
	public Condition newCondition() {
		throw new UnsupportedOperationException(this + " has no conditions: no other process could signal them");
	}

	/**
	 * Return the handle of what the calling thread has locked last with a view of this
	 * key and mode. It gives access to the fencing token and the state. {@link #unlock()}
	 * releases it, not its own methods.
	 * @return the handle
	 * @throws IllegalMonitorStateException if the thread has locked nothing by such a
	 * view
	 */
	public LockHandle handle() {
		Map<LockView, Deque<LockHandle>> held = HELD.get();
		Deque<LockHandle> handles = (held != null) ? held.get(this) : null;
		if (handles == null) {
			throw new IllegalMonitorStateException(
					"Thread '" + Thread.currentThread().getName() + "' has not locked " + this);
		}
		return handles.getFirst();
	}

	private void acquireInterruptibly(Duration wait) throws InterruptedException {
		if (Thread.interrupted()) {
			throw new InterruptedException("Interrupted before the wait for " + this);
		}
		try {
			acquire(wait);
		}
		catch (LockInterruptedException ex) {
			Thread.interrupted();
			throw (InterruptedException) new InterruptedException(ex.getMessage()).initCause(ex);
		}
	}

	// The thread owns the lock, unless it runs under a lock of this key that belongs to a
	// chain of calls.
	private void acquire(Duration wait) {
		LockHandle handle = this.operations.acquire(
				LockOwners.own(List.of(this.request.withWait(wait)), Thread.currentThread(), LockScope.ofThread()));
		LockRun.keep(handle, this::remember);
	}

	private LockHandle remember(LockHandle handle) {
		Map<LockView, Deque<LockHandle>> held = HELD.get();
		if (held == null) {
			held = new HashMap<>();
			HELD.set(held);
		}
		held.computeIfAbsent(this, (view) -> new ArrayDeque<>()).addFirst(handle);
		return handle;
	}

	private void forget() {
		Map<LockView, Deque<LockHandle>> held = HELD.get();
		Deque<LockHandle> handles = (held != null) ? held.get(this) : null;
		if (held == null || handles == null) {
			return;
		}
		handles.removeFirst();
		if (handles.isEmpty()) {
			held.remove(this);
		}
		if (held.isEmpty()) {
			HELD.remove();
		}
	}

	private static void restore(boolean interrupted) {
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Return whether another object is a view of the same key and mode of the same
	 * {@link LockOperations}.
	 */
	@Override
	public boolean equals(@Nullable Object other) {
		return this == other || (other instanceof LockView view && this.operations == view.operations
				&& this.request.equals(view.request));
	}

	@Override
	public int hashCode() {
		return this.request.hashCode();
	}

	/**
	 * Return the lock in the words of a message.
	 */
	@Override
	public String toString() {
		return LockKeys.describe(this.request.key(), this.request.mode());
	}

	/**
	 * One key as a {@link ReadWriteLock} of the JDK. Its locks have the modes
	 * {@link LockMode#READ} and {@link LockMode#WRITE}, so they and
	 * {@link LockOperations#asLock(String)} of the same key exclude each other as the
	 * modes do. A thread that has locked for writing may lock for reading as well. Others
	 * can read when it has released both. To lock for writing while reading is refused at
	 * once with a {@link LockUpgradeException}.
	 *
	 * @since 0.1.0
	 * @see LockOperations#asReadWriteLock(String)
	 */
	public static final class ReadWrite implements ReadWriteLock {

		private final LockView readLock;

		private final LockView writeLock;

		ReadWrite(LockOperations operations, String key) {
			LockRequest request = LockRequest.of(key);
			this.readLock = new LockView(operations, request.withMode(LockMode.READ));
			this.writeLock = new LockView(operations, request.withMode(LockMode.WRITE));
		}

		@Override
		public LockView readLock() {
			return this.readLock;
		}

		@Override
		public LockView writeLock() {
			return this.writeLock;
		}

	}

}
