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

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockScope;
import io.github.zklock.core.OnLost;
import io.github.zklock.interceptor.LockExecutions.LockExecution;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;

/**
 * Runs a call that returns a publisher, or a suspending function, for which Spring makes
 * a publisher in its place: nothing happens before the subscription, and each
 * subscription acquires the locks and calls the method for itself.
 */
final class ReactiveExecution implements LockExecution {

	private static final String COROUTINES_FLOW = "kotlinx.coroutines.flow.Flow";

	private final LockOperations operations;

	private final ReactiveAdapter adapter;

	private final boolean suspending;

	ReactiveExecution(LockOperations operations, Method method) {
		this.operations = operations;
		this.suspending = KotlinDetector.isSuspendingFunction(method);
		Class<?> type = this.suspending ? publisherOf(method) : method.getReturnType();
		this.adapter = Objects.requireNonNull(ReactiveAdapterRegistry.getSharedInstance().getAdapter(type));
	}

	// As the proxy turns it back afterwards.
	private static Class<?> publisherOf(Method method) {
		String type = new MethodParameter(method, -1).getParameterType().getName();
		return type.equals(COROUTINES_FLOW) ? Flux.class : Mono.class;
	}

	@Override
	public Object execute(LockCall call) {
		Flux<Object> guarded = new Flux<>() {

			@Override
			public void subscribe(CoreSubscriber<? super Object> actual) {
				LockCall planned = call.plannedBySubscription();
				GuardedSubscription subscription = new GuardedSubscription(ReactiveExecution.this, planned.detach(),
						actual);
				actual.onSubscribe(subscription);
				subscription.start();
			}

		};
		return this.adapter.fromPublisher(isSingle() ? Mono.fromDirect(guarded) : guarded);
	}

	// In the scope of the subscriber, which may have come here from another thread.
	CompletableFuture<LockHandle> acquire(LockCall call, Object owner, @Nullable LockScope outer) {
		Collection<LockRequest> requests = LockScope.own(call.requests(), owner, outer);
		if (outer == null || outer == LockScope.ofThread()) {
			return this.operations.acquireAsync(requests);
		}
		return outer.call((held) -> this.operations.acquireAsync(requests));
	}

	boolean isSingle() {
		return !this.adapter.isMultiValue();
	}

	Publisher<?> proceed(LockCall call, LockHandle handle) throws Throwable {
		Publisher<?> body = publisher(Objects.requireNonNull(call.proceed(handle), "The method returned null"));
		return (call.onLost() == OnLost.INTERRUPT) ? Flux.from(body).takeUntilOther(lossOf(handle)) : body;
	}

	Publisher<?> refused(LockCall call, LockException refusal) throws Throwable {
		Object instead = call.refused(refusal);
		return (instead != null) ? publisher(instead) : Flux.empty();
	}

	private static Mono<Void> lossOf(LockHandle held) {
		return Mono.create((sink) -> held.onLost((lost) -> sink.success()));
	}

	private Publisher<?> publisher(Object result) {
		if (this.suspending) {
			return (result instanceof Publisher<?> publisher) ? publisher : Mono.just(result);
		}
		return this.adapter.toPublisher(result);
	}

}
