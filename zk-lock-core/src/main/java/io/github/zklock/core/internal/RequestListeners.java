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
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.LockListener;
import org.jspecify.annotations.Nullable;

/**
 * The listeners of one request, and of the lock that it gets.
 */
final class RequestListeners {

	private final LockListeners all;

	private final LockRequest request;

	private final List<LockListener> listeners;

	private final long start = System.nanoTime();

	RequestListeners(LockListeners all, LockRequest request, List<LockListener> listeners) {
		this.all = all;
		this.request = request;
		this.listeners = listeners;
	}

	boolean isEmpty() {
		return this.listeners.isEmpty();
	}

	/**
	 * Return what to run when the request begins to wait; {@code null} for nothing.
	 */
	@Nullable Runnable whenWaiting() {
		for (LockListener listener : this.listeners) {
			if (listener instanceof LockWaitObserver) {
				return this::waits;
			}
		}
		return null;
	}

	private void waits() {
		tell((listener) -> {
			if (listener instanceof LockWaitObserver waiting) {
				waiting.waits(this.request);
			}
		});
	}

	void acquired(ObservedHandle handle) {
		Duration waited = Duration.ofNanos(handle.since() - this.start);
		tell((listener) -> listener.acquired(this.request, handle, waited));
	}

	void refused(Throwable failure) {
		if (failure instanceof LockException exception) {
			tell((listener) -> listener.notAcquired(this.request, exception));
		}
		else {
			Duration waited = Duration.ofNanos(System.nanoTime() - this.start);
			observe((observer) -> observer.withdrawn(this.request, waited));
		}
	}

	void lost(ObservedHandle handle) {
		tell((listener) -> listener.lost(this.request, handle));
	}

	void released(ObservedHandle handle, Duration held) {
		tell((listener) -> listener.released(this.request, handle, held));
	}

	void rolledBack(ObservedHandle handle) {
		observe((observer) -> observer.rolledBack(this.request, handle));
	}

	/**
	 * Called when the calling thread begins to run under the lock.
	 */
	void entered(ObservedHandle handle, Consumer<? super Runnable> leaving) {
		observe((observer) -> {
			Runnable left = observer.entered(this.request, handle);
			if (left != null) {
				leaving.accept((Runnable) () -> this.all.guard(observer.getClass(), left));
			}
		});
	}

	Map<Object, Object> context(ObservedHandle handle) {
		Map<Object, Object> context = new HashMap<>();
		observe((observer) -> context.putAll(observer.context(this.request, handle)));
		return context;
	}

	private void observe(Consumer<LockObserver> event) {
		for (LockListener listener : this.listeners) {
			if (listener instanceof LockObserver observer) {
				this.all.tell(observer, event);
			}
		}
	}

	private void tell(Consumer<LockListener> event) {
		for (LockListener listener : this.listeners) {
			this.all.tell(listener, event);
		}
	}

}
