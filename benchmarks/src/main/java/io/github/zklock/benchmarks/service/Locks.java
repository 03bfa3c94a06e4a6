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

package io.github.zklock.benchmarks.service;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The locks of one library, on one connection.
 */
interface Locks extends AutoCloseable {

	/**
	 * Wait for a lock without a bound.
	 * @param key the key
	 * @return the lock
	 * @throws Exception if it is not acquired
	 */
	Held lock(String key) throws Exception;

	/**
	 * Wait for a lock.
	 * @param key the key
	 * @param wait how long to wait at most; zero for one attempt
	 * @return the lock, or {@code null} if another client holds it
	 * @throws Exception if that cannot be found out
	 */
	@Nullable Held tryLock(String key, Duration wait) throws Exception;

	/**
	 * A lock that is held.
	 */
	interface Held {

		/**
		 * Return what a careful holder can see.
		 * @return {@code false} once the library shows that the lock is lost
		 */
		boolean seemsHeld();

		/**
		 * Return the fencing token.
		 * @return the number, or -1 if the library has none
		 */
		long token();

		void unlock() throws Exception;

	}

}
