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

import java.util.ArrayList;
import java.util.List;

import io.github.zklock.core.LockRequest;
import org.aopalliance.intercept.MethodInvocation;

/**
 * Makes the requests of a call out of the specifications of its method.
 */
final class LockRequests {

	private final LockKeyResolver keyResolver;

	private final LockCondition condition;

	private final LockPermits permits;

	LockRequests(LockKeyResolver keyResolver, LockExpressionEvaluator evaluator) {
		this.keyResolver = keyResolver;
		this.condition = new LockCondition(evaluator);
		this.permits = new LockPermits(evaluator);
	}

	// Empty if the call is to run without a lock.
	List<LockRequest> of(LockOperation operation, MethodInvocation invocation) {
		List<LockRequest> requests = new ArrayList<>(operation.locks().size());
		for (LockSpecification lock : operation.locks()) {
			if (lock.enabled() && this.condition.isMet(operation, lock, invocation)) {
				int permits = this.permits.of(operation, lock, invocation);
				for (String key : this.keyResolver.resolveKeys(operation, lock, invocation)) {
					requests.add(lock.request(key, permits));
				}
			}
		}
		return requests;
	}

	// Nothing is evaluated: what fails there is a reason to turn a lock off.
	static List<LockRequest> disabled(LockOperation operation) {
		return operation.locks()
			.stream()
			.filter((lock) -> !lock.enabled())
			.map((lock) -> lock.request(lock.name(), 1))
			.toList();
	}

}
