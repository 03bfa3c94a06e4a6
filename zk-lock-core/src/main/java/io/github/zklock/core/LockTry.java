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

package io.github.zklock.core;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import io.github.zklock.core.internal.Failures;
import io.github.zklock.core.spi.UnusedRelease;
import org.jspecify.annotations.Nullable;

/**
 * A lock that may be held by others: no failure, but no lock.
 */
final class LockTry {

	private LockTry() {
	}

	static CompletableFuture<Optional<LockHandle>> of(CompletableFuture<LockHandle> acquiring) {
		CompletableFuture<Optional<LockHandle>> result = new CompletableFuture<>();
		acquiring.whenComplete((handle, failure) -> {
			if (failure == null) {
				if (!result.complete(Optional.of(handle))) {
					UnusedRelease.of(handle);
				}
			}
			else if (Failures.unwrap(failure) instanceof LockNotAcquiredException) {
				result.complete(Optional.empty());
			}
			else {
				result.completeExceptionally(Failures.unwrap(failure));
			}
		});
		result.whenComplete((handle, failure) -> acquiring.cancel(false));
		return result;
	}

	static <T extends @Nullable Object> CompletableFuture<Boolean> run(LockOperations locks, LockRequest request,
			Function<? super LockHandle, ? extends CompletionStage<T>> body) {
		CompletableFuture<Boolean> result = new CompletableFuture<>();
		CompletableFuture<T> running = locks.executeAsync(request, body, (refusal) -> {
			if (refusal instanceof LockNotAcquiredException) {
				result.complete(false);
			}
			return CompletableFuture.failedFuture(refusal);
		});
		running.whenComplete((value, failure) -> {
			if (failure == null) {
				result.complete(true);
			}
			else {
				result.completeExceptionally(Failures.unwrap(failure));
			}
		});
		result.whenComplete((ran, failure) -> running.cancel(false));
		return result;
	}

}
