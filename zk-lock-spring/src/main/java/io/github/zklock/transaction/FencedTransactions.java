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

import io.github.zklock.core.LockHandle;

/**
 * Fences the transactions that run under a lock. No transaction of an earlier holder
 * commits after a later holder has called {@link #raise}. Thread safe. The
 * auto-configuration has a bean of this type.
 *
 * <pre class="code">
 * locks.execute(request, (handle) -&gt; {
 *     fencedTransactions.raise(handle);
 *     return transactions.execute((status) -&gt; ...);
 * });
 * </pre>
 *
 * @since 0.1.0
 * @see io.github.zklock.annotation.Fenced
 */
public interface FencedTransactions extends LockCommitListener.Check {

	/**
	 * The name of the data source that is fenced unless another is named.
	 */
	String DEFAULT = "";

	/**
	 * Let no earlier holder of a lock commit any more, in the default data source. To be
	 * called after the lock was acquired, and before anything is read that the lock
	 * protects. The commits of the calling thread are checked only if it runs under the
	 * lock. A thread does so in the body of
	 * {@link io.github.zklock.core.LockOperations#execute LockOperations.execute} or
	 * {@link LockHandle#call(io.github.zklock.core.LockCallback) LockHandle.call}.
	 * @param handle the lock, or several
	 * @throws io.github.zklock.core.LockLostException if a later holder has done the same
	 * before. It is a {@link io.github.zklock.core.LockLostBeforeCommitException} unless
	 * a transaction was committed before, under the lock or one around it
	 * @throws io.github.zklock.core.LockUnavailableException if the database does not
	 * answer in time
	 * @throws org.springframework.transaction.IllegalTransactionStateException if the
	 * calling thread has a transaction around which the fence was not raised
	 * @throws IllegalStateException if no commit of the thread would be checked: no lock,
	 * a loss that is {@linkplain io.github.zklock.core.LossPolicy#IGNORE ignored}, or
	 * several permits
	 */
	default void raise(LockHandle handle) {
		raise(handle, DEFAULT);
	}

	/**
	 * The same in another data source.
	 * @param handle the lock, or several
	 * @param dataSource the name of the data source
	 */
	void raise(LockHandle handle, String dataSource);

	/**
	 * Is notified of what fences do. A listener must be quick and must not throw.
	 *
	 * @since 0.1.0
	 */
	interface Listener {

		/**
		 * Called when the fence of a lock was raised: from now on no earlier holder
		 * commits.
		 * @param handle the lock
		 */
		default void raised(LockHandle handle) {
		}

		/**
		 * Called when a lock was refused, because the database has seen a later holder.
		 * @param handle the lock
		 */
		default void raiseRefused(LockHandle handle) {
		}

		/**
		 * Called when a commit was refused, because the database has seen a later holder.
		 * @param handle the lock
		 */
		default void commitRefused(LockHandle handle) {
		}

	}

}
