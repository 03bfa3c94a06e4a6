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

package io.github.zklock.core;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The {@code condition} or the {@code permits} of a {@code @DistributedLock} could not be
 * evaluated for a call, or gave something that cannot be used. The method was not called,
 * and nothing was sent to ZooKeeper.
 *
 * @since 0.1.0
 * @see io.github.zklock.core.LockKeyException
 */
@SuppressWarnings("serial")
public class LockExpressionException extends LockException {

	private final String expression;

	/**
	 * Create the exception.
	 * @param message what is wrong and what to do
	 * @param expression the expression
	 * @param cause the cause, if any
	 */
	public LockExpressionException(String message, String expression, @Nullable Throwable cause) {
		super(message, cause, null, null, Duration.ZERO);
		this.expression = expression;
	}

	/**
	 * Return the expression that is at fault.
	 * @return the expression, with placeholders resolved
	 */
	public String getExpression() {
		return this.expression;
	}

}
