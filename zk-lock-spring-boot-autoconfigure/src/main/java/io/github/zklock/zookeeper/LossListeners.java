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

package io.github.zklock.zookeeper;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.github.zklock.core.LockHandle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Those who want to know when a lock is lost. Each is told once, on a thread of the
 * callbacks.
 */
final class LossListeners {

	private static final Logger logger = LoggerFactory.getLogger(LossListeners.class);

	// Few locks have any.
	private final AtomicReference<@Nullable Queue<Runnable>> untold = new AtomicReference<>();

	void add(LockHandle handle, Consumer<? super LockHandle> listener) {
		queue().add(() -> call(listener, handle));
	}

	void tell(LockEngine engine) {
		Queue<Runnable> notices = this.untold.get();
		if (notices != null) {
			for (Runnable notice = notices.poll(); notice != null; notice = notices.poll()) {
				engine.callBack(notice);
			}
		}
	}

	private Queue<Runnable> queue() {
		Queue<Runnable> existing = this.untold.get();
		if (existing != null) {
			return existing;
		}
		Queue<Runnable> first = new ConcurrentLinkedQueue<>();
		return this.untold.compareAndSet(null, first) ? first : queue();
	}

	private static void call(Consumer<? super LockHandle> listener, LockHandle handle) {
		try {
			listener.accept(handle);
		}
		catch (Throwable ex) {
			logger.warn("Listener {} of the lost {} failed", listener, handle, ex);
		}
	}

}
