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

import java.util.Collection;
import java.util.Map;
import java.util.Optional;

import io.github.zklock.core.LockKeyException;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.expression.spel.support.StandardTypeLocator;
import org.springframework.util.ObjectUtils;

/**
 * Evaluates the key that {@code @DistributedLock} declares. The value becomes text by the
 * {@link ConversionService} of the bean factory; dates, numbers, UUIDs and the like by
 * {@code toString()}, so that no locale has a part in it.
 *
 * @since 0.1.0
 */
public final class SpelLockKeyResolver implements LockKeyResolver {

	private final LockKeyTypeConverter typeConverter;

	// Holds what all calls share, like the caches of the property accessors.
	private final StandardEvaluationContext shared = new StandardEvaluationContext();

	/**
	 * Create the resolver.
	 * @param beanFactory where {@code @bean} is looked up
	 */
	public SpelLockKeyResolver(BeanFactory beanFactory) {
		this.typeConverter = new LockKeyTypeConverter(conversionService(beanFactory));
		this.shared.setBeanResolver(new BeanFactoryResolver(beanFactory));
		this.shared.setTypeConverter(this.typeConverter);
		if (beanFactory instanceof ConfigurableBeanFactory configurable) {
			this.shared.setTypeLocator(new StandardTypeLocator(configurable.getBeanClassLoader()));
		}
	}

	@Override
	public String resolveKey(LockOperation operation, MethodInvocation invocation) {
		LockKeyExpression key = operation.key();
		if (key.isLiteral()) {
			return key.getText();
		}
		try {
			Object value = key.evaluate(context(operation, invocation), (part) -> toText(operation, part));
			return toKey(operation, value);
		}
		catch (LockKeyException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw new LockKeyException(describe(operation) + " could not be evaluated: " + ex.getMessage()
					+ "; correct the expression or what it calls", key.getText(), ex);
		}
	}

	private StandardEvaluationContext context(LockOperation operation, MethodInvocation invocation) {
		@Nullable Object[] args = invocation.getArguments();
		StandardEvaluationContext context = new StandardEvaluationContext(
				new LockExpressionRoot(operation, invocation.getThis(), args));
		this.shared.applyDelegatesTo(context);
		operation.key().variables().forEach((name, index) -> context.setVariable(name, args[index]));
		return context;
	}

	private String toKey(LockOperation operation, @Nullable Object value) {
		Object result = (value instanceof Optional<?> optional) ? optional.orElse(null) : value;
		if (result == null) {
			throw new LockKeyException(describe(operation)
					+ " is null: give every call a key, since a missing one would make all such calls share one lock",
					operation.key().getText());
		}
		String key = toText(operation, result);
		if (key.isBlank()) {
			throw new LockKeyException(describe(operation) + " is blank: give every call a key",
					operation.key().getText());
		}
		return key;
	}

	private String toText(LockOperation operation, Object value) {
		if (value instanceof Collection || value instanceof Map || ObjectUtils.isArray(value)) {
			throw new LockKeyException(describe(operation) + " gives a " + value.getClass().getSimpleName()
					+ ", but several keys are not supported yet: make it one text", operation.key().getText());
		}
		String text = this.typeConverter.toText(value);
		if (text == null) {
			throw new LockKeyException(describe(operation) + " gives a " + value.getClass().getName()
					+ ", for which there is no conversion to text: use a property that identifies it, or register a "
					+ "Converter", operation.key().getText());
		}
		return text;
	}

	private static String describe(LockOperation operation) {
		return "Lock key '" + operation.key() + "' of " + new LockTarget(operation.method(), operation.targetClass());
	}

	private static ConversionService conversionService(BeanFactory beanFactory) {
		ConversionService conversionService = (beanFactory instanceof ConfigurableBeanFactory configurable)
				? configurable.getConversionService() : null;
		return (conversionService != null) ? conversionService : DefaultConversionService.getSharedInstance();
	}

}
