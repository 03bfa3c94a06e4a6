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

package io.github.zklock.support;

import java.util.List;

import io.github.zklock.core.spi.LockProvider;

/**
 * Where the locks of a contract test live: two clients of one backend, and what a test
 * must be able to see and to break.
 */
public interface LockBackend {

	/**
	 * Return the first client.
	 * @return the provider
	 */
	LockProvider first();

	/**
	 * Return the second client, which may be the first one where a backend has only one.
	 * @return the provider
	 */
	LockProvider second();

	/**
	 * Wait until so many hold or wait for a key.
	 * @param key the key
	 * @param members the number of members of the queue
	 */
	void awaitMembers(String key, int members);

	/**
	 * Return what the backend still keeps for a key while all clients are open.
	 * @param key the key
	 * @return the members of the queue that are left, empty if there are none
	 */
	List<String> left(String key);

	/**
	 * Make the first client lose every lock that it holds.
	 */
	void loseFirst();

	/**
	 * A test class around tests of a backend.
	 */
	interface Source {

		/**
		 * Return the backend.
		 * @return the backend, the same one during a test
		 */
		LockBackend backend();

	}

}
