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

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;

/**
 * One call of a guarded method.
 *
 * @param operation what is done around the method
 * @param requests the locks of the call
 * @param invocation the call itself
 * @param refusals what decides about a call that gets no lock
 */
record LockCall(LockOperation operation, List<LockRequest> requests, MethodInvocation invocation,
		LockRefusals refusals) {

	@Nullable Object proceed(LockHandle handle) throws Throwable {
		return proceedWith(handle);
	}

	@Nullable Object proceedWithoutLock() throws Throwable {
		return proceedWith(null);
	}

	/**
	 * Answer the call instead of its method, since there is no lock. Only for an
	 * exception of its own acquire, never for one that comes out of the method.
	 * @param refusal that others hold a lock, or that the backend could not be asked
	 * @return what the method returns instead, of its own return type
	 * @throws Throwable what the caller gets instead
	 */
	@Nullable Object refused(LockException refusal) throws Throwable {
		return this.refusals.result(this.operation, this.invocation, refusal);
	}

	// Advice around this one, like that of a retry, is to see what the caller passed.
	private @Nullable Object proceedWith(@Nullable LockHandle handle) throws Throwable {
		LockParameters parameters = this.operation.parameters();
		if (parameters.isEmpty()) {
			return this.invocation.proceed();
		}
		if (!(this.invocation instanceof ProxyMethodInvocation proxied)) {
			throw new IllegalStateException("The invocation is not one of a Spring proxy: " + this.invocation);
		}
		@Nullable Object[] passed = proxied.getArguments();
		proxied.setArguments(parameters.fill(passed, handle));
		try {
			return proxied.proceed();
		}
		finally {
			proxied.setArguments(passed);
		}
	}

}
