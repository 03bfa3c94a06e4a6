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

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells all listeners, whatever one of them throws.
 */
final class LockListeners {

	private static final Logger logger = LoggerFactory.getLogger(LockListeners.class);

	private final List<LockListener> listeners;

	private final Set<Class<?>> failed = ConcurrentHashMap.newKeySet();

	LockListeners(List<? extends LockListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	boolean isEmpty() {
		return this.listeners.isEmpty();
	}

	void tell(Consumer<LockListener> event) {
		for (LockListener listener : this.listeners) {
			try {
				event.accept(listener);
			}
			catch (Throwable ex) {
				Failures.log(() -> warn(listener.getClass(), ex));
			}
		}
	}

	// What fails once fails with every lock.
	private void warn(Class<?> listener, Throwable failure) {
		if (this.failed.add(listener)) {
			logger.warn("Lock listener {} failed; what else it throws is logged at DEBUG", listener.getName(), failure);
		}
		else {
			logger.debug("Lock listener {} failed", listener.getName(), failure);
		}
	}

}
