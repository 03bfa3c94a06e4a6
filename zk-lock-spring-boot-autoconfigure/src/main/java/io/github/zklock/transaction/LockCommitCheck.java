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

import java.util.List;

import io.github.zklock.core.LockHandle;

import org.springframework.transaction.TransactionExecution;

/**
 * Checks more than the state of the locks before the commit of a transaction.
 *
 * @since 0.1.0
 * @see LockCommitListener
 */
@FunctionalInterface
public interface LockCommitCheck {

	/**
	 * Called before each commit under locks. An exception rolls the transaction back.
	 * @param transaction the transaction
	 * @param locks the locks under which the thread runs, and those that were taken
	 * inside its transactions
	 */
	void beforeCommit(TransactionExecution transaction, List<LockHandle> locks);

}
