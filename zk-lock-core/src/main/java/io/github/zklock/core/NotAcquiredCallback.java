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

package io.github.zklock.core;

import org.jspecify.annotations.Nullable;

/**
 * What runs instead of the body when the lock was not acquired in time.
 *
 * @param <T> the type of the result
 * @param <E> the type of the exception that it may throw
 * @since 0.1.0
 */
@FunctionalInterface
public interface NotAcquiredCallback<T extends @Nullable Object, E extends Throwable> {

	/**
	 * Run without the lock.
	 * @param exception why there is no lock
	 * @return the result
	 * @throws E if it fails
	 */
	T doWithoutLock(LockNotAcquiredException exception) throws E;

}
