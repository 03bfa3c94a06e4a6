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
 * The body that runs under a lock.
 *
 * @param <T> the type of the result
 * @param <E> the type of the exception that the body may throw
 * @since 0.1.0
 */
@FunctionalInterface
public interface LockCallback<T extends @Nullable Object, E extends Throwable> {

	/**
	 * Run the body.
	 * @param handle the lock under which it runs
	 * @return the result
	 * @throws E if the body fails
	 */
	T doWithLock(LockHandle handle) throws E;

}
