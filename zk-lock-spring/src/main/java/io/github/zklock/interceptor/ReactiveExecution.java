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
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LossPolicy;
import io.github.zklock.core.internal.Failures;
import io.github.zklock.core.internal.Failures.Source;
import io.github.zklock.core.internal.LockRun;
import io.github.zklock.core.internal.LockScope;
import io.github.zklock.core.internal.WorkRecords;
import io.github.zklock.core.spi.UnusedRelease;
import io.github.zklock.interceptor.LockExecutions.LockExecution;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Operators.DeferredSubscription;
import reactor.util.context.Context;

import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;

/**
 * Runs a call that returns a publisher, or a suspending function, for which Spring makes
 * a publisher in its place. Nothing happens before the subscription. Each subscription
 * acquires the locks and calls the method for itself.
 */
final class ReactiveExecution implements LockExecution {

	private static final String COROUTINES_FLOW = "kotlinx.coroutines.flow.Flow";

	private final LockOperations operations;

	private final ReactiveAdapter adapter;

	private final boolean suspending;

	ReactiveExecution(LockOperations operations, Method method) {
		this.operations = operations;
		this.suspending = KotlinDetector.isSuspendingFunction(method);
		this.adapter = adapter(method);
	}

	private static ReactiveAdapter adapter(Method method) {
		Class<?> type = KotlinDetector.isSuspendingFunction(method) ? publisherOf(method) : method.getReturnType();
		return Objects.requireNonNull(ReactiveAdapterRegistry.getSharedInstance().getAdapter(type));
	}

	/**
	 * Return a publisher that fails when it is subscribed to.
	 */
	static Object failed(LockCall call, RuntimeException failure) {
		return adapter(call.operation().method()).fromPublisher(Mono.defer(() -> {
			call.plannedBySubscription().cannotBegin(failure);
			return Mono.error(failure);
		}));
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
				if (planned.run().isOfAnother()) {
					Operators.complete(actual);
					return;
				}
				GuardedSubscription subscription = new GuardedSubscription(planned.detach(), actual);
				actual.onSubscribe(subscription);
				subscription.start();
			}

		};
		return this.adapter.fromPublisher(isSingle() ? Mono.fromDirect(guarded) : guarded);
	}

	private boolean isSingle() {
		return !this.adapter.isMultiValue();
	}

	private Publisher<?> publisher(Object result) {
		if (this.suspending) {
			return (result instanceof Publisher<?> publisher) ? publisher : Mono.just(result);
		}
		return this.adapter.toPublisher(result);
	}

	/**
	 * One subscription to a guarded method: it acquires, subscribes to what the method
	 * returns, and releases before it passes on the end. The one value of a single result
	 * is passed on with the end, since a loss of the lock would come too late after it. A
	 * subscription that is cancelled, or fails, leaves the release to the
	 * {@linkplain BodyThreads threads} that are in the body.
	 */
	private final class GuardedSubscription extends DeferredSubscription implements CoreSubscriber<Object> {

		private final LockCall call;

		private final CoreSubscriber<? super Object> actual;

		private final BodyThreads threads;

		private final LockRun run;

		private final AtomicReference<State> state = new AtomicReference<>(State.ACQUIRING);

		private volatile @Nullable CompletableFuture<LockHandle> acquiring;

		private volatile @Nullable LockHandle handle;

		private volatile Subscription body = Operators.emptySubscription();

		// Of the body, within the context of the subscriber.
		private volatile Context context;

		private @Nullable Object single;

		GuardedSubscription(LockCall call, CoreSubscriber<? super Object> actual) {
			this.call = call;
			this.actual = actual;
			this.context = actual.currentContext();
			this.threads = new BodyThreads(this.context.hasKey(BodyThreads.class) ? this.context.get(BodyThreads.class)
					: BodyThreads.ofThread());
			this.run = LockRun.detached(call.requests(),
					this.context.hasKey(LockScope.class) ? this.context.get(LockScope.class) : LockScope.ofThread());
		}

		void start() {
			if (isCancelled()) {
				return;
			}
			CompletableFuture<LockHandle> acquiring = Failures
				.stageOf(() -> this.run.beginAsync(ReactiveExecution.this.operations))
				.toCompletableFuture();
			this.acquiring = acquiring;
			if (isCancelled()) {
				acquiring.cancel(false);
			}
			LockRun.whenAcquired(acquiring, this::granted, this::failed);
		}

		private void granted(LockHandle granted) {
			this.handle = granted;
			run(this::begun);
		}

		private Publisher<?> begun() throws Throwable {
			this.run.entered(Objects.requireNonNull(this.handle));
			this.context = this.context.putAllMap(this.run.context())
				.put(LockScope.class, this.run.scope())
				.put(LockScopeAccessor.KEY, this.run.scope())
				.put(BodyThreads.class, this.threads);
			return this.run.call(this::proceed);
		}

		private void failed(Throwable cause) {
			run(() -> {
				if (LockRun.isRefusal(cause)) {
					Object instead = this.call.refused((LockException) cause);
					return (instead != null) ? publisher(instead) : Flux.empty();
				}
				this.call.cannotBegin(cause);
				throw cause;
			});
		}

		private Publisher<?> proceed(LockHandle held) throws Throwable {
			Publisher<?> body = publisher(Objects.requireNonNull(this.call.proceed(held), "The method returned null"));
			return (this.call.onLost() == LossPolicy.INTERRUPT) ? Flux.from(body).takeUntilOther(lossOf(held)) : body;
		}

		private static Mono<Void> lossOf(LockHandle held) {
			return Mono.create((sink) -> held.onLost((lost) -> sink.success()));
		}

		private void run(Source<Publisher<?>> source) {
			this.threads.run(() -> {
				if (!this.state.compareAndSet(State.ACQUIRING, State.RUNNING)) {
					LockHandle unused = this.handle;
					if (unused != null) {
						UnusedRelease.of(unused);
					}
					return;
				}
				Throwable failure = Failures.thrownBy(() -> {
					Publisher<?> body = source.get();
					if (!isCancelled()) {
						// Where contexts are propagated, the threads of the body get this
						// one, and the subscriber gets its own back.
						Flux.from(body).contextWrite((outer) -> this.context).subscribe(this);
					}
				});
				if (failure != null) {
					ended(failure);
				}
			});
		}

		@Override
		public void request(long demand) {
			this.threads.run(() -> super.request(demand));
		}

		@Override
		public void cancel() {
			State before = this.state.getAndUpdate((now) -> (now == State.ENDED) ? now : State.CANCELLED);
			this.threads.run(() -> {
				super.cancel();
				// A body that emits its values on this thread is not known to be set yet.
				this.body.cancel();
			});
			CompletableFuture<LockHandle> acquiring = this.acquiring;
			if (acquiring != null) {
				acquiring.cancel(false);
			}
			if (before == State.RUNNING) {
				this.threads.onceLeft(this::interrupted);
			}
		}

		@Override
		public Context currentContext() {
			return this.actual.currentContext();
		}

		@Override
		public void onSubscribe(Subscription subscription) {
			this.body = subscription;
			set(subscription);
			this.body = Operators.emptySubscription();
		}

		@Override
		public void onNext(Object value) {
			if (isSingle()) {
				this.single = value;
			}
			else {
				this.threads.leaveTo(() -> this.actual.onNext(value));
			}
		}

		@Override
		public void onError(Throwable failure) {
			ended(failure);
		}

		@Override
		public void onComplete() {
			Throwable unfinished = null;
			try {
				this.call.end(this.single);
			}
			catch (InvalidLockUsageException ex) {
				unfinished = ex;
			}
			ended(unfinished);
		}

		private void interrupted() {
			LockHandle held = this.handle;
			if (held != null) {
				WorkRecords.failed(held, new CancellationException());
			}
			release();
		}

		private CompletableFuture<?> release() {
			this.threads.end();
			LockHandle held = this.handle;
			return (held != null) ? LockRun.releaseAsync(held) : CompletableFuture.completedFuture(null);
		}

		private void ended(@Nullable Throwable failure) {
			LockHandle held = this.handle;
			if (failure != null && held != null) {
				WorkRecords.failed(held, failure);
			}
			if (!this.state.compareAndSet(State.RUNNING, State.ENDED)) {
				if (failure != null) {
					Operators.onErrorDropped(failure, this.actual.currentContext());
				}
			}
			else if (failure == null || !this.threads.hasOthers(false)) {
				releaseAndTell(failure);
			}
			else if (this.threads.hasOthers(true)) {
				this.threads.leaveTo(() -> tell(outcome(failure)));
				this.threads.onceLeft(this::release);
			}
			else {
				this.threads.onceLeft(() -> releaseAndTell(failure));
			}
		}

		private void releaseAndTell(@Nullable Throwable failure) {
			release().whenComplete((released, ignored) -> this.threads.leaveTo(() -> tell(outcome(failure))));
		}

		private @Nullable Throwable outcome(@Nullable Throwable failure) {
			return (failure != null) ? this.run.finish(failure) : this.run.finish();
		}

		private void tell(@Nullable Throwable outcome) {
			Object value = this.single;
			if (outcome != null || isCancelled()) {
				Operators.onDiscard(value, this.actual.currentContext());
			}
			else if (value != null) {
				this.actual.onNext(value);
			}
			if (outcome != null) {
				this.actual.onError(outcome);
				return;
			}
			this.actual.onComplete();
		}

		private enum State {

			ACQUIRING, RUNNING, ENDED, CANCELLED

		}

	}

}
