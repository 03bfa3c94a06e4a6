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
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;

import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;

/**
 * What a method returns that was not called: an empty value of its return type. None of
 * the optional libraries has to be on the class path.
 *
 * @since 0.1.0
 */
public final class SkippedResult {

	private static final Map<Class<?>, Object> OPTIONALS = Map.of(Optional.class, Optional.empty(), OptionalInt.class,
			OptionalInt.empty(), OptionalLong.class, OptionalLong.empty(), OptionalDouble.class,
			OptionalDouble.empty());

	private static final Set<String> PUBLISHERS = Set.of("java.util.concurrent.Flow$Publisher",
			"org.reactivestreams.Publisher", "kotlinx.coroutines.flow.Flow");

	private SkippedResult() {
	}

	/**
	 * Return whether there is an empty value of what a method returns.
	 * @param method the method
	 * @return {@code false} for primitives, and for futures and publishers of which only
	 * their own library knows how to make an empty one
	 */
	public static boolean exists(Method method) {
		Class<?> type = method.getReturnType();
		if (type.isPrimitive()) {
			return type == void.class;
		}
		// To its caller null would be no empty future or publisher, but a mistake.
		return (!isFuture(type) && !isPublisher(type)) || of(method) != null;
	}

	/**
	 * Return the empty value.
	 * @param method the method that is not called
	 * @return the value; {@code null} for types that have none of their own
	 */
	public static @Nullable Object of(Method method) {
		if (KotlinDetector.isSuspendingFunction(method)) {
			return unit(method);
		}
		Class<?> type = method.getReturnType();
		if (isFuture(type)) {
			return type.isAssignableFrom(CompletableFuture.class) ? CompletableFuture.completedFuture(null) : null;
		}
		if (isPublisher(type)) {
			Object empty = emptyPublisher(type);
			return type.isInstance(empty) ? empty : null;
		}
		return OPTIONALS.get(type);
	}

	private static @Nullable Object emptyPublisher(Class<?> type) {
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
		if (adapter != null) {
			return adapter.supportsEmpty() ? adapter.getDescriptor().getEmptyValue() : null;
		}
		return (type == Flow.Publisher.class) ? (Flow.Publisher<Object>) SkippedResult::complete : null;
	}

	private static void complete(Flow.Subscriber<?> subscriber) {
		subscriber.onSubscribe(new Flow.Subscription() {

			@Override
			public void request(long count) {
			}

			@Override
			public void cancel() {
			}

		});
		subscriber.onComplete();
	}

	private static boolean isFuture(Class<?> type) {
		return Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type);
	}

	private static boolean isPublisher(Class<?> type) {
		return PUBLISHERS.contains(type.getName())
				|| ClassUtils.getAllInterfacesForClassAsSet(type)
					.stream()
					.map(Class::getName)
					.anyMatch(PUBLISHERS::contains)
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
	}

	// What a suspending function gives is the type of its continuation: Unit is no null.
	private static @Nullable Object unit(Method method) {
		Type[] types = method.getGenericParameterTypes();
		if (types[types.length - 1] instanceof ParameterizedType continuation
				&& continuation.getActualTypeArguments()[0] instanceof WildcardType wildcard
				&& wildcard.getLowerBounds().length == 1 && wildcard.getLowerBounds()[0] instanceof Class<?> type
				&& type.getName().equals("kotlin.Unit")) {
			try {
				return type.getField("INSTANCE").get(null);
			}
			catch (ReflectiveOperationException ex) {
				return null;
			}
		}
		return null;
	}

}
