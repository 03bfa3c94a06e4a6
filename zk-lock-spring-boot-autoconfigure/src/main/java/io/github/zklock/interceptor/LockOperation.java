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

package io.github.zklock.interceptor;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * The lock of one method of one class: everything about it that does not change from call
 * to call, checked once.
 *
 * @param method the method of the target class
 * @param targetClass the class of the object it is called on
 * @param key where the key comes from
 * @param mode how the lock shares its key
 * @param waitTime how long to wait for the lock
 * @param name the low-cardinality name of the lock
 * @param enabled whether to take the lock at all
 * @param skip whether a call that does not get the lock is skipped; otherwise it fails
 * @since 0.1.0
 */
public record LockOperation(Method method, Class<?> targetClass, LockKeyExpression key, LockMode mode,
		Duration waitTime, String name, boolean enabled, boolean skip) {

	private static final Map<Class<?>, Object> EMPTY = Map.of(Optional.class, Optional.empty(), OptionalInt.class,
			OptionalInt.empty(), OptionalLong.class, OptionalLong.empty(), OptionalDouble.class,
			OptionalDouble.empty());

	/**
	 * Check the values.
	 * @throws InvalidLockUsageException if the method cannot be skipped although it is to
	 * be
	 */
	public LockOperation {
		Objects.requireNonNull(key, "key must not be null");
		Objects.requireNonNull(mode, "mode must not be null");
		Objects.requireNonNull(waitTime, "waitTime must not be null");
		Objects.requireNonNull(name, "name must not be null");
		Class<?> returnType = method.getReturnType();
		if (skip && returnType.isPrimitive() && returnType != void.class) {
			throw new LockTarget(method, targetClass).invalid(
					"is to be skipped when the lock is not acquired, but returns the primitive " + returnType
							+ ", for which there is no empty value",
					"Return void, " + returnType + "'s wrapper or an Optional, or set onNotAcquired = THROW.");
		}
	}

	/**
	 * Create the request of one call.
	 * @param key the key of the call
	 * @return the request
	 * @throws io.github.zklock.core.LockKeyException if the key is not allowed
	 */
	public LockRequest request(String key) {
		return new LockRequest(key, this.mode, this.waitTime, this.name, null, true, 1, Duration.ZERO);
	}

	/**
	 * Return what a skipped call returns.
	 * @return an empty {@code Optional} of the kind the method returns, {@code null} for
	 * all other return types
	 */
	public @Nullable Object skippedResult() {
		return EMPTY.get(this.method.getReturnType());
	}

}
