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
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLoss;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockState;
import io.github.zklock.core.spi.UnusedRelease;
import org.jspecify.annotations.Nullable;

/**
 * Notifies listeners when the lock is released or lost.
 */
final class ObservedHandle implements LockHandle, UnusedRelease, Presence.Observed {

	private final LockHandle delegate;

	private final RequestListeners listeners;

	private final long since = System.nanoTime();

	private final AtomicBoolean released = new AtomicBoolean();

	ObservedHandle(LockHandle delegate, RequestListeners listeners) {
		this.delegate = delegate;
		this.listeners = listeners;
		delegate.onLost((lost) -> listeners.lost(this));
	}

	/**
	 * Return the handle without its listeners.
	 */
	static LockHandle unobserved(LockHandle handle) {
		return (handle instanceof ObservedHandle observed) ? observed.delegate : handle;
	}

	/**
	 * Return when the lock was acquired, as {@link System#nanoTime()} counts.
	 */
	long since() {
		return this.since;
	}

	@Override
	public void entered(Consumer<? super Runnable> leaving) {
		this.listeners.entered(this, leaving);
	}

	/**
	 * Return the context of a chain of asynchronous calls under one or several locks.
	 */
	static Map<Object, Object> context(LockHandle handle) {
		if (handle instanceof ObservedHandle observed) {
			return observed.listeners.context(observed);
		}
		Map<Object, Object> context = new HashMap<>();
		if (handle instanceof JointHandle joint) {
			joint.handles().forEach((each) -> context.putAll(context(each)));
		}
		return context;
	}

	@Override
	public <T> @Nullable T unwrap(Class<T> type) {
		return this.delegate.unwrap(type);
	}

	@Override
	public String key() {
		return this.delegate.key();
	}

	@Override
	public LockMode mode() {
		return this.delegate.mode();
	}

	@Override
	public long fencingToken() {
		return this.delegate.fencingToken();
	}

	@Override
	public LockState state() {
		return this.delegate.state();
	}

	@Override
	public @Nullable LockLoss loss() {
		return this.delegate.loss();
	}

	@Override
	public void assertHeld() {
		this.delegate.assertHeld();
	}

	@Override
	public CompletableFuture<LockState> whenCertain() {
		return this.delegate.whenCertain();
	}

	/**
	 * Called when a transaction is rolled back because of this lock.
	 */
	void rolledBack() {
		this.listeners.rolledBack(this);
	}

	@Override
	public void onLost(Consumer<? super LockHandle> listener) {
		this.delegate.onLost((lost) -> listener.accept(this));
	}

	@Override
	public void release() {
		this.delegate.release();
		tellReleased();
	}

	@Override
	public void close() {
		this.delegate.close();
		tellReleased();
	}

	@Override
	public CompletableFuture<Void> releaseAsync() {
		return this.delegate.releaseAsync().thenRun(this::tellReleased);
	}

	@Override
	public CompletableFuture<Void> releaseUnused() {
		return UnusedRelease.of(this.delegate).thenRun(this::tellReleased);
	}

	private void tellReleased() {
		if (this.released.compareAndSet(false, true)) {
			Duration held = Duration.ofNanos(System.nanoTime() - this.since);
			this.listeners.released(this, held);
		}
	}

	@Override
	public String toString() {
		return this.delegate.toString();
	}

}
