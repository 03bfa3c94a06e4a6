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

import io.github.zklock.core.LockKeyException;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockSpecification;
import org.aopalliance.intercept.MethodInvocation;

/**
 * Computes the key of a call.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface LockKeyResolver {

	/**
	 * Compute the keys of one lock of a call. Several keys are acquired all or none.
	 * @param operation what is done around the called method
	 * @param lock the one of its locks whose keys are wanted
	 * @param invocation the call
	 * @return the keys, at least one
	 * @throws LockKeyException if there is none
	 */
	List<String> resolveKeys(LockOperation operation, LockSpecification lock, MethodInvocation invocation);

}
