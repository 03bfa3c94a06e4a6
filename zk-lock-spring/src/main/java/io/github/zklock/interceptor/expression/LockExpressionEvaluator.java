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
import java.math.BigDecimal;
import java.time.temporal.TemporalAccessor;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.github.zklock.core.LockExpressionException;
import io.github.zklock.core.internal.LockKeys;
import io.github.zklock.interceptor.operation.LockExpression;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockSpecification;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.expression.ExpressionException;
import org.springframework.expression.spel.support.ReflectivePropertyAccessor;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.expression.spel.support.StandardTypeConverter;
import org.springframework.expression.spel.support.StandardTypeLocator;

/**
 * Evaluates the expressions of an annotation for a call: its key, its condition and its
 * permits.
 *
 * @since 0.1.0
 */
public final class LockExpressionEvaluator {

	private static final Logger logger = LoggerFactory.getLogger(LockExpressionEvaluator.class);

	private final TextConverter typeConverter;

	private final ParameterNameDiscoverer parameterNames = new DefaultParameterNameDiscoverer();

	// Holds what all calls share, like the caches of the property accessor.
	private final StandardEvaluationContext shared = new StandardEvaluationContext();

	private final Set<LockExpression> withoutLock = ConcurrentHashMap.newKeySet();

	public LockExpressionEvaluator(BeanFactory beanFactory) {
		ConfigurableBeanFactory configurable = (beanFactory instanceof ConfigurableBeanFactory beans) ? beans : null;
		ConversionService conversionService = (configurable != null) ? configurable.getConversionService() : null;
		this.typeConverter = new TextConverter(
				(conversionService != null) ? conversionService : DefaultConversionService.getSharedInstance());
		this.shared.setBeanResolver(new BeanFactoryResolver(beanFactory));
		this.shared.setTypeConverter(this.typeConverter);
		this.shared.setPropertyAccessors(List.of(new ReflectivePropertyAccessor(false)));
		if (configurable != null) {
			this.shared.setTypeLocator(new StandardTypeLocator(configurable.getBeanClassLoader()));
		}
	}

	/**
	 * Return the text of a value, {@code null} if such a value has no text.
	 */
	public @Nullable String toText(Object value) {
		return this.typeConverter.toText(value);
	}

	/**
	 * Return whether a call needs a lock. A call without its lock is logged once for each
	 * method.
	 */
	public boolean needs(LockSpecification lock, LockOperation operation, MethodInvocation invocation) {
		LockExpression condition = lock.condition();
		if (condition == null) {
			return true;
		}
		Object value = evaluate("condition", operation, condition, invocation);
		if (!(value instanceof Boolean met)) {
			throw wrongValue("condition", operation, condition, value,
					"but has to be true or false: compare it with something");
		}
		if (!met && this.withoutLock.add(condition)) {
			logger.info("{} is called without its lock '{}', since its condition '{}' is false; further such calls are "
					+ "not logged", operation.target(), lock.name(), condition);
		}
		return met;
	}

	/**
	 * Return how many may hold the key of a call at once.
	 */
	public int permits(LockSpecification lock, LockOperation operation, MethodInvocation invocation) {
		LockExpression expression = lock.permitsExpression();
		if (expression == null) {
			return lock.permits();
		}
		Object value = evaluate("permits", operation, expression, invocation);
		Integer number = wholeNumber(value);
		if (number == null || number < 1) {
			throw wrongValue("permits", operation, expression, value,
					"which is not a number of 1 or more: make sure that every call has such a number, and "
							+ "all calls with one key the same");
		}
		return number;
	}

	/**
	 * Return a value as a whole number, {@code null} if it is not one.
	 */
	public static @Nullable Integer wholeNumber(@Nullable Object value) {
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

	/**
	 * Evaluate an expression. The function turns its parts into text.
	 */
	public @Nullable Object evaluate(LockOperation operation, LockExpression expression, MethodInvocation invocation,
			Function<Object, String> toText) {
		@Nullable Object[] args = invocation.getArguments();
		LockExpressionRoot root = new LockExpressionRoot(operation, invocation.getThis(), args);
		CallContext context = new CallContext(root, expression.namedMethod(), args);
		return expression.evaluate(context, toText, operation.target());
	}

	private @Nullable Object evaluate(String attribute, LockOperation operation, LockExpression expression,
			MethodInvocation invocation) {
		try {
			return evaluate(operation, expression, invocation, String::valueOf);
		}
		catch (RuntimeException ex) {
			throw new LockExpressionException(describe(attribute, operation, expression) + " could not be evaluated: "
					+ reason(ex) + "; correct the expression or what it calls", expression.text(), ex);
		}
	}

	/**
	 * Return why an expression has failed, without a value of an argument. It is the
	 * message of the expression language, or only the type of any other failure, whose
	 * text may contain a value.
	 * @param failure what was thrown
	 * @return the reason
	 */
	public static String reason(RuntimeException failure) {
		return (failure instanceof ExpressionException) ? LockKeys.printable(String.valueOf(failure.getMessage()))
				: failure.getClass().getName();
	}

	private static String describe(String attribute, LockOperation operation, LockExpression expression) {
		return "The " + attribute + " '" + expression + "' of " + operation.target();
	}

	private static LockExpressionException wrongValue(String attribute, LockOperation operation,
			LockExpression expression, @Nullable Object value, String remedy) {
		String given = (value != null) ? "a " + value.getClass().getName() : "null";
		return new LockExpressionException(
				describe(attribute, operation, expression) + " gives " + given + ", " + remedy, expression.text(),
				null);
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
	 * The conversions of the application, except for dates and numbers. They become text
	 * in the same way everywhere. A formatter would follow the locale of the request, and
	 * two requests for the same key would not exclude each other.
	 */
	private static final class TextConverter extends StandardTypeConverter {

		private static final TypeDescriptor STRING = TypeDescriptor.valueOf(String.class);

		TextConverter(ConversionService conversionService) {
			super(conversionService);
		}

		@Override
		public @Nullable Object convertValue(@Nullable Object value, @Nullable TypeDescriptor sourceType,
				TypeDescriptor targetType) {
			if (targetType.getType() == String.class && isNeutral(value)) {
				return String.valueOf(value);
			}
			return super.convertValue(value, sourceType, targetType);
		}

		// The conversion service falls back to toString(), even to Object's. Such a text
		// differs for each object and on each node.
		@Nullable String toText(Object value) {
			if (isNeutral(value)) {
				return value.toString();
			}
			TypeDescriptor sourceType = TypeDescriptor.forObject(value);
			String text = canConvert(sourceType, STRING) ? (String) convertValue(value, sourceType, STRING) : null;
			return (value.getClass().getName() + "@" + Integer.toHexString(value.hashCode())).equals(text) ? null
					: text;
		}

		private static boolean isNeutral(@Nullable Object value) {
			return value instanceof CharSequence || value instanceof Number || value instanceof Boolean
					|| value instanceof Character || value instanceof UUID || value instanceof TemporalAccessor;
		}

	}

	/**
	 * The object {@code #root} of an expression. It is public only for the expression
	 * language.
	 */
	public static final class LockExpressionRoot {

		private final LockOperation operation;

		private final @Nullable Object target;

		private final @Nullable Object[] args;

		LockExpressionRoot(LockOperation operation, @Nullable Object target, @Nullable Object[] args) {
			this.operation = operation;
			this.target = target;
			this.args = args;
		}

		public Method getMethod() {
			return this.operation.method();
		}

		public String getMethodName() {
			return this.operation.method().getName();
		}

		public @Nullable Object getTarget() {
			return this.target;
		}

		public Class<?> getTargetClass() {
			return this.operation.targetClass();
		}

		public @Nullable Object[] getArgs() {
			return this.args;
		}

	}

}
