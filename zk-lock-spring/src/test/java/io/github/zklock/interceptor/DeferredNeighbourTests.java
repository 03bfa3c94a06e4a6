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

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.interceptor.LockTestConfiguration.TestProxy;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.aspectj.lang.JoinPoint;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager;
import org.springframework.transaction.reactive.GenericReactiveTransaction;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What else is around a method that goes on after it has returned.
 */
class DeferredNeighbourTests {

	@Test
	void reactiveTransactionEndsUnderTheLock() {
		try (AnnotationConfigApplicationContext context = start()) {
			Orders orders = context.getBean(Orders.class);
			assertThat(orders.place(false).block(Duration.ofSeconds(30))).isEqualTo("done");
			assertThatIllegalStateException().isThrownBy(() -> orders.place(true).block(Duration.ofSeconds(30)));
			assertThat(context.getBean(LockEvents.class).list()).containsExactly("lock order", "tx-begin", "body",
					"tx-commit", "unlock", "lock order", "tx-begin", "body", "tx-rollback", "unlock");
		}
	}

	@Test
	void aspectInsideTheLockKnowsItsCallOnAnotherThread() {
		try (AnnotationConfigApplicationContext context = start()) {
			LockHandle other = context.getBean(InMemoryLockProvider.class)
				.acquire(LockRequest.of("audited").withOwner("another"));
			CompletableFuture<String> result = context.getBean(Orders.class).audited();
			other.release();
			assertThat(result).succeedsWithin(Duration.ofSeconds(30)).isEqualTo("done");
			assertThat(context.getBean(LockEvents.class).list()).containsExactly("lock audited", "before audited",
					"body", "unlock");
		}
	}

	private static AnnotationConfigApplicationContext start() {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("test", Map.of("test.proxy", TestProxy.CGLIB_WITH_ASPECTJ.name())));
		context.register(Neighbours.class, LockTestConfiguration.class, Transactions.class, Audit.class, Orders.class);
		context.refresh();
		return context;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class Neighbours {

	}

	static class Orders {

		private final LockEvents events;

		Orders(LockEvents events) {
			this.events = events;
		}

		@Transactional
		@DistributedLock("order")
		Mono<String> place(boolean failing) {
			return Mono.fromSupplier(() -> {
				this.events.add("body");
				if (failing) {
					throw new IllegalStateException("wanted");
				}
				return "done";
			});
		}

		@DistributedLock("audited")
		CompletableFuture<String> audited() {
			this.events.add("body");
			return CompletableFuture.completedFuture("done");
		}

	}

	@Aspect
	static class Audit {

		private final LockEvents events;

		Audit(LockEvents events) {
			this.events = events;
		}

		@Before("execution(* audited())")
		void before(JoinPoint call) {
			this.events.add("before " + call.getSignature().getName());
		}

	}

	@SuppressWarnings("serial")
	static class Transactions extends AbstractReactiveTransactionManager {

		private final LockEvents events;

		Transactions(LockEvents events) {
			this.events = events;
		}

		@Override
		protected Object doGetTransaction(TransactionSynchronizationManager synchronizationManager) {
			return new Object();
		}

		@Override
		protected Mono<Void> doBegin(TransactionSynchronizationManager synchronizationManager, Object transaction,
				TransactionDefinition definition) {
			return Mono.fromRunnable(() -> this.events.add("tx-begin"));
		}

		@Override
		protected Mono<Void> doCommit(TransactionSynchronizationManager synchronizationManager,
				GenericReactiveTransaction status) {
			return Mono.fromRunnable(() -> this.events.add("tx-commit"));
		}

		@Override
		protected Mono<Void> doRollback(TransactionSynchronizationManager synchronizationManager,
				GenericReactiveTransaction status) {
			return Mono.fromRunnable(() -> this.events.add("tx-rollback"));
		}

	}

}
