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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

import io.github.zklock.core.LockException;
import io.github.zklock.interceptor.operation.MethodResult;
import org.jspecify.annotations.Nullable;

/**
 * A call of a guarded method that was refused its lock.
 *
 * @param method the method of the target class
 * @param target the object it was to be called on, if there is one
 * @param arguments the arguments of the call
 * @param exception why there is no lock: a
 * {@link io.github.zklock.core.LockNotAcquiredException} or a
 * {@link io.github.zklock.core.LockUnavailableException}
 * @since 0.1.0
 */
public record LockRefusal(Method method, @Nullable Object target, List<@Nullable Object> arguments,
		LockException exception) {

	/**
	 * Copy the arguments.
	 */
	public LockRefusal {
		Objects.requireNonNull(method, "method must not be null");
		Objects.requireNonNull(exception, "exception must not be null");
		arguments = Collections.unmodifiableList(new ArrayList<>(arguments));
	}

	/**
	 * Return what the method returns when it is skipped.
	 * @return an empty {@code Optional}, a completed future or an empty publisher, if the
	 * method returns one; {@code null} for all other return types
	 */
	public @Nullable Object emptyResult() {
		return MethodResult.empty(this.method);
	}

}
