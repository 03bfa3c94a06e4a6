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

package io.github.zklock.interceptor.source;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;

import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.interceptor.operation.GuardedMethod;
import io.github.zklock.interceptor.operation.LockOperation;
import org.jspecify.annotations.Nullable;

/**
 * Where the lock of a method is described. A method is looked up as it is called, with
 * the class of the object it is called on, if that is known.
 *
 * @since 0.1.0
 */
public interface LockOperationSource {

	/**
	 * Return whether methods of a class can have a lock at all: a cheap filter.
	 */
	default boolean isCandidateClass(Class<?> targetClass) {
		return true;
	}

	/**
	 * Return whether a method has a lock, without checking that it is a valid one.
	 */
	boolean hasLockOperation(Method method, @Nullable Class<?> targetClass);

	/**
	 * Return the lock of a method, or {@code null} if the method has none.
	 * @throws InvalidLockUsageException if what the method says about its lock cannot
	 * work
	 */
	@Nullable LockOperation getLockOperation(Method method, @Nullable Class<?> targetClass);

	/**
	 * Return how many methods with a lock were found so far, for the log line of the
	 * start.
	 */
	default int guardedMethods() {
		return 0;
	}

	/**
	 * Return the lock of a method as tools show it: each setting with the place where it
	 * comes from. The default is to name the method only.
	 * @throws InvalidLockUsageException if what the method says about its lock cannot
	 * work
	 */
	default @Nullable GuardedMethod describe(Method method, @Nullable Class<?> targetClass) {
		LockOperation operation = getLockOperation(method, targetClass);
		return (operation != null) ? new GuardedMethod(operation.target().toString(), null, Map.of(), List.of()) : null;
	}

}
