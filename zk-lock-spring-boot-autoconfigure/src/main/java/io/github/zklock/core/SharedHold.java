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
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * One lock of the backend, shared by the nested handles of its owner and released with
 * the last of them.
 */
final class SharedHold {

	private static final int FRAMES = 128;

	private final LockHandle root;

	private final int permits;

	private final Consumer<SharedHold> onLeft;

	// Few ask for them.
	private final AtomicReference<@Nullable LossNotices> notices = new AtomicReference<>();

	private final AtomicInteger count = new AtomicInteger(1);

	// The handles by which the owner holds the key; the others only keep it held.
	private final AtomicInteger entries = new AtomicInteger(1);

	// Whether something may have been done under the lock.
	private volatile boolean used;

	SharedHold(LockHandle root, int permits, Consumer<SharedHold> onLeft) {
		this.root = root;
		this.permits = permits;
		this.onLeft = onLeft;
	}

	LockHandle root() {
		return this.root;
	}

	int permits() {
		return this.permits;
	}

	LockHandle first() {
		return new NestedHandle(this.root.mode(), true);
	}

	// Null when the last handle was released meanwhile.
	@Nullable LockHandle nest(LockMode mode, boolean entry) {
		this.used = true;
		int nested = this.count.getAndUpdate((value) -> (value > 0) ? value + 1 : 0);
		if (nested == 0) {
			return null;
		}
		if (entry) {
			this.entries.incrementAndGet();
		}
		return new NestedHandle(mode, entry);
	}

	private LossNotices notices() {
		LossNotices existing = this.notices.get();
		if (existing != null) {
			return existing;
		}
		LossNotices first = new LossNotices();
		if (this.notices.compareAndSet(null, first)) {
			this.root.onLost((lost) -> first.tell());
		}
		return notices();
	}

	private boolean leave(boolean entry) {
		if (entry && this.entries.decrementAndGet() == 0) {
			this.onLeft.accept(this);
		}
		return this.count.decrementAndGet() == 0;
	}

	private final class NestedHandle implements LockHandle {

		private final LockMode mode;

		private final boolean entry;

		private final AtomicBoolean released = new AtomicBoolean();

		NestedHandle(LockMode mode, boolean entry) {
			this.mode = mode;
			this.entry = entry;
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
			Runnable notice = notices().add(this, listener);
			if (SharedHold.this.root.state() == LockState.LOST) {
				SharedHold.this.root.onLost((lost) -> notice.run());
			}
			else if (this.released.get()) {
				notices().remove(this);
			}
		}

		@Override
		public void release() {
			SharedHold.this.used = true;
			if (end()) {
				SharedHold.this.root.release();
			}
		}

		@Override
		public CompletableFuture<Void> releaseAsync() {
			SharedHold.this.used = true;
			return end() ? SharedHold.this.root.releaseAsync() : CompletableFuture.completedFuture(null);
		}

		@Override
		public CompletableFuture<Void> forgo() {
			if (SharedHold.this.used) {
				return releaseAsync();
			}
			return end() ? SharedHold.this.root.forgo() : CompletableFuture.completedFuture(null);
		}

		// Before anything is changed, or a caller that runs out of its stack half way
		// could
		// not release the lock again.
		private static int requireStack(int frames) {
			return (frames == 0) ? 0 : requireStack(frames - 1) + 1;
		}

		private boolean end() {
			requireStack(FRAMES);
			if (!this.released.compareAndSet(false, true)) {
				return false;
			}
			LossNotices listening = SharedHold.this.notices.get();
			// A loss that is just being told is told to this one too.
			if (listening != null && SharedHold.this.root.state() != LockState.LOST) {
				listening.remove(this);
			}
			return leave(this.entry);
		}

		@Override
		public String toString() {
			return LockException.describe(key(), this.mode) + " token " + fencingToken() + " " + state();
		}

	}

}
