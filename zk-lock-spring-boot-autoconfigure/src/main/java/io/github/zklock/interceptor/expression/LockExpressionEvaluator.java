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

import java.lang.reflect.Method;
import java.time.temporal.TemporalAccessor;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

import io.github.zklock.core.LockException;
import io.github.zklock.interceptor.operation.LockExpression;
import io.github.zklock.interceptor.operation.LockExpressionException;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockTarget;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.spel.support.ReflectivePropertyAccessor;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.expression.spel.support.StandardTypeConverter;
import org.springframework.expression.spel.support.StandardTypeLocator;

/**
 * Evaluates the expressions of an annotation for a call.
 *
 * @since 0.1.0
 */
public final class LockExpressionEvaluator {

	private final TextConverter typeConverter;

	private final ParameterNameDiscoverer parameterNames = new DefaultParameterNameDiscoverer();

	// Holds what all calls share, like the caches of the property accessor.
	private final StandardEvaluationContext shared = new StandardEvaluationContext();

	/**
	 * Create the evaluator.
	 * @param beanFactory where {@code @bean} and the conversions are looked up
	 */
	public LockExpressionEvaluator(BeanFactory beanFactory) {
		this.typeConverter = new TextConverter(conversionService(beanFactory));
		this.shared.setBeanResolver(new BeanFactoryResolver(beanFactory));
		this.shared.setTypeConverter(this.typeConverter);
		this.shared.setPropertyAccessors(List.of(new ReflectivePropertyAccessor(false)));
		if (beanFactory instanceof ConfigurableBeanFactory configurable) {
			this.shared.setTypeLocator(new StandardTypeLocator(configurable.getBeanClassLoader()));
		}
	}

	/**
	 * Return the text of a value.
	 * @param value the value
	 * @return the text, or {@code null} if there is none for such a value
	 */
	public @Nullable String toText(Object value) {
		return this.typeConverter.toText(value);
	}

	/**
	 * Evaluate a key.
	 * @param operation what is done around the called method
	 * @param expression the key
	 * @param invocation the call
	 * @param toText makes text of the parts of a key
	 * @return the value
	 */
	public @Nullable Object evaluate(LockOperation operation, LockExpression expression, MethodInvocation invocation,
			Function<Object, String> toText) {
		@Nullable Object[] args = invocation.getArguments();
		LockExpressionRoot root = new LockExpressionRoot(operation, invocation.getThis(), args);
		CallContext context = new CallContext(root, expression.namedMethod(), args);
		return expression.evaluate(context, toText, new LockTarget(operation.method(), operation.targetClass()));
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

	private static String describe(String attribute, LockOperation operation, LockExpression expression) {
		return "The " + attribute + " '" + expression + "' of "
				+ new LockTarget(operation.method(), operation.targetClass());
	}

	// What is thrown for a value that the attribute cannot have.
	LockExpressionException wrongValue(String attribute, LockOperation operation, LockExpression expression,
			@Nullable Object value, String remedy) {
		String given = (value != null)
				? "'" + LockException.printable(String.valueOf(value)) + "' (" + value.getClass().getName() + ")"
				: "null";
		return new LockExpressionException(
				describe(attribute, operation, expression) + " gives " + given + ", " + remedy, expression.getText(),
				null);
	}

	private static ConversionService conversionService(BeanFactory beanFactory) {
		ConversionService conversionService = (beanFactory instanceof ConfigurableBeanFactory configurable)
				? configurable.getConversionService() : null;
		return (conversionService != null) ? conversionService : DefaultConversionService.getSharedInstance();
	}

	/**
	 * The context of one call, in which nothing can be assigned.
	 */
	private final class CallContext extends MethodBasedEvaluationContext {

		CallContext(LockExpressionRoot root, Method method, @Nullable Object[] args) {
			super(root, method, args, LockExpressionEvaluator.this.parameterNames);
			LockExpressionEvaluator.this.shared.applyDelegatesTo(this);
		}

		@Override
		public boolean isAssignmentEnabled() {
			return false;
		}

	}

	/**
	 * The conversions of the application, except that dates and numbers become text in
	 * the same way everywhere: a formatter would follow the locale of the request, and
	 * two requests that mean the same key would not exclude each other.
	 */
	private static final class TextConverter implements TypeConverter {

		private static final TypeDescriptor STRING = TypeDescriptor.valueOf(String.class);

		private final TypeConverter delegate;

		TextConverter(ConversionService conversionService) {
			this.delegate = new StandardTypeConverter(conversionService);
		}

		@Override
		public boolean canConvert(@Nullable TypeDescriptor sourceType, TypeDescriptor targetType) {
			return this.delegate.canConvert(sourceType, targetType);
		}

		@Override
		public @Nullable Object convertValue(@Nullable Object value, @Nullable TypeDescriptor sourceType,
				TypeDescriptor targetType) {
			if (targetType.getType() == String.class && isNeutral(value)) {
				return String.valueOf(value);
			}
			return this.delegate.convertValue(value, sourceType, targetType);
		}

		// Null if there is no text for such a value, or an empty one.
		@Nullable String toText(Object value) {
			if (isNeutral(value)) {
				return value.toString();
			}
			TypeDescriptor sourceType = TypeDescriptor.forObject(value);
			String text = this.delegate.canConvert(sourceType, STRING)
					? (String) this.delegate.convertValue(value, sourceType, STRING) : null;
			return isInherited(text, value) ? null : text;
		}

		// The conversion service falls back to toString(), also that of Object: such a
		// text differs for each object and on each node.
		private static boolean isInherited(@Nullable String text, Object value) {
			return (value.getClass().getName() + "@" + Integer.toHexString(value.hashCode())).equals(text);
		}

		private static boolean isNeutral(@Nullable Object value) {
			return value instanceof CharSequence || value instanceof Number || value instanceof Boolean
					|| value instanceof Character || value instanceof UUID || value instanceof TemporalAccessor;
		}

	}

}
