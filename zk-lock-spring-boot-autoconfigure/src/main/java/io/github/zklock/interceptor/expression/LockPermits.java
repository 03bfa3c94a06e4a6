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

import java.math.BigDecimal;
import java.time.Duration;

import io.github.zklock.core.LockMode;
import io.github.zklock.interceptor.operation.LockExpression;
import io.github.zklock.interceptor.operation.LockExpressionException;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockSpecification;
import io.github.zklock.interceptor.operation.LockTarget;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * How many may hold a key at once: a number known at start-up, or one for each call.
 *
 * @since 0.1.0
 */
public final class LockPermits {

	private static final String REMEDY = "Set permits to 1 or more, and to more than 1 only with mode = EXCLUSIVE: "
			+ "a number, a placeholder, or an expression like #tenant.limit.";

	private final LockExpressionEvaluator evaluator;

	/**
	 * Create the permits.
	 * @param evaluator what evaluates their expressions
	 */
	public LockPermits(LockExpressionEvaluator evaluator) {
		this.evaluator = evaluator;
	}

	/**
	 * Check what can be checked before the first call.
	 * @param target the method, for messages
	 * @param mode the mode of the lock
	 * @param permits what the annotation says
	 * @param atLeast how long the key stays taken at least
	 * @return the number, 0 if each call has its own
	 */
	public static int check(LockTarget target, LockMode mode, LockExpression permits, Duration atLeast) {
		int number = check(target, mode, permits);
		if (number != 1 && !atLeast.isZero()) {
			throw target.invalid("has permits = \"" + permits + "\" and an atLeast, which cannot be combined",
					"Remove permits: who is kept out while others may come in is not defined. Or remove atLeast.");
		}
		return number;
	}

	private static int check(LockTarget target, LockMode mode, LockExpression permits) {
		Integer number = permits.isLiteral() ? number(permits.getText()) : Integer.valueOf(0);
		if (number == null || (permits.isLiteral() && number < 1)) {
			throw target.invalid("has permits = \"" + permits + "\", which is not a number of 1 or more", REMEDY);
		}
		if (number != 1 && mode != LockMode.EXCLUSIVE) {
			throw target.invalid(
					"has permits = \"" + permits + "\" and mode = " + mode + ", which no number of permits can share",
					REMEDY);
		}
		return number;
	}

	/**
	 * Return the number for a call.
	 * @param operation what is done around the called method
	 * @param lock the lock
	 * @param invocation the call
	 * @return the number, at least 1
	 * @throws LockExpressionException if an expression gives another value
	 */
	public int of(LockOperation operation, LockSpecification lock, MethodInvocation invocation) {
		LockExpression expression = lock.permitsExpression();
		if (expression == null) {
			return lock.permits();
		}
		Object value = this.evaluator.evaluate("permits", operation, expression, invocation);
		Integer number = number(value);
		if (number == null || number < 1) {
			throw this.evaluator.wrongValue("permits", operation, expression, value,
					"which is not a number of 1 or more: make sure that every call has such a number, and "
							+ "all calls with one key the same");
		}
		return number;
	}

	// Null if the value is not a whole number.
	private static @Nullable Integer number(@Nullable Object value) {
		if (!(value instanceof Number || value instanceof CharSequence)) {
			return null;
		}
		try {
			return new BigDecimal(value.toString().strip()).intValueExact();
		}
		catch (ArithmeticException | NumberFormatException ex) {
			return null;
		}
	}

}
