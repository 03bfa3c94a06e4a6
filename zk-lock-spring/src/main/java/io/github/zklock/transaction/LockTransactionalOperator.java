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

import io.github.zklock.transaction.commit.LockCommitAdvisor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.transaction.reactive.TransactionCallback;
import org.springframework.transaction.reactive.TransactionalOperator;

/**
 * Lets no reactive transaction commit under a lock that is not known to be held. The
 * transaction is rolled back, and the caller gets a
 * {@link io.github.zklock.core.LockLostException}. Checked are, without any I/O, the
 * locks under which the transaction begins, except those whose loss is to be
 * {@linkplain io.github.zklock.core.LossPolicy#IGNORE ignored}.
 * <p>
 * The auto-configuration puts it around operators that are beans, and checks methods with
 * {@code @Transactional} as well. Put it around others with
 * {@code LockTransactionalOperator.of(TransactionalOperator.create(manager))}. Without
 * it, they commit even when the lock is lost, and the loss is reported only to the
 * caller.
 *
 * @since 0.1.0
 */
public final class LockTransactionalOperator implements TransactionalOperator {

	private final TransactionalOperator operator;

	private LockTransactionalOperator(TransactionalOperator operator) {
		this.operator = operator;
	}

	/**
	 * Make an operator that checks locks.
	 * @param operator what begins and ends the transactions
	 * @return the operator
	 */
	public static LockTransactionalOperator of(TransactionalOperator operator) {
		return new LockTransactionalOperator(operator);
	}

	@Override
	public <T> Mono<T> transactional(Mono<T> mono) {
		return this.operator.transactional(LockCommitAdvisor.Check.before(mono))
			.contextWrite(LockCommitAdvisor.Check::ofSubscriber);
	}

	@Override
	public <T> Flux<T> execute(TransactionCallback<T> action) {
		return this.operator.execute(
				(transaction) -> LockCommitAdvisor.Check.before(Flux.defer(() -> action.doInTransaction(transaction))))
			.contextWrite(LockCommitAdvisor.Check::ofSubscriber);
	}

}
