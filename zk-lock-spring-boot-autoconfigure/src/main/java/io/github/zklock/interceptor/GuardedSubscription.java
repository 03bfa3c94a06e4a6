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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockScope;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.OnLost;
import io.github.zklock.interceptor.LockExecutions.Source;
import io.github.zklock.interceptor.operation.InvalidLockUsageException;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Operators.DeferredSubscription;
import reactor.util.context.Context;

/**
 * One subscription to a guarded method: acquires, subscribes to what the method returns,
 * and releases before the end is told. The one value of a single result is told with the
 * end, since a loss of the lock would come too late after it. A subscription that is
 * cancelled, or fails, leaves the release to the {@linkplain BodyThreads threads} that
 * are in the body.
 */
final class GuardedSubscription extends DeferredSubscription implements CoreSubscriber<Object> {

	private final ReactiveExecution execution;

	private final LockCall call;

	private final CoreSubscriber<? super Object> actual;

	// The thread that begins the body is not the body's own, so it is not interrupted.
	private final OnLost onLost;

	private final BodyThreads threads;

	private final @Nullable LockScope outer;

	private final Object owner = new Object();

	private final AtomicReference<State> state = new AtomicReference<>(State.ACQUIRING);

	private volatile @Nullable CompletableFuture<LockHandle> acquiring;

	private volatile @Nullable LockHandle handle;

	private volatile Subscription body = Operators.emptySubscription();

	private volatile Context context;

	private @Nullable Object single;

	GuardedSubscription(ReactiveExecution execution, LockCall call, CoreSubscriber<? super Object> actual) {
		this.execution = execution;
		this.call = call;
		this.actual = actual;
		this.onLost = (call.onLost() == OnLost.INTERRUPT) ? OnLost.FAIL_AT_EXIT : call.onLost();
		this.context = actual.currentContext();
		this.threads = new BodyThreads(
				this.context.hasKey(BodyThreads.class) ? this.context.get(BodyThreads.class) : BodyThreads.ofThread());
		this.outer = this.context.hasKey(LockScope.class) ? this.context.get(LockScope.class) : LockScope.ofThread();
	}

	void start() {
		if (isCancelled()) {
			return;
		}
		CompletableFuture<LockHandle> acquiring;
		try {
			acquiring = this.execution.acquire(this.call, this.owner, this.outer);
		}
		catch (RuntimeException ex) {
			acquiring = CompletableFuture.failedFuture(ex);
		}
		this.acquiring = acquiring;
		if (isCancelled()) {
			acquiring.cancel(false);
		}
		acquiring.whenComplete((granted, failure) -> {
			if (failure != null) {
				refused(failure);
			}
			else {
				granted(granted);
			}
		});
	}

	private void granted(LockHandle granted) {
		this.handle = granted;
		LockScope scope = new LockScope(granted, this.call.requests(), this.owner, this.onLost, this.outer);
		this.context = this.context.putAllMap(scope.context())
			.put(LockScope.class, scope)
			.put(BodyThreads.class, this.threads);
		run(() -> scope.call((held) -> this.execution.proceed(this.call, held)));
	}

	private void refused(Throwable failure) {
		Throwable cause = (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause()
				: failure;
		run(() -> {
			if (cause instanceof LockNotAcquiredException || cause instanceof LockUnavailableException) {
				return this.execution.refused(this.call, (LockException) cause);
			}
			throw cause;
		});
	}

	private void run(Source<Publisher<?>> source) {
		this.threads.run(() -> {
			if (!this.state.compareAndSet(State.ACQUIRING, State.RUNNING)) {
				LockHandle unused = this.handle;
				if (unused != null) {
					unused.forgo();
				}
				return;
			}
			try {
				Publisher<?> body = source.get();
				if (!isCancelled()) {
					Flux.from(body).subscribe(this);
				}
			}
			catch (Throwable ex) {
				ended(ex);
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
			// A body that gives its values on this thread is not known to be set yet.
			this.body.cancel();
		});
		CompletableFuture<LockHandle> acquiring = this.acquiring;
		if (acquiring != null) {
			acquiring.cancel(false);
		}
		if (before == State.RUNNING) {
			this.threads.onceLeft(this::release);
		}
	}

	@Override
	public Context currentContext() {
		return this.context;
	}

	@Override
	public void onSubscribe(Subscription subscription) {
		this.body = subscription;
		set(subscription);
		this.body = Operators.emptySubscription();
	}

	@Override
	public void onNext(Object value) {
		if (this.execution.isSingle()) {
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

	private CompletableFuture<?> release() {
		this.threads.end();
		LockHandle held = this.handle;
		return (held != null) ? held.releaseAsync() : CompletableFuture.completedFuture(null);
	}

	private void ended(@Nullable Throwable failure) {
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
		LockHandle held = this.handle;
		LockLostException loss = (held != null) ? LockLostException.of(held) : null;
		if (failure == null) {
			return (this.onLost != OnLost.IGNORE) ? loss : null;
		}
		if (loss != null && !(failure instanceof LockLostException)) {
			failure.addSuppressed(loss);
		}
		return failure;
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
