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

package io.github.zklock.zookeeper.tasks;

import java.util.concurrent.Future;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * The clock and threads of the engine. Only replies and events come on threads of
 * ZooKeeper's client. The only implementation of this library is {@link EngineThreads};
 * another one can run the same engine in virtual time on one thread.
 */
public interface Tasks {

	/**
	 * Return a reading of the clock, for comparison with other readings.
	 */
	long nanoTime();

	/**
	 * Run an action later on the timer thread, which must never wait.
	 * @param delay in nanoseconds; negative for at once
	 * @return a future that can cancel the action
	 * @throws java.util.concurrent.RejectedExecutionException once these tasks are
	 * stopped
	 */
	Future<?> schedule(Runnable action, long delay);

	/**
	 * Run an action periodically on the timer thread, until these tasks are stopped.
	 * @param pause from the end of one run to the start of the next, in nanoseconds
	 */
	void repeat(Runnable action, long pause);

	/**
	 * Run user code, which may block, on a thread that nothing else waits for, even after
	 * the stop.
	 */
	void callBack(Runnable code);

	/**
	 * Run a notice for user code as {@link #callBack} does, without a wait for the bodies
	 * of locks that run there and may block.
	 */
	default void notice(Runnable code) {
		callBack(code);
	}

	/**
	 * Run a step of the engine on another thread, or drop it if these tasks are stopped.
	 */
	void onStepThread(Runnable step);

	/**
	 * Run a step during which other threads may wait for the current one. A virtual
	 * thread lets a thread of the engine run it, and waits.
	 */
	default <T extends @Nullable Object> T onPlatformThread(Supplier<T> step) {
		return VirtualCallers.isCurrent() ? VirtualCallers.runOnStepThread(this, step) : step.get();
	}

	/**
	 * Return whether the current thread is one on which ZooKeeper's client delivers
	 * replies, in their order: a wait for a reply there would never end.
	 */
	boolean isReplyThread();

	/**
	 * Cancel all scheduled actions.
	 */
	void stop();

	/** Return whether steps are not taken any more. */
	default boolean isStopped() {
		return false;
	}

}
