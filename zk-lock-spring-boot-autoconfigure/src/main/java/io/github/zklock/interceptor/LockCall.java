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

import java.util.List;

import io.github.zklock.annotation.NotAcquired;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;

/**
 * One call of a guarded method.
 *
 * @param operation what is done around the method
 * @param requests the locks of the call
 * @param invocation the call itself
 * @param detached whether it goes on when the caller has left, and on another thread
 */
record LockCall(LockOperation operation, List<LockRequest> requests, MethodInvocation invocation, boolean detached) {

	LockCall(LockOperation operation, List<LockRequest> requests, MethodInvocation invocation) {
		this(operation, requests, invocation, false);
	}

	// An invocation can proceed once, a publisher can be subscribed to more than once.
	LockCall detach() {
		MethodInvocation again = (this.invocation instanceof ProxyMethodInvocation proxied) ? proxied.invocableClone()
				: this.invocation;
		return new LockCall(this.operation, this.requests, again, true);
	}

	@Nullable Object proceed(LockHandle handle) throws Throwable {
		// Aspects find the call by its thread.
		return this.detached ? ExposeInvocationInterceptor.INSTANCE.invoke(this.invocation) : this.invocation.proceed();
	}

	// What the method returns instead, of its own return type.
	@Nullable Object refused(LockNotAcquiredException refusal) throws Throwable {
		if (this.operation.onNotAcquired() == NotAcquired.SKIP) {
			return this.operation.skippedResult();
		}
		throw refusal;
	}

}
