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

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.zklock.core.LockKeyException;
import io.github.zklock.core.spi.LockKeyResolver;
import io.github.zklock.interceptor.operation.LockExpression;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockSpecification;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.convert.ConversionService;
import org.springframework.util.ObjectUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Evaluates the key that {@code @DistributedLock} declares. The {@link ConversionService}
 * of the bean factory turns the value into text. Dates, numbers, UUIDs and the like use
 * {@code toString()}, so that the locale does not matter. The {@link LockKeyResolver}
 * beans may change the result.
 *
 * @since 0.1.0
 */
public final class LockKeyEvaluator {

	private final LockExpressionEvaluator evaluator;

	private final Supplier<? extends List<LockKeyResolver>> resolvers;

	/**
	 * Create the evaluator.
	 * @param beanFactory where {@code @bean} and the resolvers are looked up
	 */
	public LockKeyEvaluator(BeanFactory beanFactory) {
		this.evaluator = new LockExpressionEvaluator(beanFactory);
		this.resolvers = SingletonSupplier
			.of(() -> beanFactory.getBeanProvider(LockKeyResolver.class).orderedStream().toList());
	}

	/**
	 * Return the keys of one lock of a call.
	 * @param operation what is done around the called method
	 * @param lock the one of its locks whose keys are wanted
	 * @param invocation the call
	 * @return the keys, at least one
	 * @throws LockKeyException if there is none
	 */
	public List<String> keys(LockOperation operation, LockSpecification lock, MethodInvocation invocation) {
		List<String> keys = declared(operation, lock.key(), invocation);
		for (LockKeyResolver resolver : this.resolvers.get()) {
			keys = resolver.resolveKeys(keys, operation.method(), invocation.getThis(), invocation.getArguments());
			if (keys.isEmpty()) {
				throw invalid(operation, lock.key(), " has become no key at all in " + resolver.getClass().getName()
						+ ", and the call must not run without a lock");
			}
		}
		return keys;
	}

	private List<String> declared(LockOperation operation, LockExpression key, MethodInvocation invocation) {
		if (key.isLiteral()) {
			return List.of(key.text());
		}
		try {
			Object value = this.evaluator.evaluate(operation, key, invocation, (part) -> toText(operation, key, part));
			return toKeys(operation, key, value);
		}
		catch (LockKeyException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw new LockKeyException(describe(operation, key) + " could not be evaluated: "
					+ LockExpressionEvaluator.reason(ex) + "; correct the expression or what it calls", key.text(), ex);
		}
	}

	private List<String> toKeys(LockOperation operation, LockExpression key, @Nullable Object value) {
		if (!isSeveral(value)) {
			return List.of(toKey(operation, key, value));
		}
		Stream<?> values = (value instanceof Collection<?> collection) ? collection.stream()
				: Arrays.stream(ObjectUtils.toObjectArray(value));
		List<String> keys = values.map((each) -> toKey(operation, key, each)).toList();
		if (keys.isEmpty()) {
			throw invalid(operation, key, " gives no key at all, and the call must not run without a lock: say with "
					+ "condition when it needs none");
		}
		return keys;
	}

	private static boolean isSeveral(@Nullable Object value) {
		return value instanceof Collection || ObjectUtils.isArray(value);
	}

	private String toKey(LockOperation operation, LockExpression key, @Nullable Object value) {
		Object result = ObjectUtils.unwrapOptional(value);
		if (result == null) {
			throw invalid(operation, key,
					" is null: give every call a key, since a missing one would make all such calls share one lock");
		}
		String text = toText(operation, key, result);
		if (text.isBlank()) {
			throw invalid(operation, key, " is blank: give every call a key");
		}
		return text;
	}

	private String toText(LockOperation operation, LockExpression key, Object value) {
		if (isSeveral(value) || value instanceof Map) {
			throw invalid(operation, key, " gives a " + value.getClass().getSimpleName()
					+ " as a part of one key: several keys are a collection or array as the whole result");
		}
		String text = this.evaluator.toText(value);
		if (text == null) {
			throw invalid(operation, key, " gives a " + value.getClass().getName()
					+ ", for which there is no conversion to text: use a property that identifies it, or register a "
					+ "Converter");
		}
		return text;
	}

	private static LockKeyException invalid(LockOperation operation, LockExpression key, String problem) {
		return new LockKeyException(describe(operation, key) + problem, key.text());
	}

	private static String describe(LockOperation operation, LockExpression key) {
		return "Lock key '" + key + "' of " + operation.target();
	}

}
