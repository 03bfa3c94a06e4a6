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

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.StaticMethodMatcherPointcut;

/**
 * Matches the methods for which the operation source has a lock. Does not ask whether the
 * lock is valid, so that the start-up check can report all that are not.
 */
final class LockOperationSourcePointcut extends StaticMethodMatcherPointcut {

	private final LockOperationSource operationSource;

	LockOperationSourcePointcut(LockOperationSource operationSource) {
		this.operationSource = operationSource;
		setClassFilter(operationSource::isCandidateClass);
	}

	@Override
	public boolean matches(Method method, Class<?> targetClass) {
		return this.operationSource.hasLockOperation(method, targetClass);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof LockOperationSourcePointcut pointcut
				&& this.operationSource.equals(pointcut.operationSource);
	}

	@Override
	public int hashCode() {
		return this.operationSource.hashCode();
	}

	@Override
	public String toString() {
		return getClass().getName() + ": " + this.operationSource;
	}

}
