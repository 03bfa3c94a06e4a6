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

package io.github.zklock.interceptor;

import io.github.zklock.core.LockScope;
import io.github.zklock.core.LockState;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;

/**
 * Checks before the commit of a reactive transaction that the locks are held under which
 * it has begun. A listener of the transaction manager cannot, since it knows neither the
 * subscriber nor its context.
 *
 * @param scope the locks
 */
record LockCommitCheck(LockScope scope) implements TransactionSynchronization {

	static <T> Mono<T> before(Mono<T> body) {
		return registration().then(body);
	}

	static <T> Flux<T> before(Publisher<T> body) {
		return registration().thenMany(body);
	}

	// The transaction may begin on another thread than that of the subscriber.
	static Context ofSubscriber(Context context) {
		LockScope scope = LockScope.ofThread();
		return (scope != null) ? context.put(LockCommitCheck.class, scope) : context;
	}

	private static Mono<Void> registration() {
		return Mono.deferContextual((context) -> {
			Object key = context.hasKey(LockScope.class) ? LockScope.class : LockCommitCheck.class;
			return context.hasKey(key) ? registration(context.get(key)) : Mono.empty();
		});
	}

	private static Mono<Void> registration(LockScope scope) {
		return TransactionSynchronizationManager.forCurrentTransaction()
			.doOnNext((transaction) -> register(transaction, scope))
			.onErrorComplete(NoTransactionException.class)
			.then();
	}

	// The first one has seen the locks around the transaction; who only takes part in it
	// may have locks that end before it.
	private static void register(TransactionSynchronizationManager transaction, LockScope scope) {
		if (transaction.isSynchronizationActive() && transaction.isActualTransactionActive()
				&& transaction.getSynchronizations().stream().noneMatch(LockCommitCheck.class::isInstance)) {
			transaction.registerSynchronization(new LockCommitCheck(scope));
		}
	}

	@Override
	public Mono<Void> beforeCommit(boolean readOnly) {
		return Mono.fromRunnable(() -> this.scope.<@Nullable Void, RuntimeException>call((handle) -> {
			if (handle.state() != LockState.RELEASED) {
				LockScope.assertHeld();
			}
			return null;
		}));
	}

}
