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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import org.jspecify.annotations.Nullable;

/**
 * Acquires all locks of a {@link JointRequest} or none. A lock that is lost during the
 * wait for the others is acquired again, within the same timeout.
 */
final class JointAcquisition {

	private final ObservedLocks locks;

	private final JointRequest joint;

	private final long start = System.nanoTime();

	private final List<LockHandle> held = new ArrayList<>();

	private final CompletableFuture<LockHandle> result = new CompletableFuture<>();

	private boolean begun;

	private volatile @Nullable CompletableFuture<LockHandle> current;

	JointAcquisition(ObservedLocks locks, JointRequest joint) {
		this.locks = locks;
		this.joint = joint;
	}

	LockHandle acquire() {
		try {
			while (!isComplete()) {
				Duration spent = spent();
				this.held.add(this.locks.acquire(next(spent), spent));
			}
			return joined();
		}
		catch (LockNotAcquiredException ex) {
			throw this.joint.describe(ex, giveBack(), elapsed());
		}
		catch (RuntimeException | Error ex) {
			giveBack();
			throw ex;
		}
	}

	CompletableFuture<LockHandle> acquireAsync() {
		this.result.whenComplete((handle, failure) -> {
			CompletableFuture<LockHandle> current = this.current;
			if (failure != null && current != null) {
				current.cancel(false);
			}
		});
		proceed();
		return this.result;
	}

	private void proceed() {
		Throwable failure = Failures.thrownBy(this::acquireOthers);
		if (failure != null) {
			fail(failure);
		}
	}

	// A loop, since a nested call for each key would fill the stack.
	private void acquireOthers() {
		while (!this.result.isDone() && !isComplete()) {
			Duration spent = spent();
			CompletableFuture<LockHandle> one = this.locks.acquireAsync(next(spent), spent);
			this.current = one;
			// A cancellation before this line has not seen this future.
			if (this.result.isDone()) {
				one.cancel(false);
			}
			if (!one.isDone()) {
				one.whenComplete((handle, failure) -> {
					if (settle(handle, failure)) {
						proceed();
					}
				});
				return;
			}
			if (!one.handle(this::settle).join()) {
				return;
			}
		}
		if (!this.result.complete(joined())) {
			giveBack();
		}
	}

	private boolean settle(LockHandle handle, @Nullable Throwable failure) {
		if (failure == null) {
			this.held.add(handle);
			return true;
		}
		fail(Failures.unwrap(failure));
		return false;
	}

	private void fail(Throwable cause) {
		int index = giveBack();
		this.result.completeExceptionally((cause instanceof LockNotAcquiredException refusal)
				? this.joint.describe(refusal, index, elapsed()) : cause);
	}

	private boolean isComplete() {
		if (this.held.size() < this.joint.size()) {
			return false;
		}
		if (this.held.stream().noneMatch((handle) -> handle.state() == LockState.LOST)) {
			return true;
		}
		giveBack();
		return false;
	}

	// The first lock has all the time, so its request stays unchanged.
	private Duration spent() {
		Duration spent = this.begun ? elapsed() : Duration.ZERO;
		this.begun = true;
		return spent;
	}

	private LockRequest next(Duration spent) {
		int index = this.held.size();
		try {
			return this.joint.request(index, spent);
		}
		catch (LockNotAcquiredException ex) {
			this.locks.refused(this.joint.requests().get(index), ex);
			throw ex;
		}
	}

	private LockHandle joined() {
		return (this.held.size() == 1) ? this.held.get(0) : new JointHandle(this.held);
	}

	// Without waiting, since the timeout is a bound.
	private int giveBack() {
		int count = this.held.size();
		while (!this.held.isEmpty()) {
			LockRun.releaseUnused(this.held.remove(this.held.size() - 1));
		}
		return count;
	}

	private Duration elapsed() {
		return Duration.ofNanos(System.nanoTime() - this.start);
	}

}
