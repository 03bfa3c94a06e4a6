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

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.zklock.core.LockOperations;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.ResultKind;
import org.jspecify.annotations.Nullable;

import org.springframework.core.MethodClassKey;

/**
 * Chooses, once for each method, how its calls are run.
 */
final class LockExecutions {

	private final LockOperations operations;

	private final Map<MethodClassKey, LockExecution> chosen = new ConcurrentHashMap<>();

	LockExecutions(LockOperations operations) {
		this.operations = operations;
	}

	LockExecution of(LockOperation operation) {
		MethodClassKey key = new MethodClassKey(operation.method(), operation.targetClass());
		LockExecution known = this.chosen.get(key);
		return (known != null) ? known : this.chosen.computeIfAbsent(key, (unknown) -> choose(operation));
	}

	private LockExecution choose(LockOperation operation) {
		return switch (ResultKind.of(operation.target())) {
			case FINISHED -> new BlockingExecution(this.operations, false);
			case ASYNC -> new BlockingExecution(this.operations, true);
			case STAGE -> new StageExecution(this.operations);
			case REACTIVE -> new ReactiveExecution(this.operations, operation.method());
		};
	}

	/**
	 * How a call is run under its locks, depending on what its method returns.
	 */
	interface LockExecution {

		@Nullable Object execute(LockCall call) throws Throwable;

	}

	/**
	 * Gives what a method returns, or throws what it throws.
	 *
	 * @param <T> what it returns
	 */
	interface Source<T extends @Nullable Object> {

		T get() throws Throwable;

	}

}
