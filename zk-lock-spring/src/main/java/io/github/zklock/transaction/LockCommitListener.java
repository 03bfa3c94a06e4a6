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

package io.github.zklock.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.internal.LockCommit;
import io.github.zklock.core.internal.LockScope;
import io.github.zklock.transaction.commit.TransactionLocks;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Lets no transaction commit under a lock that is not known to be held. The transaction
 * is rolled back, and the caller gets a
 * {@link io.github.zklock.core.LockLostBeforeCommitException}. If a transaction was
 * committed under the locks before, it is another
 * {@link io.github.zklock.core.LockLostException}. Checked are, without any I/O, all
 * locks under which the committing thread runs, and those that were taken inside its
 * transactions, suspended ones included. Locks whose loss is to be
 * {@linkplain io.github.zklock.core.LossPolicy#IGNORE ignored} are not checked. A commit
 * waits while the connection is interrupted, as long as the lock may still be held.
 * <p>
 * The auto-configuration adds one to all transaction managers that are beans. Add one to
 * others with {@code transactionManager.addListener(new LockCommitListener())}. Where
 * they run {@linkplain io.github.zklock.annotation.Fenced fenced} methods, add the
 * fences: {@code new LockCommitListener(() -> List.of(fencedTransactions))}. Reactive
 * transactions belong to no thread and are checked in another way.
 *
 * @since 0.1.0
 * @see LockTransactionalOperator
 */
public final class LockCommitListener implements TransactionExecutionListener {

	private final Supplier<? extends List<Check>> checks;

	/**
	 * Create the listener.
	 */
	public LockCommitListener() {
		this(List::of);
	}

	/**
	 * Create a listener that checks more than the state of the locks.
	 * @param checks returns what else is checked, after the state of the locks
	 */
	public LockCommitListener(Supplier<? extends List<Check>> checks) {
		this.checks = checks;
	}

	@Override
	public void beforeCommit(TransactionExecution transaction) {
		List<LockHandle> locks = locks();
		LockCommit.require(locks);
		if (!locks.isEmpty()) {
			this.checks.get().forEach((check) -> check(check, transaction, locks));
		}
	}

	// A TransactionException is no reason for a rollback to Spring: what was written is
	// then committed with the next use of the connection.
	private static void check(Check check, TransactionExecution transaction, List<LockHandle> locks) {
		try {
			check.beforeCommit(transaction, locks);
		}
		catch (TransactionException ex) {
			throw new IllegalStateException("The check before a commit has failed: " + ex.getMessage(), ex);
		}
	}

	// It may have been committed even if it failed. The end of a savepoint commits
	// nothing.
	@Override
	public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
		if (transaction.isNewTransaction() && !transaction.isReadOnly()) {
			LockCommit.committed(locks());
		}
	}

	private static List<LockHandle> locks() {
		LockScope scope = LockScope.ofThread();
		List<LockHandle> locks = (scope != null) ? scope.locks() : new ArrayList<>();
		locks.addAll(TransactionLocks.ofThread());
		return locks;
	}

	/**
	 * Checks more than the state of the locks before the commit of a transaction. The
	 * auto-configuration uses each bean of this type.
	 *
	 * @since 0.1.0
	 */
	@FunctionalInterface
	public interface Check {

		/**
		 * Called before each commit under locks. An exception rolls the transaction back.
		 * @param transaction the transaction
		 * @param locks the locks under which the thread runs, and those that were taken
		 * inside its transactions
		 */
		void beforeCommit(TransactionExecution transaction, List<LockHandle> locks);

	}

}
