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

package io.github.zklock.test.memory;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs an action later, on its own thread: other code can block the thread of the JVM.
 * The thread ends when no action is left.
 */
final class Delay {

	private static final ScheduledThreadPoolExecutor TIMER = timer();

	private Delay() {
	}

	/**
	 * Run an action later, which must be quick.
	 */
	static Future<?> run(Runnable action, long nanos) {
		return TIMER.schedule(action, nanos, TimeUnit.NANOSECONDS);
	}

	private static ScheduledThreadPoolExecutor timer() {
		ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(null, task, "zk-lock-in-memory-timer", 0, false);
			thread.setContextClassLoader(Delay.class.getClassLoader());
			thread.setDaemon(true);
			return thread;
		});
		timer.setRemoveOnCancelPolicy(true);
		timer.setKeepAliveTime(1, TimeUnit.SECONDS);
		timer.allowCoreThreadTimeOut(true);
		return timer;
	}

}
