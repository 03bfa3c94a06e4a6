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
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.scheduling.KnownTask;
import org.jspecify.annotations.Nullable;

import org.springframework.core.task.TaskRejectedException;

/**
 * The runs by hand whose methods have not begun yet. A scheduler drops its tasks without
 * a word when it is shut down, so these runs end when their context is closed.
 */
final class RunsByHand {

	private final Map<CompletableFuture<?>, FoundJob> waiting = new ConcurrentHashMap<>();

	private volatile boolean closed;

	/**
	 * Run a task of a job now.
	 * @param wanted whether the method is to be called on an object, or {@code null} if
	 * it is for any
	 * @param shard the only shard that is to run, or {@code null} for all
	 * @return a future that ends when its method begins, and fails if it does not
	 */
	CompletableFuture<@Nullable Void> start(FoundJob job, KnownTask task, @Nullable Predicate<Object> wanted,
			@Nullable Integer shard) {
		try {
			CompletableFuture<@Nullable Void> begun = task.runNow(wanted, shard);
			this.waiting.put(begun, job);
			begun.whenComplete((none, failure) -> this.waiting.remove(begun));
			if (this.closed) {
				end(begun, job);
			}
			return begun;
		}
		catch (TaskRejectedException ex) {
			return CompletableFuture.failedFuture(failure(job, "its scheduler takes no tasks", ex));
		}
	}

	/**
	 * The context is closed: no further run begins.
	 */
	void close() {
		this.closed = true;
		this.waiting.forEach(RunsByHand::end);
	}

	private static void end(CompletableFuture<?> begun, FoundJob job) {
		begun.completeExceptionally(failure(job, "the application is closed", null));
	}

	private static LockUnavailableException failure(FoundJob job, String reason, @Nullable Throwable cause) {
		String key = job.hasKey() ? job.key().get() : job.name();
		return new LockUnavailableException(LockRequest.of(key), Duration.ZERO,
				"the run of the job '" + job.name() + "' by hand did not begin, since " + reason, cause);
	}

}
