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

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

import io.github.zklock.core.LockOperations;
import io.github.zklock.interceptor.LockExecutions.LockExecution;
import io.github.zklock.interceptor.LockExecutions.Source;
import org.jspecify.annotations.Nullable;

/**
 * Runs a call that returns a stage. The caller gets a future at once, whatever happens:
 * the method runs when the locks are granted, on a thread of the lock provider, and the
 * locks are released when its stage completes, before that future does.
 */
final class StageExecution implements LockExecution {

	private final LockOperations operations;

	StageExecution(LockOperations operations) {
		this.operations = operations;
	}

	@Override
	public Object execute(LockCall call) {
		LockCall detached = call.planned().detach();
		return this.operations.<@Nullable Object>executeAsync(detached.requests(),
				(handle) -> ended(detached,
						stage(() -> Objects.requireNonNull(detached.proceed(handle), "The method returned null"))),
				(refusal) -> stage(() -> detached.refused(refusal)));
	}

	private static CompletionStage<@Nullable Object> ended(LockCall call, CompletionStage<@Nullable Object> stage) {
		CompletableFuture<@Nullable Object> ended = stage.<@Nullable Object>thenApply(call::end).toCompletableFuture();
		ended.whenComplete((result, failure) -> {
			if (ended.isCancelled() && stage instanceof Future<?> future) {
				future.cancel(true);
			}
		});
		return ended;
	}

	@SuppressWarnings("unchecked")
	private static CompletionStage<@Nullable Object> stage(Source<@Nullable Object> source) {
		try {
			CompletionStage<@Nullable Object> stage = (CompletionStage<@Nullable Object>) source.get();
			return (stage != null) ? stage : CompletableFuture.completedFuture(null);
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

}
