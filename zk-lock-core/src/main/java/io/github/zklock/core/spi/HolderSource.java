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

package io.github.zklock.core.spi;

import java.util.concurrent.CompletableFuture;

/**
 * Reports when a tick that could not run may run after all. Nothing is polled. A
 * {@link LockProvider} implements it as well, so that ticks can be made up for. It is
 * optional: without it, {@code recoverWithin} has no effect, and a warning says so.
 *
 * @since 0.1.0
 */
public interface HolderSource {

	/**
	 * Return what ends when the present holder of a key is gone. It may end earlier, even
	 * at once.
	 * @param key the key
	 * @return a future that never fails
	 */
	CompletableFuture<?> whenHolderGone(String key);

	/**
	 * Return what ends when a job is not paused any more. It may end earlier, even at
	 * once.
	 * @param job the job
	 * @return a future that never fails
	 */
	CompletableFuture<?> whenResumed(JobStore.Job job);

	/**
	 * Run an action each time when the backend is reached after it did not know this
	 * process, and now if it is reached already.
	 * @param action the action
	 * @return what ends this
	 */
	Runnable onSession(Runnable action);

}
