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

import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockState;
import io.github.zklock.core.internal.LockCommit;
import io.github.zklock.core.internal.LockScope;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.core.KotlinDetector;
import org.springframework.core.Ordered;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;

/**
 * Lets no reactive method with {@code @Transactional} commit under a lock that is not
 * known to be held. The {@link io.github.zklock.transaction.LockCommitListener} does so
 * for the other methods. It takes two. The advisor around the transaction reports the
 * locks of the subscriber to the thread, and the advisor within it checks them. The
 * latter comes last, and has to be registered after the advisor of the transaction where
 * both have the lowest precedence.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public final class LockCommitAdvisor extends StaticMethodMatcherPointcutAdvisor {

	private final transient Supplier<@Nullable TransactionAttributeSource> transactions;

	private LockCommitAdvisor(Supplier<@Nullable TransactionAttributeSource> transactions, MethodInterceptor advice,
			int order) {
		super(advice);
		this.transactions = transactions;
		setOrder(order);
	}

	/**
	 * Create the advisor around the transaction.
	 * @param transactions which methods have a transaction, if any
	 * @return the advisor
	 */
	public static LockCommitAdvisor outside(Supplier<@Nullable TransactionAttributeSource> transactions) {
		return new LockCommitAdvisor(transactions, (invocation) -> result(invocation,
				(mono) -> mono.contextWrite(Check::ofSubscriber), (flux) -> flux.contextWrite(Check::ofSubscriber)),
				Ordered.HIGHEST_PRECEDENCE + 100);
	}

	/**
	 * Create the advisor within the transaction.
	 * @param transactions which methods have a transaction, if any
	 * @return the advisor
	 */
	public static LockCommitAdvisor inside(Supplier<@Nullable TransactionAttributeSource> transactions) {
		return new LockCommitAdvisor(transactions, (invocation) -> result(invocation, Check::before, Check::before),
				Ordered.LOWEST_PRECEDENCE);
	}

	@Override
	public boolean matches(Method method, Class<?> targetClass) {
		if (adapter(method.getReturnType()) == null && !KotlinDetector.isSuspendingFunction(method)) {
			return false;
		}
		TransactionAttributeSource source = this.transactions.get();
		return source != null && source.getTransactionAttribute(method, targetClass) != null;
	}

	private static @Nullable Object result(MethodInvocation invocation, UnaryOperator<Mono<?>> single,
			UnaryOperator<Flux<?>> several) throws Throwable {
		Object result = invocation.proceed();
		if (result instanceof Mono<?> mono) {
			return single.apply(mono);
		}
		ReactiveAdapter adapter = (result != null) ? adapter(result.getClass()) : null;
		return (result != null && adapter != null)
				? adapter.fromPublisher(several.apply(Flux.from(adapter.toPublisher(result)))) : result;
	}

	// A future has no context, and so no reactive transaction: it stays the one that the
	// method returned.
	private static @Nullable ReactiveAdapter adapter(Class<?> type) {
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
		return (adapter != null && adapter.getDescriptor().isDeferred()) ? adapter : null;
	}

	/**
	 * Checks before the commit of a reactive transaction that the locks are held under
	 * which it has begun. A listener of the transaction manager cannot, since it knows
	 * neither the subscriber nor its context.
	 *
	 * @param scope the locks
	 */
	public record Check(LockScope scope) implements TransactionSynchronization {

		/**
		 * Return a body that registers the check before it begins.
		 * @param <T> the type of the elements
		 * @param body the body
		 * @return the body with the check
		 */
		public static <T> Mono<T> before(Mono<T> body) {
			return registration().then(body);
		}

		/**
		 * Return a body that registers the check before it begins.
		 * @param <T> the type of the elements
		 * @param body the body
		 * @return the body with the check
		 */
		public static <T> Flux<T> before(Publisher<T> body) {
			return registration().thenMany(body);
		}

		/**
		 * Return a context with the locks of the subscriber, since the transaction may
		 * begin on another thread.
		 * @param context the context of the subscriber
		 * @return the context
		 */
		public static Context ofSubscriber(Context context) {
			LockScope scope = LockScope.ofThread();
			return (scope != null) ? context.put(Check.class, scope) : context;
		}

		private static Mono<Void> registration() {
			return Mono.deferContextual((context) -> {
				Object key = context.hasKey(LockScope.class) ? LockScope.class : Check.class;
				return context.hasKey(key) ? registration(context.get(key)) : Mono.empty();
			});
		}

		private static Mono<Void> registration(LockScope scope) {
			return TransactionSynchronizationManager.forCurrentTransaction()
				.doOnNext((transaction) -> register(transaction, scope))
				.onErrorComplete(NoTransactionException.class)
				.then();
		}

		// The first one has seen the locks around the transaction. The locks of a method
		// that only takes part in it may end before it.
		private static void register(TransactionSynchronizationManager transaction, LockScope scope) {
			if (transaction.isSynchronizationActive() && transaction.isActualTransactionActive()
					&& transaction.getSynchronizations().stream().noneMatch(Check.class::isInstance)) {
				transaction.registerSynchronization(new Check(scope));
			}
		}

		@Override
		public Mono<Void> beforeCommit(boolean readOnly) {
			return Mono.defer(() -> {
				List<LockHandle> locks = this.scope.locks();
				locks.removeIf((lock) -> lock.state() == LockState.RELEASED);
				return Mono.fromFuture(LockCommit.requireAsync(locks));
			});
		}

		@Override
		public Mono<Void> afterCommit() {
			return Mono.fromRunnable(() -> LockCommit.committed(this.scope.locks()));
		}

	}

}
