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
import java.util.function.Supplier;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockUnavailableException;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.KotlinDetector;

/**
 * The method that is called instead of a guarded one, found and checked at start-up. It
 * is called on the target of the call, so without advice of its own, or as a method of
 * another bean.
 *
 * @param text how the annotation names it
 * @param notAcquired the method to call when others hold the lock
 * @param unavailable the method to call when ZooKeeper could not be asked
 * @param bean the bean to call it on, {@code null} for the target of the call
 * @since 0.1.0
 */
public record LockFallback(String text, Method notAcquired, Method unavailable, @Nullable Supplier<Object> bean) {

	/**
	 * Call the method for a call that was refused its lock.
	 */
	public @Nullable Object call(MethodInvocation invocation, LockException refusal) throws Throwable {
		Method method = (refusal instanceof LockUnavailableException) ? this.unavailable : this.notAcquired;
		@Nullable Object[] arguments = arguments(method, invocation, refusal);
		if (this.bean == null) {
			return AopUtils.invokeJoinpointUsingReflection(Objects.requireNonNull(invocation.getThis()), method,
					arguments);
		}
		Object bean = this.bean.get();
		return AopUtils.invokeJoinpointUsingReflection(bean, AopUtils.selectInvocableMethod(method, bean.getClass()),
				arguments);
	}

	// The compiler adds the continuation of a suspending function behind all others.
	private static @Nullable Object[] arguments(Method method, MethodInvocation invocation, LockException refusal) {
		List<@Nullable Object> arguments = new ArrayList<>(Arrays.asList(invocation.getArguments()));
		if (method.getParameterCount() > arguments.size()) {
			boolean suspending = KotlinDetector.isSuspendingFunction(method);
			arguments.add(suspending ? arguments.size() - 1 : arguments.size(), refusal);
		}
		return arguments.toArray();
	}

	@Override
	public String toString() {
		return this.text;
	}

}
