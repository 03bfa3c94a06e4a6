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

package io.github.zklock.interceptor.expression;

import java.lang.reflect.Method;

import io.github.zklock.interceptor.operation.LockOperation;
import org.jspecify.annotations.Nullable;

/**
 * What {@code #root} is in the expressions of an annotation. Public only for the
 * expression language to see it.
 *
 * @since 0.1.0
 */
public final class LockExpressionRoot {

	private final LockOperation operation;

	private final @Nullable Object target;

	private final @Nullable Object[] args;

	LockExpressionRoot(LockOperation operation, @Nullable Object target, @Nullable Object[] args) {
		this.operation = operation;
		this.target = target;
		this.args = args;
	}

	public Method getMethod() {
		return this.operation.method();
	}

	public String getMethodName() {
		return this.operation.method().getName();
	}

	public @Nullable Object getTarget() {
		return this.target;
	}

	public Class<?> getTargetClass() {
		return this.operation.targetClass();
	}

	public @Nullable Object[] getArgs() {
		return this.args;
	}

}
