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

package io.github.zklock.core.internal;

import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Function;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostBeforeCommitException;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.UnusedRelease;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a body under its locks without a waiting thread: from the request to the release
 * after the end of the body's stage.
 *
 * @param <T> the type of the result
 * @since 0.1.0
 */
public final class StagedCall<T extends @Nullable Object> {

	private static final Logger logger = LoggerFactory.getLogger(StagedCall.class);

	private static final String NO_STAGE = "The body returned no stage";

	private final Function<? super LockHandle, ? extends CompletionStage<T>> body;

	private final @Nullable Function<? super LockException, ? extends CompletionStage<T>> otherwise;

	private final CompletableFuture<T> result = new CompletableFuture<>();

	/**
	 * Create the call.
	 * @param body what runs under the locks
	 * @param otherwise what runs instead when a lock is refused, or {@code null} to fail
	 */
	public StagedCall(Function<? super LockHandle, ? extends CompletionStage<T>> body,
			@Nullable Function<? super LockException, ? extends CompletionStage<T>> otherwise) {
		this.body = body;
		this.otherwise = otherwise;
	}

	/**
	 * Begin with the acquire of the locks.
	 * @param operations what acquires
	 * @param requests the requests, at least one
	 * @return a future of the result
	 */
	public CompletableFuture<T> start(LockOperations operations, Collection<LockRequest> requests) {
		LockRun run = LockRun.detached(requests, LockScope.ofThread());
		CompletableFuture<LockHandle> acquiring = run.beginAsync(operations);
		// Even when the caller has completed the result, as a timeout does. The body's
		// stage is not cancelled: it would end at once while its work continues.
		this.result.whenComplete((value, failure) -> acquiring.cancel(false));
		LockRun.whenAcquired(acquiring, (handle) -> acquired(run, handle), this::refused);
		return this.result;
	}

	private void acquired(LockRun run, LockHandle handle) {
		if (this.result.isDone()) {
			UnusedRelease.of(handle);
		}
		else {
			run(run, handle);
		}
	}

	private void refused(Throwable failure) {
		if (this.otherwise != null && LockRun.isRefusal(failure) && !this.result.isDone()) {
			Function<? super LockException, ? extends CompletionStage<T>> instead = this.otherwise;
			Failures.stageOf(() -> Objects.requireNonNull(instead.apply((LockException) failure), NO_STAGE))
				.whenComplete(this::complete);
		}
		else {
			this.result.completeExceptionally(failure);
		}
	}

	private void run(LockRun run, LockHandle handle) {
		CompletionStage<T> running = Failures.stageOf(() -> {
			run.entered(handle);
			return Objects.requireNonNull(run.call(this.body::apply), NO_STAGE);
		});
		running.whenComplete((value, thrown) -> {
			try {
				if (thrown != null) {
					WorkRecords.failed(handle, thrown);
				}
			}
			finally {
				LockRun.releaseAsync(handle)
					.thenCompose((released) -> outcome(run, handle, value, thrown))
					.whenComplete(this::complete);
			}
		});
		// Last, since it may fail.
		if (running instanceof Future<?> future) {
			run.cancelOnLoss(future);
		}
	}

	private CompletionStage<T> outcome(LockRun run, LockHandle handle, T value, @Nullable Throwable thrown) {
		LockLostException loss = run.finish();
		// The refusal of the commit has its own warning.
		if (loss != null && !(thrown != null && Failures.unwrap(thrown) instanceof LockLostBeforeCommitException)) {
			logger.warn("{} was lost while a future worked under it. What the future has done on other threads was not "
					+ "stopped, and transactions there were not rolled back: check them", handle);
		}
		Throwable failure = (thrown != null) ? run.finish(Failures.unwrap(thrown)) : loss;
		return (failure != null) ? CompletableFuture.failedFuture(failure) : CompletableFuture.completedFuture(value);
	}

	private void complete(T value, @Nullable Throwable thrown) {
		if (thrown != null) {
			this.result.completeExceptionally(Failures.unwrap(thrown));
		}
		else {
			this.result.complete(value);
		}
	}

}
