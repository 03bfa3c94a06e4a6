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
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.expression.AccessException;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * An argument or a property of one, {@code #order.id}: what most keys are made of. Read
 * without the expression language, whose own state costs more than all the rest of a
 * call.
 *
 * @param variable the name of the argument
 * @param properties the properties, from the argument on
 */
record ArgumentPath(String variable, List<String> properties) {

	private static final Set<String> NO_ARGUMENTS = Set.of("#root", "#this");

	// Null if the expression is more than that.
	static @Nullable ArgumentPath of(SpelNode expression) {
		List<String> properties = new ArrayList<>();
		SpelNode first = expression;
		if (expression instanceof CompoundExpression) {
			first = expression.getChild(0);
			for (int i = 1; i < expression.getChildCount(); i++) {
				if (!(expression.getChild(i) instanceof PropertyOrFieldReference property) || property.isNullSafe()) {
					return null;
				}
				properties.add(property.getName());
			}
		}
		String variable = first.toStringAST();
		boolean argument = first instanceof VariableReference && !NO_ARGUMENTS.contains(variable);
		return argument ? new ArgumentPath(variable.substring(1), List.copyOf(properties)) : null;
	}

	/**
	 * Return the value.
	 * @param context what knows the arguments
	 * @return the value
	 * @throws AccessException if the expression language is to find out what is wrong
	 */
	@Nullable Object value(EvaluationContext context) throws AccessException {
		Object value = context.lookupVariable(this.variable);
		if (this.properties.isEmpty()) {
			return value;
		}
		PropertyAccessor accessor = context.getPropertyAccessors().get(0);
		for (int i = 0; i < this.properties.size(); i++) {
			if (value == null) {
				throw new AccessException("Nothing to read " + this.properties.get(i) + " from");
			}
			value = accessor.read(context, value, this.properties.get(i)).getValue();
		}
		return value;
	}

}
