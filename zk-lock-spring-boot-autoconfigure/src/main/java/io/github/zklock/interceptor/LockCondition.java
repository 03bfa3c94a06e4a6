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

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.zklock.core.LockException;
import org.aopalliance.intercept.MethodInvocation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a call needs a lock. That one runs without it is logged once for each method.
 */
final class LockCondition {

	private static final Logger logger = LoggerFactory.getLogger(LockCondition.class);

	private final Set<LockExpression> logged = ConcurrentHashMap.newKeySet();

	private final LockExpressionEvaluator evaluator;

	LockCondition(LockExpressionEvaluator evaluator) {
		this.evaluator = evaluator;
	}

	boolean isMet(LockOperation operation, LockSpecification lock, MethodInvocation invocation) {
		LockExpression condition = lock.condition();
		if (condition == null) {
			return true;
		}
		Object value = this.evaluator.evaluate("condition", operation, condition, invocation);
		if (!(value instanceof Boolean met)) {
			throw new LockExpressionException(this.evaluator.describe("condition", operation, condition) + " gives "
					+ ((value != null) ? "'" + LockException.printable(String.valueOf(value)) + "' ("
							+ value.getClass().getName() + ")" : "null")
					+ ", but has to be true or false: compare it with something", condition.getText(), null);
		}
		if (!met && this.logged.add(condition)) {
			logger.info(
					"{} is called without its lock '{}', since its condition '{}' is false; further such calls are "
							+ "not logged",
					new LockTarget(operation.method(), operation.targetClass()), lock.name(), condition);
		}
		return met;
	}

}
