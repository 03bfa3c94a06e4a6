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

/**
 * Time and threads, as the engine sees them: it asks nobody else what time it is, and has
 * nothing done later or elsewhere but by this. The only implementation of this library is
 * {@link EngineThreads}; another one can run the same engine in virtual time on one
 * thread.
 */
public interface Tasks {

	/**
	 * Return a reading of the clock, for comparison with other readings.
	 */
	long nanoTime();

	/**
	 * Do something later, on the one thread for that, which must never wait.
	 * @param delay in nanoseconds; negative for at once
	 * @return what cancels it
	 * @throws java.util.concurrent.RejectedExecutionException once these tasks are
	 * stopped
	 */
	Future<?> schedule(Runnable action, long delay);

	/**
	 * Do something again and again, until these tasks are stopped, on the same thread.
	 * @param pause between the end of one time and the beginning of the next, in
	 * nanoseconds
	 */
	void repeat(Runnable action, long pause);

	/**
	 * Run code of users, which may block, on a thread that nothing else waits for, also
	 * once these tasks are stopped.
	 */
	void callBack(Runnable code);

	/**
	 * Go on with a step of the engine on another thread; once these tasks are stopped
	 * there is none left to take.
	 */
	void handOver(Runnable step);

	/**
	 * Return whether the current thread is one on which ZooKeeper's client delivers
	 * replies, in their order: who waits for a reply there waits for ever.
	 */
	boolean isReplyThread();

	/**
	 * Do nothing any more of what was to be done later.
	 */
	void stop();

}
