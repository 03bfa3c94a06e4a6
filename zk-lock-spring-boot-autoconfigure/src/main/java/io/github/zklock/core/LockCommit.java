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

import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether a transaction may commit: only while all of its locks are held. A short
 * interruption of the connection is waited for.
 *
 * @since 0.1.0
 * @see LockHandle#whenCertain()
 */
public final class LockCommit {

	private static final Logger logger = LoggerFactory.getLogger(LockCommit.class);

	private static final long LOOK_MS = 100;

	private LockCommit() {
	}

	/**
	 * Check the locks of a transaction. Blocks while the state of a lock is
	 * {@link LockState#UNCERTAIN}; an interrupt ends the wait.
	 * @param locks the locks
	 * @throws LockLostBeforeCommitException if one of them is not known to be held, so
	 * that the transaction has to be rolled back
	 */
	public static void require(Collection<LockHandle> locks) {
		if (!isWorthWaiting(locks)) {
			requireHeld(locks);
			return;
		}
		try {
			await(locks, whenCertain(locks));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException ex) {
			logger.debug("The state of {} is not known", locks, ex);
		}
		requireHeld(locks);
	}

	// The future may come late, as where all threads for callbacks wait for a commit: the
	// end of the lease ends the wait in any case.
	private static void await(Collection<LockHandle> locks, CompletableFuture<?> certain)
			throws InterruptedException, ExecutionException {
		while (isWorthWaiting(locks)) {
			try {
				certain.get(LOOK_MS, TimeUnit.MILLISECONDS);
				return;
			}
			catch (TimeoutException ex) {
				logger.trace("The state of {} is not known yet", locks);
			}
		}
	}

	/**
	 * The same as {@link #require} without a thread that waits.
	 * @param locks the locks
	 * @return a future that fails with the exception
	 */
	public static CompletableFuture<Void> requireAsync(Collection<LockHandle> locks) {
		CompletableFuture<?> certain = isWorthWaiting(locks) ? whenCertain(locks)
				: CompletableFuture.completedFuture(locks);
		return certain.thenRun(() -> requireHeld(locks));
	}

	private static boolean isWorthWaiting(Collection<LockHandle> locks) {
		boolean uncertain = false;
		for (LockHandle lock : locks) {
			LockState state = lock.state();
			if (state == LockState.LOST || state == LockState.RELEASED) {
				return false;
			}
			uncertain |= (state == LockState.UNCERTAIN);
		}
		return uncertain;
	}

	private static CompletableFuture<?> whenCertain(Collection<LockHandle> locks) {
		return CompletableFuture.allOf(locks.stream().map(LockHandle::whenCertain).toArray(CompletableFuture[]::new));
	}

	private static void requireHeld(Collection<LockHandle> locks) {
		for (LockHandle lock : locks) {
			LockState state = lock.state();
			if (state != LockState.HELD) {
				throw rolledBack(lock, state);
			}
		}
	}

	private static LockLostBeforeCommitException rolledBack(LockHandle lock, LockState state) {
		LockLostBeforeCommitException refusal = new LockLostBeforeCommitException(lock, state);
		Failures.log(() -> logger.warn("No commit: {}", refusal.getMessage()));
		if (lock instanceof ObservedHandle observed) {
			observed.rolledBack();
		}
		return refusal;
	}

}
