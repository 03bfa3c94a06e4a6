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

import io.github.zklock.core.spi.UnusedRelease;
import org.jspecify.annotations.Nullable;

/**
 * One lock of the backend, shared by the nested handles of its owner and released with
 * the last of them.
 */
final class SharedHold {

	private static final int FRAMES = 128;

	private final LockHandle root;

	private final LockRequest request;

	private final Object owner;

	private final ForeignUse foreignUse;

	private final Consumer<SharedHold> onLeft;

	// Created when needed, since few callers listen for a loss.
	private final AtomicReference<@Nullable LossNotices> notices = new AtomicReference<>();

	private final AtomicInteger count = new AtomicInteger(1);

	// The number of handles by which the owner holds the key; others only keep it held.
	private final AtomicInteger entries = new AtomicInteger(1);

	// Those entries that count only while no other thread uses their handle.
	private final AtomicInteger loose = new AtomicInteger();

	// Whether the body may have worked under the lock.
	private volatile boolean used;

	SharedHold(LockHandle root, LockRequest request, Object owner, ForeignUse foreignUse, Consumer<SharedHold> onLeft) {
		this.root = root;
		this.request = request;
		this.owner = owner;
		this.foreignUse = foreignUse;
		this.onLeft = onLeft;
	}

	LockHandle root() {
		return this.root;
	}

	/**
	 * Return the owner of a lock, or {@code null} if that is not known. The owner of a
	 * blocking request is the owner of the lock while it has an entry. A request without
	 * a thread re-enters the hold itself, since the owner may leave at any moment.
	 */
	static @Nullable Object ownerOf(LockHandle handle, boolean blocking) {
		return (handle instanceof NestedHandle nested) ? nested.owner(blocking) : null;
	}

	/**
	 * Return the handle of the backend behind a handle.
	 */
	static LockHandle rootOf(LockHandle handle) {
		return (handle instanceof NestedHandle nested) ? nested.root() : handle;
	}

	int permits() {
		return this.request.permits();
	}

	LockHandle first() {
		Entry entry = entry(this.request);
		if (entry == Entry.LOOSE) {
			this.loose.incrementAndGet();
		}
		return new NestedHandle(this.root.mode(), entry);
	}

	/**
	 * Return one more handle.
	 * @param request the request for the handle
	 * @param lent whether it only keeps the key held
	 * @return the handle, or {@code null} if the last handle, or the last one by which
	 * the owner holds the key, was released meanwhile
	 */
	@Nullable LockHandle nest(LockRequest request, boolean lent) {
		this.used = true;
		Entry entry = lent ? Entry.NONE : entry(request);
		// After the last entry the owner would not be known to hold the key.
		if (entry != Entry.NONE && !addTo(this.entries)) {
			return null;
		}
		if (!addTo(this.count)) {
			leave((entry != Entry.NONE) ? 1 : 0);
			return null;
		}
		if (entry == Entry.LOOSE) {
			this.loose.incrementAndGet();
		}
		return new NestedHandle(request.mode(), entry);
	}

	private static boolean addTo(AtomicInteger some) {
		return some.getAndUpdate((value) -> (value > 0) ? value + 1 : 0) > 0;
	}

	// A handle that another thread nests for the owner does not belong to the owner.
	private Entry entry(LockRequest request) {
		if (this.owner instanceof Thread && this.owner != Thread.currentThread()) {
			return Entry.NONE;
		}
		return (request.owner() != null) ? Entry.BOUND : Entry.LOOSE;
	}

	/**
	 * End all loose entries: the owner then holds the key only by entries that are bound
	 * to it, like the body that it runs.
	 */
	void loosen() {
		leave(this.loose.getAndSet(0));
	}

	private void leave(int left) {
		if (left > 0 && this.entries.addAndGet(-left) == 0) {
			this.onLeft.accept(this);
		}
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

	/**
	 * How the owner holds the key by a handle.
	 */
	private enum Entry {

		/** It keeps the key held, but the owner does not hold the key by it. */
		NONE,

		/** The owner holds the key by it, as long as no other thread uses one. */
		LOOSE,

		/** The owner holds the key by it until it is released. */
		BOUND

	}

	private final class NestedHandle implements LockHandle, UnusedRelease {

		private final LockMode mode;

		private final Entry entry;

		private final AtomicBoolean released = new AtomicBoolean();

		NestedHandle(LockMode mode, Entry entry) {
			this.mode = mode;
			this.entry = entry;
		}

		LockHandle root() {
			return SharedHold.this.root;
		}

		Object owner(boolean blocking) {
			SharedHold hold = SharedHold.this;
			return (blocking && hold.entries.get() > 0) ? hold.owner : hold;
		}

		@Override
		public <T> @Nullable T unwrap(Class<T> type) {
			return SharedHold.this.root.unwrap(type);
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
		public String client() {
			return SharedHold.this.root.client();
		}

		@Override
		public long fencingToken() {
			use();
			return SharedHold.this.root.fencingToken();
		}

		@Override
		public LockState state() {
			LockState state = SharedHold.this.root.state();
			return (state != LockState.LOST && this.released.get()) ? LockState.RELEASED : state;
		}

		@Override
		public @Nullable LockLoss loss() {
			return SharedHold.this.root.loss();
		}

		@Override
		public CompletableFuture<LockState> whenCertain() {
			return SharedHold.this.root.whenCertain().thenApply((certain) -> state());
		}

		@Override
		public void assertHeld() {
			use();
			LockHandle.super.assertHeld();
		}

		@Override
		public void onLost(Consumer<? super LockHandle> listener) {
			use();
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
		public CompletableFuture<Void> releaseUnused() {
			if (SharedHold.this.used) {
				return releaseAsync();
			}
			return end() ? UnusedRelease.of(SharedHold.this.root) : CompletableFuture.completedFuture(null);
		}

		// Checked before any change, or a caller without enough stack could not release
		// the lock again.
		private static int requireStack(int frames) {
			return (frames == 0) ? 0 : requireStack(frames - 1) + 1;
		}

		// The work has moved to another thread, so the owner may do something else.
		private void use() {
			if (this.entry == Entry.LOOSE && SharedHold.this.owner != Thread.currentThread() && !this.released.get()
					&& SharedHold.this.loose.get() > 0 && SharedHold.this.root.state() != LockState.LOST) {
				SharedHold.this.foreignUse.warn(SharedHold.this.request.name(), this, (Thread) SharedHold.this.owner);
				loosen();
			}
		}

		private boolean end() {
			requireStack(FRAMES);
			use();
			if (!this.released.compareAndSet(false, true)) {
				return false;
			}
			LossNotices listening = SharedHold.this.notices.get();
			// A loss that is being told right now is told to this handle as well.
			if (listening != null && SharedHold.this.root.state() != LockState.LOST) {
				listening.remove(this);
			}
			if (this.entry == Entry.BOUND) {
				leave(1);
			}
			else if (this.entry == Entry.LOOSE) {
				leave((SharedHold.this.loose.getAndUpdate((value) -> Math.max(value - 1, 0)) > 0) ? 1 : 0);
			}
			return SharedHold.this.count.decrementAndGet() == 0;
		}

		@Override
		public String toString() {
			return LockException.describe(this) + " token " + SharedHold.this.root.fencingToken() + " " + state();
		}

	}

}
