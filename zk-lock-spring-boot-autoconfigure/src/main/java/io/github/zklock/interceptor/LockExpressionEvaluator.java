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
import java.util.function.Function;

import io.github.zklock.core.LockException;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.expression.spel.support.StandardTypeLocator;

/**
 * Evaluates the expressions of an annotation for a call.
 */
final class LockExpressionEvaluator {

	private final LockKeyTypeConverter typeConverter;

	// Holds what all calls share, like the caches of the property accessors.
	private final StandardEvaluationContext shared = new StandardEvaluationContext();

	LockExpressionEvaluator(BeanFactory beanFactory) {
		this.typeConverter = new LockKeyTypeConverter(conversionService(beanFactory));
		this.shared.setBeanResolver(new BeanFactoryResolver(beanFactory));
		this.shared.setTypeConverter(this.typeConverter);
		this.shared.setPropertyAccessors(List.of(new CachingPropertyAccessor()));
		if (beanFactory instanceof ConfigurableBeanFactory configurable) {
			this.shared.setTypeLocator(new StandardTypeLocator(configurable.getBeanClassLoader()));
		}
	}

	LockKeyTypeConverter typeConverter() {
		return this.typeConverter;
	}

	@Nullable Object evaluate(LockOperation operation, LockExpression expression, MethodInvocation invocation,
			Function<Object, String> toText) {
		@Nullable Object[] args = invocation.getArguments();
		LockExpressionRoot root = new LockExpressionRoot(operation, invocation.getThis(), args);
		return expression.evaluate(new LockKeyContext(this.shared, root, expression.variables(), args), toText,
				new LockTarget(operation.method(), operation.targetClass()));
	}

	/**
	 * Evaluate an attribute that is not the key.
	 * @param attribute the attribute, for messages
	 * @param operation what is done around the called method
	 * @param expression what the attribute says
	 * @param invocation the call
	 * @return the value
	 * @throws LockExpressionException if that fails
	 */
	@Nullable Object evaluate(String attribute, LockOperation operation, LockExpression expression, MethodInvocation invocation) {
		try {
			return evaluate(operation, expression, invocation, String::valueOf);
		}
		catch (RuntimeException ex) {
			throw new LockExpressionException(describe(attribute, operation, expression) + " could not be evaluated: "
					+ LockException.printable(String.valueOf(ex.getMessage()))
					+ "; correct the expression or what it calls", expression.getText(), ex);
		}
	}

	String describe(String attribute, LockOperation operation, LockExpression expression) {
		return "The " + attribute + " '" + expression + "' of "
				+ new LockTarget(operation.method(), operation.targetClass());
	}

	private static ConversionService conversionService(BeanFactory beanFactory) {
		ConversionService conversionService = (beanFactory instanceof ConfigurableBeanFactory configurable)
				? configurable.getConversionService() : null;
		return (conversionService != null) ? conversionService : DefaultConversionService.getSharedInstance();
	}

}
