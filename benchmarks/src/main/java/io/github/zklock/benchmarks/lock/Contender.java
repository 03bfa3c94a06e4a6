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

package io.github.zklock.benchmarks.lock;

/**
 * One way to lock, on one ZooKeeper session.
 */
interface Contender extends AutoCloseable {

	/**
	 * Wait for the lock.
	 * @param key the key
	 * @return what releases it
	 * @throws Exception if it is not acquired
	 */
	Held lock(String key) throws Exception;

	/**
	 * Try once, without waiting.
	 * @param key the key
	 * @return what releases it, or {@code null} if another contender holds it
	 * @throws Exception if that cannot be found out
	 */
	default Held tryLock(String key) throws Exception {
		throw new UnsupportedOperationException("Cannot try");
	}

	/**
	 * Wait for the lock that readers share.
	 * @param key the key
	 * @return what releases it
	 * @throws Exception if it is not acquired
	 */
	default Held read(String key) throws Exception {
		throw new UnsupportedOperationException("Cannot share");
	}

	@Override
	default void close() throws Exception {
	}

	/**
	 * A lock that is held.
	 */
	interface Held {

		void unlock() throws Exception;

	}

}
