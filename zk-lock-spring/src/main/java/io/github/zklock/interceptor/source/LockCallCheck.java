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

import java.util.List;

import io.github.zklock.core.LockRequest;

import org.springframework.aop.ProxyMethodInvocation;

/**
 * Looks at a call of a guarded method before its locks are acquired.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface LockCallCheck {

	/**
	 * Called on the thread of the caller. An exception is the end of the call.
	 * @param invocation the call
	 * @param requests the locks that the call needs, at least one
	 */
	void beforeAcquire(ProxyMethodInvocation invocation, List<LockRequest> requests);

}
