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

import io.github.zklock.core.LockHandle;

/**
 * Where a {@link LockProvider} keeps its locks, as all processes that share them see it.
 * A provider that implements this has fencing tokens that can be compared wherever the
 * space and the path of a key are the same.
 *
 * @since 0.1.0
 */
public interface LockSpace {

	/**
	 * Return whether a lock comes from this provider.
	 * @param handle the lock
	 * @return {@code true} if so
	 */
	boolean isOf(LockHandle handle);

	/**
	 * Return where the locks live: the servers, and the path. Two applications with one
	 * path on one ensemble share their locks.
	 * @return the place, such as {@code one:2181,two:2181/locks}
	 */
	String lockSpace();

	/**
	 * Return the path of a key. Its last element stands for the key, escaped like a part
	 * of a URI, and may be a digest.
	 * @param key the key
	 * @return the path
	 * @throws io.github.zklock.core.LockKeyException if the key is not allowed
	 */
	String pathOf(String key);

}
