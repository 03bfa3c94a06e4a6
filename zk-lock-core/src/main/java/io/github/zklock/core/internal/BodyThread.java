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

import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

import io.github.zklock.core.LockHandle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread on which what a caller has begun continues, so that the caller does not wait
 * for it.
 */
final class BodyThread {

	private static final Logger logger = LoggerFactory.getLogger(BodyThread.class);

	/**
	 * How many there are at once.
	 */
	static final int MOST = 256;

	private static final Semaphore free = new Semaphore(MOST);

	private BodyThread() {
	}

	/**
	 * Continue on a new thread with a lock. Never waits for a thread: if there are
	 * {@value #MOST} of them, the caller continues.
	 * @param step what continues
	 * @param handle the lock
	 */
	static void run(Consumer<LockHandle> step, LockHandle handle) {
		if (!free.tryAcquire()) {
			step.accept(handle);
			return;
		}
		Throwable failure = Failures.thrownBy(() -> start(step, handle));
		if (failure != null) {
			free.release();
			logger.warn("There is no thread for the body, so its caller runs it", failure);
			step.accept(handle);
		}
	}

	private static void start(Consumer<LockHandle> step, LockHandle handle) {
		Thread thread = new Thread(null, () -> {
			try {
				step.accept(handle);
			}
			finally {
				free.release();
			}
		}, "zk-lock-body", 0, false);
		// The default depends on the version of Java.
		thread.setContextClassLoader(BodyThread.class.getClassLoader());
		thread.setPriority(Thread.NORM_PRIORITY);
		thread.setDaemon(true);
		thread.start();
	}

}
