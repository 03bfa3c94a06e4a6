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

package io.github.zklock.interceptor.operation;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import io.github.zklock.core.LockException;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.KotlinDetector;

/**
 * The method that is called instead of a guarded one, found and checked at start-up. It
 * is called on the target of the call, so without advice of its own.
 *
 * @param method the method of the target class
 * @since 0.1.0
 */
public record LockFallback(Method method) {

	/**
	 * Call the method for a call whose lock was not acquired.
	 */
	public @Nullable Object call(MethodInvocation invocation, LockException refusal) throws Throwable {
		return AopUtils.invokeJoinpointUsingReflection(Objects.requireNonNull(invocation.getThis()), this.method,
				arguments(invocation, refusal));
	}

	// The compiler adds the continuation of a suspending function behind all others.
	private @Nullable Object[] arguments(MethodInvocation invocation, LockException refusal) {
		List<@Nullable Object> arguments = new ArrayList<>(Arrays.asList(invocation.getArguments()));
		if (this.method.getParameterCount() > arguments.size()) {
			boolean suspending = KotlinDetector.isSuspendingFunction(this.method);
			arguments.add(suspending ? arguments.size() - 1 : arguments.size(), refusal);
		}
		return arguments.toArray();
	}

	@Override
	public String toString() {
		return this.method.getName();
	}

}
