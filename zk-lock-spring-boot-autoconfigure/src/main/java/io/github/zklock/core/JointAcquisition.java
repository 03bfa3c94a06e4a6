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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Acquires all locks of a {@link JointRequest} or none.
 */
final class JointAcquisition {

	private final JointRequest joint;

	private final long start = System.nanoTime();

	private final List<LockHandle> held = new ArrayList<>();

	private final CompletableFuture<LockHandle> result = new CompletableFuture<>();

	private volatile @Nullable CompletableFuture<LockHandle> current;

	JointAcquisition(JointRequest joint) {
		this.joint = joint;
	}

	LockHandle acquire(Function<LockRequest, LockHandle> provider) {
		try {
			while (this.held.size() < this.joint.requests().size()) {
				this.held.add(provider.apply(this.joint.next(this.held.size(), elapsed())));
			}
			return new JointHandle(this.held);
		}
		catch (RuntimeException | Error ex) {
			giveBack();
			if (this.joint.describe(ex, this.held.size(), elapsed()) instanceof LockNotAcquiredException refusal) {
				throw refusal;
			}
			throw ex;
		}
	}

	CompletableFuture<LockHandle> acquireAsync(Function<LockRequest, CompletableFuture<LockHandle>> provider) {
		this.result.whenComplete((handle, failure) -> {
			CompletableFuture<LockHandle> current = this.current;
			if (failure != null && current != null) {
				current.cancel(false);
			}
		});
		next(provider);
		return this.result;
	}

	private void next(Function<LockRequest, CompletableFuture<LockHandle>> provider) {
		int index = this.held.size();
		if (index == this.joint.requests().size()) {
			if (!this.result.complete(new JointHandle(this.held))) {
				giveBack();
			}
			return;
		}
		CompletableFuture<LockHandle> one;
		try {
			one = provider.apply(this.joint.next(index, elapsed()));
		}
		catch (RuntimeException ex) {
			one = CompletableFuture.failedFuture(ex);
		}
		this.current = one;
		// A cancellation that came before saw the future before this one.
		if (this.result.isDone()) {
			one.cancel(false);
		}
		one.whenComplete((handle, failure) -> {
			if (failure != null) {
				giveBack();
				this.result.completeExceptionally(this.joint.describe(Failures.unwrap(failure), index, elapsed()));
			}
			else {
				this.held.add(handle);
				next(provider);
			}
		});
	}

	// Not waited for, since the time to wait is a bound.
	private void giveBack() {
		for (int i = this.held.size() - 1; i >= 0; i--) {
			this.held.get(i).releaseAsync();
		}
	}

	private Duration elapsed() {
		return Duration.ofNanos(System.nanoTime() - this.start);
	}

}
