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
import java.util.function.Consumer;

import io.github.zklock.core.LockHandle;

/**
 * The time in which a thread runs under one or several locks, as listeners see it. Each
 * listener that was notified of the begin is notified of the end, in reverse order.
 */
final class Presence implements AutoCloseable {

	private final List<Runnable> leaving = new ArrayList<>(0);

	/**
	 * Begin the presence of the calling thread under one or several locks.
	 * @param handle the lock
	 */
	void begin(LockHandle handle) {
		for (LockHandle each : handle.handles()) {
			if (each instanceof Observed observed) {
				observed.entered(this.leaving::add);
			}
		}
	}

	/**
	 * Report that the thread leaves.
	 */
	@Override
	public void close() {
		for (int i = this.leaving.size() - 1; i >= 0; i--) {
			this.leaving.get(i).run();
		}
	}

	/**
	 * A lock whose listeners are notified of the threads that run under it.
	 */
	interface Observed {

		/**
		 * Notify the listeners that the calling thread begins to run under the lock.
		 * @param leaving takes what to run when the thread leaves
		 */
		void entered(Consumer<? super Runnable> leaving);

	}

}
