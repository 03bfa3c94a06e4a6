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

package io.github.zklock.interceptor.operation;

import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Function;

import io.github.zklock.core.LockKeyException;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.EvaluationContext;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.standard.SpelExpression;

/**
 * The compiled form of a key, a condition or a number of permits: text and expressions in
 * a row.
 *
 * @param text the text as it was written, with placeholders resolved
 * @param parts the texts and expressions in a row
 * @param namedMethod the method whose parameters the expressions name: the one with the
 * annotation
 * @param argument the index of the argument that is the value, or {@code -1}
 * @since 0.1.0
 */
public record LockExpression(String text, List<Part> parts, Method namedMethod, int argument) {

	/**
	 * Return whether the text is the value for every call.
	 * @return {@code false} if it contains expressions
	 */
	public boolean isLiteral() {
		return this.parts.size() == 1 && this.parts.get(0).expression() == null;
	}

	/**
	 * Return whether some call may have the same key as some call with another
	 * expression.
	 * @param other the other expression
	 * @return {@code false} only if it is certain that the keys always differ
	 */
	public boolean mayEqual(LockExpression other) {
		String beginning = beginning();
		String otherBeginning = other.beginning();
		if (isLiteral() && other.isLiteral()) {
			return beginning.equals(otherBeginning);
		}
		return (!other.isLiteral() && beginning.startsWith(otherBeginning))
				|| (!isLiteral() && otherBeginning.startsWith(beginning));
	}

	private String beginning() {
		Part first = this.parts.get(0);
		if (first.expression() == null) {
			return first.text();
		}
		return (first.expression().getAST() instanceof StringLiteral string)
				? String.valueOf(string.getLiteralValue().getValue()) : "";
	}

	/**
	 * Evaluate the expressions. In a row, each part is turned into text on its own. SpEL
	 * would turn a {@code null} into nothing or into the word, and unrelated calls would
	 * share a key.
	 * @param context the variables and the like
	 * @param toText makes text of a value that is not {@code null}
	 * @param target the method, for messages
	 * @return the value of a single expression, the text of a row
	 * @throws LockKeyException if a part of a row is {@code null}
	 */
	public @Nullable Object evaluate(EvaluationContext context, Function<Object, String> toText, LockTarget target) {
		if (this.parts.size() == 1) {
			return this.parts.get(0).value(context);
		}
		StringBuilder key = new StringBuilder();
		for (Part part : this.parts) {
			Object value = part.value(context);
			if (value == null) {
				throw new LockKeyException("Lock key '" + this + "' of " + target + ": " + part.text()
						+ " is null, and a key without it would be shared by calls that have nothing in common; make sure "
						+ "that it has a value", this.text);
			}
			key.append(toText.apply(value));
		}
		return key.toString();
	}

	@Override
	public String toString() {
		return this.text;
	}

	/**
	 * One of the parts in a row.
	 *
	 * @param text the text, or the source of the expression
	 * @param expression the expression, or {@code null} for text
	 */
	public record Part(String text, @Nullable SpelExpression expression) {

		@Nullable Object value(EvaluationContext context) {
			return (this.expression != null) ? this.expression.getValue(context) : this.text;
		}

	}

}
