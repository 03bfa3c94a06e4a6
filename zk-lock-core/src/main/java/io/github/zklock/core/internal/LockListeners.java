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

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.LockListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies all listeners, even if one of them throws.
 */
final class LockListeners {

	private static final Logger logger = LoggerFactory.getLogger(LockListeners.class);

	private final Supplier<? extends List<? extends LockListener>> source;

	private final Set<Class<?>> failed = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean missed = new AtomicBoolean();

	private volatile @Nullable List<LockListener> found;

	LockListeners(Supplier<? extends List<? extends LockListener>> source) {
		this.source = source;
	}

	// Listeners are created before a lock is requested, by the requesting thread: a
	// callback of a provider must not create them.
	private void find() {
		if (this.found != null) {
			return;
		}
		try {
			this.found = List.copyOf(this.source.get());
		}
		catch (RuntimeException ex) {
			// A listener may itself lock while it is created.
			if (this.missed.compareAndSet(false, true)) {
				logger.info("LockListener beans are not available yet, so they are not notified of this lock: {}",
						ex.toString());
			}
			else {
				logger.debug("Lock listeners are not available yet", ex);
			}
		}
	}

	/**
	 * Return the listeners for a request that the calling thread is about to make.
	 */
	RequestListeners follow(LockRequest request) {
		find();
		List<LockListener> known = listeners();
		if (known.isEmpty()) {
			return new RequestListeners(this, request, known);
		}
		List<LockListener> following = new ArrayList<>(known.size());
		for (LockListener listener : known) {
			tell(listener,
					(each) -> following.add((each instanceof LockObserver observer) ? observer.follow(request) : each));
		}
		return new RequestListeners(this, request, following);
	}

	<T extends LockListener> void tell(T listener, Consumer<T> event) {
		guard(listener.getClass(), () -> event.accept(listener));
	}

	void guard(Class<?> listener, Runnable action) {
		try {
			action.run();
		}
		catch (Throwable ex) {
			warn(listener, ex);
		}
	}

	// A listener that fails once may fail with every lock.
	private void warn(Class<?> listener, Throwable failure) {
		if (this.failed.add(listener)) {
			logger.warn("Lock listener {} failed; its further failures are logged at DEBUG", listener.getName(),
					failure);
		}
		else {
			logger.debug("Lock listener {} failed", listener.getName(), failure);
		}
	}

	private List<LockListener> listeners() {
		List<LockListener> known = this.found;
		return (known != null) ? known : List.of();
	}

}
