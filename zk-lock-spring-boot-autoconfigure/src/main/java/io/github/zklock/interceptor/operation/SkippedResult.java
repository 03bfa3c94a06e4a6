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

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;

import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.util.ReflectionUtils;

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
		return !ResultKind.isDeferred(type) || of(method) != null;
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
		if (Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type)) {
			return type.isAssignableFrom(CompletableFuture.class) ? CompletableFuture.completedFuture(null) : null;
		}
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
		if (adapter != null) {
			Object empty = adapter.supportsEmpty() ? adapter.getDescriptor().getEmptyValue() : null;
			return type.isInstance(empty) ? empty : null;
		}
		return (type == Flow.Publisher.class) ? (Flow.Publisher<Object>) SkippedResult::complete : OPTIONALS.get(type);
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

	// What a suspending function gives is the type of its continuation: Unit is no null.
	private static @Nullable Object unit(Method method) {
		Class<?> type = ResolvableType.forMethodParameter(method, method.getParameterCount() - 1)
			.getGeneric()
			.resolve();
		Field instance = (type != null && type.getName().equals("kotlin.Unit"))
				? ReflectionUtils.findField(type, "INSTANCE") : null;
		return (instance != null) ? ReflectionUtils.getField(instance, null) : null;
	}

}
