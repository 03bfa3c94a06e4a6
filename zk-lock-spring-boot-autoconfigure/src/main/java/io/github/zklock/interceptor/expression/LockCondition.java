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

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.zklock.interceptor.operation.LockExpression;
import io.github.zklock.interceptor.operation.LockExpressionException;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockSpecification;
import io.github.zklock.interceptor.operation.LockTarget;
import org.aopalliance.intercept.MethodInvocation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a call needs a lock. That one runs without it is logged once for each method.
 *
 * @since 0.1.0
 */
public final class LockCondition {

	private static final Logger logger = LoggerFactory.getLogger(LockCondition.class);

	private final Set<LockExpression> logged = ConcurrentHashMap.newKeySet();

	private final LockExpressionEvaluator evaluator;

	/**
	 * Create the condition.
	 * @param evaluator what evaluates its expressions
	 */
	public LockCondition(LockExpressionEvaluator evaluator) {
		this.evaluator = evaluator;
	}

	/**
	 * Return whether a call needs a lock.
	 * @param operation what is done around the called method
	 * @param lock the lock
	 * @param invocation the call
	 * @return {@code false} if its condition is false
	 * @throws LockExpressionException if its condition gives neither true nor false
	 */
	public boolean isMet(LockOperation operation, LockSpecification lock, MethodInvocation invocation) {
		LockExpression condition = lock.condition();
		if (condition == null) {
			return true;
		}
		Object value = this.evaluator.evaluate("condition", operation, condition, invocation);
		if (!(value instanceof Boolean met)) {
			throw this.evaluator.wrongValue("condition", operation, condition, value,
					"but has to be true or false: compare it with something");
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
