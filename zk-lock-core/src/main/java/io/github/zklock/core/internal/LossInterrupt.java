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

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Interrupts a thread when a lock is lost, but never after the thread has left the body.
 */
final class LossInterrupt implements AutoCloseable {

	private static final ThreadLocal<@Nullable LossInterrupt> CURRENT = new ThreadLocal<>();

	private final Thread thread = Thread.currentThread();

	private final @Nullable LossInterrupt outer = CURRENT.get();

	// One guard for a thread, because all its bodies share one interrupt flag.
	private final ReentrantLock guard = (this.outer != null) ? this.outer.guard : new ReentrantLock();

	private boolean inside = true;

	private boolean interrupted;

	private LossInterrupt() {
	}

	/**
	 * Begin to interrupt the calling thread.
	 * @param loss registers what the loss of the lock runs
	 */
	static LossInterrupt on(Consumer<Runnable> loss) {
		LossInterrupt interrupt = new LossInterrupt();
		loss.accept(interrupt::interrupt);
		CURRENT.set(interrupt);
		return interrupt;
	}

	private void interrupt() {
		this.guard.lock();
		try {
			if (this.inside) {
				this.interrupted = true;
				this.thread.interrupt();
			}
		}
		finally {
			this.guard.unlock();
		}
	}

	@Override
	public void close() {
		this.guard.lock();
		try {
			this.inside = false;
			if (this.interrupted) {
				Thread.interrupted();
			}
			// The outer body has lost its lock too, and continues.
			if (this.outer != null && this.outer.interrupted) {
				this.thread.interrupt();
			}
		}
		finally {
			this.guard.unlock();
		}
		if (this.outer != null) {
			CURRENT.set(this.outer);
		}
		else {
			CURRENT.remove();
		}
	}

}
