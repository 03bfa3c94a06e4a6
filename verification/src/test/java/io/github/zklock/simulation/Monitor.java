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

package io.github.zklock.simulation;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Where a test waits for what other threads record.
 */
final class Monitor {

	private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

	void await(String what, BooleanSupplier condition) {
		long deadline = System.nanoTime() + PATIENCE;
		synchronized (this) {
			while (!condition.getAsBoolean()) {
				long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
				if (left <= 0) {
					throw new AssertionError("Waited in vain for " + what);
				}
				try {
					wait(left);
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
					throw new IllegalStateException("Interrupted while waiting for " + what, ex);
				}
			}
		}
	}

	synchronized void recorded() {
		notifyAll();
	}

}
