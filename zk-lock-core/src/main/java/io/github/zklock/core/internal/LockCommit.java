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

package io.github.zklock.core.internal;

import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostBeforeCommitException;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether a transaction may commit: only while all of its locks are held. A short
 * interruption of the connection is waited for. It also remembers whether a transaction
 * was committed before, since then a refusal does not undo all that was done.
 *
 * @since 0.1.0
 * @see LockHandle#whenCertain()
 */
public final class LockCommit {

	private static final Logger logger = LoggerFactory.getLogger(LockCommit.class);

	private static final long LOOK_MS = 100;

	// The locks under which a transaction was committed, as long as they are used.
	private static final Set<LockHandle> committed = Collections
		.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));

	private LockCommit() {
	}

	/**
	 * Check the locks of a transaction. Blocks while the state of a lock is
	 * {@link LockState#UNCERTAIN}; an interrupt ends the wait.
	 * @param locks the locks
	 * @throws LockLostException if one of them is not known to be held, so that the
	 * transaction has to be rolled back. It is a {@link LockLostBeforeCommitException}
	 * unless a transaction was committed under the locks before
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

	// The future may come late, for example when all threads for callbacks wait for a
	// commit. The end of the lease ends the wait in any case.
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
				LockLostException refusal = refused(lock, locks, reason(lock, state), null);
				if (lock instanceof ObservedHandle observed) {
					observed.rolledBack();
				}
				throw refusal;
			}
		}
	}

	private static String reason(LockHandle handle, LockState state) {
		return switch (state) {
			case RELEASED -> "was released before the commit";
			case UNCERTAIN -> "is not known to be held before the commit: the connection is interrupted";
			default -> "was lost before the commit" + ((handle.loss() != null) ? (": " + handle.loss()) : "");
		};
	}

	/**
	 * Remember that what a transaction did stays, even if a lock is lost later.
	 * @param locks the locks under which a transaction was committed, or may have been
	 */
	public static void committed(Collection<LockHandle> locks) {
		committed.addAll(locks);
	}

	/**
	 * Return the exception for a commit that is refused, and log it.
	 * @param lock the lock that is not held
	 * @param locks all locks of the transaction
	 * @param reason why the transaction cannot commit, to follow the name of the lock
	 * @param cause the cause, if any
	 * @return a {@link LockLostBeforeCommitException}, or another exception if a
	 * transaction was committed under the locks before
	 */
	public static LockLostException refused(LockHandle lock, Collection<LockHandle> locks, String reason,
			@Nullable Throwable cause) {
		String message = LockKeys.describe(lock.key(), lock.mode()) + " " + reason
				+ ". The transaction is rolled back, ";
		LockLostException refusal = locks.stream().anyMatch(committed::contains)
				? new LockLostException(lock,
						message + "but what was committed before under the lock stays: check or undo it", cause)
				: new LockLostBeforeCommitException(lock, message + "and it is safe to try it again", cause);
		logger.warn("No commit: {}", refusal.getMessage());
		return refusal;
	}

	/**
	 * Return the exception for a lock that was lost before anything was done under it,
	 * and log it.
	 * @param lock the lock
	 * @param locks the lock and those around it
	 * @param reason why the lock counts as lost, to follow its name
	 * @param hint what else is to be known
	 * @return a {@link LockLostBeforeCommitException}, or another exception if a
	 * transaction was committed under the locks before
	 */
	public static LockLostException notBegun(LockHandle lock, Collection<LockHandle> locks, String reason,
			String hint) {
		String message = LockKeys.describe(lock.key(), lock.mode()) + " " + reason + ". Nothing was done under it";
		LockLostException refusal = locks.stream().anyMatch(committed::contains)
				? new LockLostException(lock,
						message + ", but what was committed before under the locks around it stays. " + hint, null)
				: new LockLostBeforeCommitException(lock, message + ", and it is safe to try it again. " + hint, null);
		logger.warn("Not begun: {}", refusal.getMessage());
		return refusal;
	}

}
