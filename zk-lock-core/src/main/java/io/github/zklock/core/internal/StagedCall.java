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
import java.util.function.Consumer;
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
		Consumer<LockHandle> granted = (handle) -> acquired(run, handle);
		CompletableFuture<LockHandle> acquiring = run.beginAsync(operations);
		// Even when the caller has completed the result, as a timeout does. The body's
		// stage is not cancelled: it would end at once while its work continues.
		this.result.whenComplete((value, failure) -> acquiring.cancel(false));
		LockRun.whenAcquired(acquiring, granted, this::refused);
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
			instead(this.otherwise, (LockException) failure)
				.whenComplete((value, thrown) -> complete(value, (thrown != null) ? Failures.unwrap(thrown) : null));
		}
		else {
			this.result.completeExceptionally(failure);
		}
	}

	private void run(LockRun run, LockHandle handle) {
		CompletionStage<T> running = begun(run, handle);
		running.whenComplete((value, thrown) -> {
			Consumer<LockHandle> end = (held) -> released(held, thrown)
				.whenComplete((released, ignored) -> finish(run, held, value, thrown));
			try {
				end.accept(handle);
			}
			catch (Throwable ex) {
				LockRun.continueElsewhere(end, handle);
			}
		});
		// Last, since it may fail.
		if (running instanceof Future<?> future) {
			run.cancelOnLoss(future);
		}
	}

	private static CompletableFuture<Void> released(LockHandle handle, @Nullable Throwable thrown) {
		try {
			if (thrown != null) {
				WorkRecords.failed(handle, thrown);
			}
		}
		catch (Throwable ex) {
			Failures.log(() -> logger.warn("It is not recorded how a run under {} has ended", handle, ex));
		}
		return LockRun.releaseAsync(handle);
	}

	private void finish(LockRun run, LockHandle handle, T value, @Nullable Throwable thrown) {
		try {
			LockLostException loss = run.finish();
			// The refusal of the commit has its own warning.
			if (loss != null && !(thrown != null && Failures.unwrap(thrown) instanceof LockLostBeforeCommitException)) {
				Failures
					.log(() -> logger.warn("{} was lost while a future worked under it. What the future has done on "
							+ "other threads was not stopped, and transactions there were not rolled back: check them",
							handle));
			}
			complete(value, (thrown != null) ? run.finish(Failures.unwrap(thrown)) : loss);
		}
		catch (Throwable ex) {
			this.result.completeExceptionally(ex);
		}
	}

	private CompletionStage<T> begun(LockRun run, LockHandle handle) {
		try {
			run.entered(handle);
			return Objects.requireNonNull(run.call(this.body::apply), NO_STAGE);
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private void complete(T value, @Nullable Throwable failure) {
		if (failure != null) {
			this.result.completeExceptionally(failure);
		}
		else {
			this.result.complete(value);
		}
	}

	private CompletionStage<T> instead(Function<? super LockException, ? extends CompletionStage<T>> otherwise,
			LockException refusal) {
		try {
			return Objects.requireNonNull(otherwise.apply(refusal), NO_STAGE);
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

}
