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

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.ReleasePolicy;
import io.github.zklock.core.internal.Failures;
import io.github.zklock.core.internal.Failures.Source;
import io.github.zklock.core.internal.LockRun;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockTarget;
import io.github.zklock.interceptor.operation.MethodResult;
import io.github.zklock.interceptor.operation.MethodResult.Kind;
import io.github.zklock.transaction.commit.TransactionLocks;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * How calls are run under their locks. It is chosen once for each method, from its return
 * type.
 */
final class LockExecutions {

	private static final boolean TRANSACTIONS = ClassUtils.isPresent(
			"org.springframework.transaction.support.TransactionSynchronizationManager",
			LockExecutions.class.getClassLoader());

	private final LockOperations operations;

	private final BooleanSupplier async;

	private final UnaryOperator<Runnable> decorator;

	private final Map<LockTarget, LockExecution> chosen = new ConcurrentHashMap<>();

	/**
	 * Create the executions.
	 * @param operations what acquires, runs and releases
	 * @param async whether {@code @Async} has an effect
	 * @param decorator carries the context of a caller to another thread
	 */
	LockExecutions(LockOperations operations, BooleanSupplier async, UnaryOperator<Runnable> decorator) {
		this.operations = operations;
		this.async = async;
		this.decorator = decorator;
	}

	LockExecution of(LockOperation operation) {
		LockTarget target = operation.target();
		LockExecution known = this.chosen.get(target);
		return (known != null) ? known : this.chosen.computeIfAbsent(target, (unknown) -> choose(operation));
	}

	private LockExecution choose(LockOperation operation) {
		return switch (kind(operation, this.async)) {
			case FINISHED -> (operation.sharding().shards() > 1)
					? new ShardedExecution(this.operations, (call) -> block(call, false))
					: (call) -> block(call, false);
			case ASYNC -> (call) -> block(call, true);
			case STAGE -> this::stage;
			case REACTIVE -> new ReactiveExecution(this.operations, operation.method());
		};
	}

	// Without @EnableAsync a wait for the future would block the caller.
	private static Kind kind(LockOperation operation, BooleanSupplier async) {
		Kind kind = MethodResult.kind(operation.target());
		return (kind == Kind.ASYNC && MethodResult.isStage(operation.method()) && !async.getAsBoolean()) ? Kind.STAGE
				: kind;
	}

	/**
	 * Answer a call whose locks cannot be named. What its caller gets later fails later.
	 */
	static Object failed(LockCall call, BooleanSupplier async, RuntimeException failure) {
		return switch (kind(call.operation(), async)) {
			case FINISHED, ASYNC -> {
				call.cannotBegin(failure);
				throw failure;
			}
			case STAGE -> {
				call.run().scheduled();
				call.cannotBegin(failure);
				yield CompletableFuture.failedFuture(failure);
			}
			case REACTIVE -> ReactiveExecution.failed(call, failure);
		};
	}

	/**
	 * Run a call on the calling thread, which waits for the locks. The locks of an
	 * {@code @Async} method are held there until the future is done that it returns. No
	 * other thread is parked by that: Spring waits for the future on this one anyway.
	 */
	// Before JDK 22 the compiler does not read from class files that a type argument is
	// nullable.
	@SuppressWarnings("NullAway")
	private @Nullable Object block(LockCall plain, boolean async) throws Throwable {
		LockCall call = plain.planned();
		if (TRANSACTIONS && call.operation().release() == ReleasePolicy.TRANSACTION
				&& TransactionLocks.isTransactionActive()) {
			return inTransaction(call);
		}
		LockRun run = LockRun.ofThread(call.requests());
		try {
			call.begin(run, this.operations);
		}
		catch (LockNotAcquiredException | LockUnavailableException ex) {
			return call.refused(ex);
		}
		return run.<@Nullable Object, Throwable>execute((handle) -> proceed(call, handle, async));
	}

	/**
	 * Run a call within a transaction, which keeps the locks when the call has ended. It
	 * keeps them even if the method has thrown, since the transaction may go on.
	 */
	// Before JDK 22 the compiler does not read from class files that a type argument is
	// nullable.
	@SuppressWarnings("NullAway")
	private @Nullable Object inTransaction(LockCall call) throws Throwable {
		TransactionLocks locks = TransactionLocks.ofTransaction();
		LockRun run = LockRun.ofThread(call.requests());
		try {
			// Another thread may complete the transaction.
			locks.add(call.begin(run, this.operations), run.onLost());
		}
		catch (LockNotAcquiredException | LockUnavailableException ex) {
			return call.refused(ex);
		}
		return run.<@Nullable Object, Throwable>executeHeld((held) -> call.end(call.proceed(held)));
	}

	private static @Nullable Object proceed(LockCall call, LockHandle handle, boolean async) throws Throwable {
		Object result = call.proceed(handle);
		if (!async) {
			return call.end(result);
		}
		if (result instanceof Future<?> future) {
			call.end(await(future, handle));
		}
		return result;
	}

	// To interrupt this thread does not end the work of the future.
	private static @Nullable Object await(Future<?> future, LockHandle handle) throws Throwable {
		boolean interrupted = false;
		try {
			while (true) {
				try {
					return future.get();
				}
				catch (ExecutionException ex) {
					throw (ex.getCause() != null) ? ex.getCause() : ex;
				}
				catch (InterruptedException ex) {
					if (handle.state() == LockState.LOST) {
						throw ex;
					}
					interrupted = true;
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * Run a call that returns a stage. The caller gets a future at once, whatever
	 * happens. The method runs when the locks are granted, on a thread of the lock
	 * provider and in the context of the caller. The locks are released when its stage
	 * completes, before that future does.
	 */
	// Before JDK 22 the compiler does not read from class files that a type argument is
	// nullable.
	@SuppressWarnings("NullAway")
	private Object stage(LockCall plain) {
		LockCall call = plain.planned().detach();
		InContext context = new InContext(this.decorator);
		CompletableFuture<@Nullable Object> result = this.operations.executeAsync(call.requests(),
				(handle) -> ended(call,
						context
							.stageOf(() -> Objects.requireNonNull(call.proceed(handle), "The method returned null"))),
				(refusal) -> context.stageOf(() -> call.refused(refusal)));
		// No effect on a run that has begun.
		result.whenComplete((ended, failure) -> {
			if (failure != null) {
				call.cannotBegin(failure);
			}
		});
		return result;
	}

	private static CompletionStage<@Nullable Object> ended(LockCall call, CompletionStage<@Nullable Object> stage) {
		CompletableFuture<@Nullable Object> ended = new CompletableFuture<>();
		// Not every stage can be turned into a future.
		stage.thenApply(call::end).whenComplete((result, failure) -> {
			if (failure != null) {
				ended.completeExceptionally(failure);
			}
			else {
				ended.complete(result);
			}
		});
		ended.whenComplete((result, failure) -> {
			if (ended.isCancelled() && stage instanceof Future<?> future) {
				future.cancel(true);
			}
		});
		return ended;
	}

	/**
	 * Runs a method, or what runs instead of it, once and in the context of its caller.
	 */
	// Before JDK 22 the compiler does not read from class files that a type argument is
	// nullable.
	@SuppressWarnings("NullAway")
	private static final class InContext {

		private final Runnable task;

		private @Nullable Source<@Nullable Object> source;

		private CompletionStage<@Nullable Object> stage = CompletableFuture.completedFuture(null);

		InContext(UnaryOperator<Runnable> decorator) {
			this.task = decorator.apply(this::run);
		}

		CompletionStage<@Nullable Object> stageOf(Source<@Nullable Object> source) {
			this.source = source;
			return Failures.stageOf(() -> {
				this.task.run();
				return this.stage;
			});
		}

		@SuppressWarnings("unchecked")
		private void run() {
			this.stage = Failures.stageOf(() -> {
				Object stage = Objects.requireNonNull(this.source).get();
				return (stage != null) ? (CompletionStage<@Nullable Object>) stage : this.stage;
			});
		}

	}

	/**
	 * How a call is run under its locks.
	 */
	interface LockExecution {

		@Nullable Object execute(LockCall call) throws Throwable;

	}

}
