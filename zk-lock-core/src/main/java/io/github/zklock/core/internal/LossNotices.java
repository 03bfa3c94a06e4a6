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

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.github.zklock.core.LockHandle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners for the loss of the nested handles of one lock.
 */
final class LossNotices {

	private static final Logger logger = LoggerFactory.getLogger(LossNotices.class);

	private final Map<LockHandle, Queue<Runnable>> notices = new ConcurrentHashMap<>();

	/**
	 * Return an action that notifies the listener; only its first run does so.
	 */
	Runnable add(LockHandle handle, Consumer<? super LockHandle> listener) {
		AtomicBoolean done = new AtomicBoolean();
		Runnable notice = () -> {
			Throwable failure = done.compareAndSet(false, true) ? Failures.thrownBy(() -> listener.accept(handle))
					: null;
			if (failure != null) {
				logger.warn("Listener {} of the lost {} failed", listener.getClass().getName(), handle, failure);
			}
		};
		this.notices.computeIfAbsent(handle, (first) -> new ConcurrentLinkedQueue<>()).add(notice);
		return notice;
	}

	void remove(LockHandle handle) {
		this.notices.remove(handle);
	}

	void tell() {
		this.notices.values().forEach((each) -> each.forEach(Runnable::run));
	}

}
