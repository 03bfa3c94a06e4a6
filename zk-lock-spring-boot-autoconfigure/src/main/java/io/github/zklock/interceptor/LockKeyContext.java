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
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.expression.BeanResolver;
import org.springframework.expression.ConstructorResolver;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.IndexAccessor;
import org.springframework.expression.MethodResolver;
import org.springframework.expression.OperatorOverloader;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.TypeComparator;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.TypeLocator;
import org.springframework.expression.TypedValue;

/**
 * What the expressions of one call see: the root and the arguments of the call, and for
 * the rest what all calls share. A context of Spring's own would copy all of it per call,
 * at a kilobyte each. Nothing can be assigned: a key only reads.
 */
final class LockKeyContext implements EvaluationContext {

	private final EvaluationContext shared;

	private final TypedValue root;

	private final Map<String, Integer> variables;

	private final @Nullable Object[] args;

	LockKeyContext(EvaluationContext shared, LockExpressionRoot root, Map<String, Integer> variables,
			@Nullable Object[] args) {
		this.shared = shared;
		this.root = new TypedValue(root);
		this.variables = variables;
		this.args = args;
	}

	@Override
	public TypedValue getRootObject() {
		return this.root;
	}

	@Override
	public @Nullable Object lookupVariable(String name) {
		Integer index = this.variables.get(name);
		return (index != null) ? this.args[index] : null;
	}

	@Override
	public void setVariable(String name, @Nullable Object value) {
		throw new UnsupportedOperationException("The key of a lock cannot set #" + name);
	}

	@Override
	public boolean isAssignmentEnabled() {
		return false;
	}

	@Override
	public List<PropertyAccessor> getPropertyAccessors() {
		return this.shared.getPropertyAccessors();
	}

	@Override
	public List<IndexAccessor> getIndexAccessors() {
		return this.shared.getIndexAccessors();
	}

	@Override
	public List<ConstructorResolver> getConstructorResolvers() {
		return this.shared.getConstructorResolvers();
	}

	@Override
	public List<MethodResolver> getMethodResolvers() {
		return this.shared.getMethodResolvers();
	}

	@Override
	public @Nullable BeanResolver getBeanResolver() {
		return this.shared.getBeanResolver();
	}

	@Override
	public TypeLocator getTypeLocator() {
		return this.shared.getTypeLocator();
	}

	@Override
	public TypeConverter getTypeConverter() {
		return this.shared.getTypeConverter();
	}

	@Override
	public TypeComparator getTypeComparator() {
		return this.shared.getTypeComparator();
	}

	@Override
	public OperatorOverloader getOperatorOverloader() {
		return this.shared.getOperatorOverloader();
	}

}
