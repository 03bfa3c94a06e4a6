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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLoss;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.spi.UnusedRelease;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One lock of the backend, shared by the nested handles of its owner and released with
 * the last of them.
 *
 * @since 0.1.0
 */
public final class SharedHold {

	private static final Logger logger = LoggerFactory.getLogger(SharedHold.class);

	private static final int FRAMES = 128;

	private final LockHandle root;

	private final LockRequest request;

	private final Object owner;

	private final Object registry;

	private final Consumer<SharedHold> onLeft;

	// Created when needed, since few callers listen for a loss.
	private final AtomicReference<@Nullable LossNotices> notices = new AtomicReference<>();

	private final AtomicInteger count = new AtomicInteger(1);

	// The number of handles with which the owner holds the key; others only keep it held.
	private final AtomicInteger entries = new AtomicInteger(1);

	// Those entries that last as long as a body, or as an owner that the request names.
	private final AtomicInteger named = new AtomicInteger();

	// Whether the body may have worked under the lock.
	private volatile boolean used;

	/**
	 * Create the hold of a lock that a backend has granted.
	 * @param root the handle of the backend
	 * @param request the request
	 * @param owner the owner of the lock
	 * @param registry what remembers the hold
	 * @param onLeft called when the owner does not hold the key any more
	 */
	public SharedHold(LockHandle root, LockRequest request, Object owner, Object registry,
			Consumer<SharedHold> onLeft) {
		this.root = root;
		this.request = request;
		this.owner = owner;
		this.registry = registry;
		this.onLeft = onLeft;
	}

	/**
	 * Return the lock of the backend.
	 * @return the handle of the backend
	 */
	public LockHandle root() {
		return this.root;
	}

	/**
	 * Return whether the lock comes from the provider of a registry, and has a key.
	 * @param registry the registry
	 * @param key the key
	 * @return whether it does
	 */
	public boolean is(Object registry, String key) {
		return this.registry == registry && this.request.key().equals(key);
	}

	/**
	 * Return the hold behind a handle, or {@code null} if there is none.
	 */
	static @Nullable SharedHold of(LockHandle handle) {
		return (handle instanceof NestedHandle nested) ? nested.hold() : null;
	}

	/**
	 * Return the owner of a lock, or {@code null} if that is not known. The owner of a
	 * blocking request is the owner of the lock while it has an entry. A request without
	 * a thread re-enters the hold itself, since the owner may leave at any moment.
	 * @param handle the lock
	 * @param blocking whether a thread waits for the request
	 * @return the owner, or {@code null}
	 */
	public static @Nullable Object ownerOf(LockHandle handle, boolean blocking) {
		return (handle instanceof NestedHandle nested) ? nested.owner(blocking) : null;
	}

	/**
	 * Return the handle of the backend behind a handle.
	 */
	static LockHandle rootOf(LockHandle handle) {
		return (handle instanceof NestedHandle nested) ? nested.hold().root : handle;
	}

	/**
	 * Return with how many permits the lock was requested.
	 * @return the number of permits
	 */
	public int permits() {
		return this.request.permits();
	}

	/**
	 * Return the handle for the request that acquired the lock.
	 * @return the handle
	 */
	public LockHandle first() {
		return handle(this.request, !isForeign());
	}

	/**
	 * Return one more handle.
	 * @param request the request for the handle
	 * @param lent whether it only keeps the key held
	 * @return the handle, or {@code null} if the last handle, or the last one with which
	 * the owner holds the key, was released meanwhile
	 */
	public @Nullable LockHandle nest(LockRequest request, boolean lent) {
		this.used = true;
		boolean owned = !lent && !isForeign();
		// After the last entry the owner would not be known to hold the key.
		if (owned && !addTo(this.entries)) {
			return null;
		}
		if (!addTo(this.count)) {
			leave(owned);
			return null;
		}
		return handle(request, owned);
	}

	private LockHandle handle(LockRequest request, boolean owned) {
		if (owned && request.owner() != null) {
			this.named.incrementAndGet();
		}
		return new NestedHandle(request, owned);
	}

	private static boolean addTo(AtomicInteger some) {
		return some.getAndUpdate((value) -> (value > 0) ? value + 1 : 0) > 0;
	}

	// A handle that another thread nests for the owner does not belong to the owner.
	private boolean isForeign() {
		return this.owner instanceof Thread && this.owner != Thread.currentThread();
	}

	/**
	 * Let the owner go without its lost lock, of which it may have forgotten the handles.
	 * A body does not lock again under a lost lock.
	 */
	public void forget() {
		if (this.named.get() == 0) {
			this.onLeft.accept(this);
		}
	}

	private void leave(boolean owned) {
		if (owned && this.entries.decrementAndGet() == 0) {
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

	private final class NestedHandle implements LockHandle, UnusedRelease {

		private final LockRequest asked;

		// Whether the owner holds the key with it. Otherwise it only keeps the key held.
		private final boolean owned;

		private final AtomicBoolean released = new AtomicBoolean();

		// Whether an exception has reported the loss.
		private volatile boolean reported;

		NestedHandle(LockRequest asked, boolean owned) {
			this.asked = asked;
			this.owned = owned;
		}

		SharedHold hold() {
			return SharedHold.this;
		}

		Object owner(boolean blocking) {
			SharedHold hold = SharedHold.this;
			return (blocking && hold.entries.get() > 0) ? hold.owner : hold;
		}

		@Override
		public <T> @Nullable T unwrap(Class<T> type) {
			return WorkRecords.unwrap(SharedHold.this.root, type, this.asked);
		}

		@Override
		public String key() {
			return SharedHold.this.root.key();
		}

		@Override
		public LockMode mode() {
			return this.asked.mode();
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
			this.reported = state() == LockState.LOST;
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
			if (end(true)) {
				SharedHold.this.root.release();
			}
		}

		// The only way to end a lock that throws nothing after its loss.
		@Override
		public void close() {
			boolean first = !this.released.get();
			release();
			if (first && !this.reported && state() == LockState.LOST) {
				logger.warn("{} was closed after its loss, and no exception has reported that: what was done since may "
						+ "overlap with the work of another holder. Call assertHeld() at the end of the work, or use "
						+ "LockOperations.execute(...)", LockKeys.describe(key(), mode()));
			}
		}

		@Override
		public CompletableFuture<Void> releaseAsync() {
			return end(true) ? SharedHold.this.root.releaseAsync() : CompletableFuture.completedFuture(null);
		}

		@Override
		public CompletableFuture<Void> releaseUnused() {
			if (SharedHold.this.used) {
				return releaseAsync();
			}
			return end(false) ? UnusedRelease.of(SharedHold.this.root) : CompletableFuture.completedFuture(null);
		}

		// Checked before any change, or a caller without enough stack could not release
		// the lock again.
		private static int requireStack(int frames) {
			return (frames == 0) ? 0 : requireStack(frames - 1) + 1;
		}

		// The owner re-enters the lock, so a thread beside it would not be alone. A
		// release
		// by another thread is allowed: it leaves no lock behind.
		private void use() {
			if (this.owned && this.asked.owner() == null && isForeign() && !this.released.get()
					&& SharedHold.this.root.state() != LockState.LOST) {
				throw new IllegalStateException(LockKeys.describe(key(), mode()) + " belongs to thread '"
						+ LockKeys.abbreviate(((Thread) SharedHold.this.owner).getName())
						+ "', which acquired it, and thread '" + LockKeys.abbreviate(Thread.currentThread().getName())
						+ "' must not use its handle: acquire a lock for another thread with an owner of its own, "
						+ "LockRequest.withOwner(new Object()), or with acquireAsync");
			}
		}

		private boolean end(boolean used) {
			requireStack(FRAMES);
			if (used) {
				SharedHold.this.used = true;
			}
			if (!this.released.compareAndSet(false, true)) {
				return false;
			}
			if (this.owned && this.asked.owner() != null) {
				SharedHold.this.named.decrementAndGet();
			}
			leave(this.owned);
			boolean last = SharedHold.this.count.decrementAndGet() == 0;
			LossNotices listening = SharedHold.this.notices.get();
			// The release of the last handle may still find that the lock was lost. A
			// loss that is being reported right now is reported to this handle as well.
			if (!last && listening != null && SharedHold.this.root.state() != LockState.LOST) {
				listening.remove(this);
			}
			return last;
		}

		@Override
		public String toString() {
			return LockKeys.describe(key(), mode()) + " token " + SharedHold.this.root.fencingToken() + " " + state();
		}

	}

}
