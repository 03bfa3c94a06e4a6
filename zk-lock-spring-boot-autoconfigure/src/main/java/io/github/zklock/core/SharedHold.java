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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * One lock of the backend, shared by the nested handles of its owner and released with
 * the last of them.
 */
final class SharedHold {

	private final LockHandle root;

	private final Consumer<SharedHold> onEnd;

	private final AtomicInteger count = new AtomicInteger();

	SharedHold(LockHandle root, Consumer<SharedHold> onEnd) {
		this.root = root;
		this.onEnd = onEnd;
	}

	LockHandle root() {
		return this.root;
	}

	LockHandle first() {
		this.count.set(1);
		return new NestedHandle(this.root.mode());
	}

	// Null when the last handle was released meanwhile.
	@Nullable LockHandle nest(LockMode mode) {
		int nested = this.count.getAndUpdate((value) -> (value > 0) ? value + 1 : 0);
		return (nested > 0) ? new NestedHandle(mode) : null;
	}

	private boolean leave() {
		if (this.count.decrementAndGet() > 0) {
			return false;
		}
		this.onEnd.accept(this);
		return true;
	}

	private final class NestedHandle implements LockHandle {

		private final LockMode mode;

		private final AtomicBoolean released = new AtomicBoolean();

		NestedHandle(LockMode mode) {
			this.mode = mode;
		}

		@Override
		public String key() {
			return SharedHold.this.root.key();
		}

		@Override
		public LockMode mode() {
			return this.mode;
		}

		@Override
		public long fencingToken() {
			return SharedHold.this.root.fencingToken();
		}

		@Override
		public LockState state() {
			LockState state = SharedHold.this.root.state();
			return (state != LockState.LOST && this.released.get()) ? LockState.RELEASED : state;
		}

		@Override
		public void onLost(Consumer<? super LockHandle> listener) {
			SharedHold.this.root.onLost((lost) -> {
				if (!this.released.get()) {
					listener.accept(this);
				}
			});
		}

		@Override
		public void release() {
			if (this.released.compareAndSet(false, true) && leave()) {
				SharedHold.this.root.release();
			}
		}

		@Override
		public CompletableFuture<Void> releaseAsync() {
			if (this.released.compareAndSet(false, true) && leave()) {
				return SharedHold.this.root.releaseAsync();
			}
			return CompletableFuture.completedFuture(null);
		}

		@Override
		public String toString() {
			return LockException.describe(key(), this.mode) + " token " + fencingToken() + " " + state();
		}

	}

}
