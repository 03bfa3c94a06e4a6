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

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import java.util.stream.Stream;

import io.github.zklock.core.InvalidLockUsageException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.http.HttpEntity;
import org.springframework.util.ClassUtils;
import org.springframework.util.ConcurrentReferenceHashMap;
import org.springframework.util.ConcurrentReferenceHashMap.ReferenceType;
import org.springframework.util.ReflectionUtils;

/**
 * What a method returns: when its work is done, and what is an empty value. None of the
 * optional libraries has to be on the class path.
 *
 * @since 0.1.0
 */
public final class MethodResult {

	private static final String ASYNC_ANNOTATION = "org.springframework.scheduling.annotation.Async";

	private static final String GOES_ON = ", whose work goes on after the method has returned and released its lock";

	private static final String FINISH_FIRST = "Annotate the method that does the work instead, in another bean; or "
			+ "return a CompletableFuture or a Mono of the finished result, until whose completion the lock is held.";

	private static final Set<Class<?>> TYPES = Set.of(Future.class, CompletionStage.class, BaseStream.class,
			Callable.class, Flow.Publisher.class);

	// With names, since not every application has them.
	private static final Set<String> TYPE_NAMES = Set.of("org.reactivestreams.Publisher",
			"kotlinx.coroutines.flow.Flow");

	private static final Set<String> WEB_TYPE_NAMES = Set.of(
			"org.springframework.web.context.request.async.DeferredResult",
			"org.springframework.web.context.request.async.WebAsyncTask",
			"org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
			"org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody",
			"org.springframework.web.servlet.function.AsyncServerResponse");

	private static final boolean HTTP_ENTITY = isPresent("org.springframework.http.HttpEntity");

	private static final boolean REACTOR_PRESENT = isPresent("reactor.core.publisher.Flux");

	private static final boolean COROUTINES_REACTOR_PRESENT = REACTOR_PRESENT
			&& isPresent("kotlinx.coroutines.reactor.MonoKt");

	private static final Map<Class<?>, Boolean> KNOWN = new ConcurrentReferenceHashMap<>(64, ReferenceType.WEAK);

	private static final Map<Class<?>, Object> OPTIONALS = Map.of(Optional.class, Optional.empty(), OptionalInt.class,
			OptionalInt.empty(), OptionalLong.class, OptionalLong.empty(), OptionalDouble.class,
			OptionalDouble.empty());

	private MethodResult() {
	}

	/**
	 * Return when the work of a method is done.
	 * @throws InvalidLockUsageException if nothing tells
	 */
	public static Kind kind(LockTarget target) {
		Method method = target.method();
		if (KotlinDetector.isSuspendingFunction(method)) {
			if (!COROUTINES_REACTOR_PRESENT) {
				throw target.invalid("is a suspending function, whose end a proxy cannot see",
						"Add org.jetbrains.kotlinx:kotlinx-coroutines-reactor to the class path.");
			}
			return Kind.REACTIVE;
		}
		Class<?> inside = inside(method);
		if (inside != null) {
			throw target.invalid("returns a " + inside.getSimpleName() + GOES_ON, FINISH_FIRST);
		}
		Class<?> type = method.getReturnType();
		if (!isDeferred(type)) {
			return Kind.FINISHED;
		}
		if (isAsync(target)) {
			return Kind.ASYNC;
		}
		if (isStage(method)) {
			return Kind.STAGE;
		}
		if (REACTOR_PRESENT && isAdaptable(type)) {
			return Kind.REACTIVE;
		}
		throw target.invalid("returns a " + type.getSimpleName() + GOES_ON,
				"Return a CompletableFuture, a Mono, a Flux or another type that ReactiveAdapterRegistry knows (with "
						+ "reactor-core on the class path): the lock is then held until it completes. Or return the "
						+ "finished result, or annotate a method that returns a Future with @Async as well: the lock "
						+ "is then held on the thread that does the work.");
	}

	/**
	 * Return whether a {@link CompletableFuture} can take the place of the stage that a
	 * method returns.
	 */
	public static boolean isStage(Method method) {
		Class<?> type = method.getReturnType();
		return CompletionStage.class.isAssignableFrom(type) && type.isAssignableFrom(CompletableFuture.class);
	}

	/**
	 * Refuse the result of a method, or of its future or publisher, if the work continues
	 * although the return type does not show it.
	 */
	public static void refuseUnfinished(LockOperation operation, @Nullable Object result) {
		Object inside = (result != null && isEntity(result.getClass())) ? ((HttpEntity<?>) result).getBody() : result;
		if (inside == null || !goesOn(inside.getClass())) {
			return;
		}
		boolean entity = inside != result;
		String type = operation.method().getReturnType().getSimpleName();
		throw operation.target()
			.invalid("is declared to return " + ((type.indexOf('O') == 0) ? "an " : "a ") + type + ", but returned a "
					+ ClassUtils.getShortName(inside.getClass()) + (entity ? " in an HttpEntity" : "") + GOES_ON,
					(!entity && isDeferred(inside.getClass()))
							? "Declare the type: the lock of a method that returns a CompletableFuture, a Mono or a "
									+ "Flux is held until it completes."
							: FINISH_FIRST);
	}

	/**
	 * Return whether there is an empty value of what a method returns. There is none for
	 * primitives, or for futures and publishers whose empty value only their own library
	 * can make.
	 */
	public static boolean hasEmpty(Method method) {
		Class<?> type = method.getReturnType();
		if (type.isPrimitive()) {
			return type == void.class;
		}
		// To its caller null would be no empty future or publisher, but a mistake.
		return !isDeferred(type) || empty(method) != null;
	}

	/**
	 * Return the empty value, {@code null} for types that have none of their own.
	 */
	public static @Nullable Object empty(Method method) {
		if (KotlinDetector.isSuspendingFunction(method)) {
			return unit(method);
		}
		Class<?> type = method.getReturnType();
		if (Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type)) {
			return type.isAssignableFrom(CompletableFuture.class) ? CompletableFuture.completedFuture(null) : null;
		}
		ReactiveAdapter adapter = adapter(type);
		if (adapter != null) {
			Object empty = adapter.supportsEmpty() ? adapter.getDescriptor().getEmptyValue() : null;
			return type.isInstance(empty) ? empty : null;
		}
		return (type == Flow.Publisher.class) ? (Flow.Publisher<Object>) MethodResult::complete : OPTIONALS.get(type);
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

	// The result of a suspending function has the type of its continuation: Unit is no
	// null.
	private static @Nullable Object unit(Method method) {
		Class<?> type = ResolvableType.forMethodParameter(method, method.getParameterCount() - 1)
			.getGeneric()
			.resolve();
		Field instance = (type != null && type.getName().equals("kotlin.Unit"))
				? ReflectionUtils.findField(type, "INSTANCE") : null;
		return (instance != null) ? ReflectionUtils.getField(instance, null) : null;
	}

	private static boolean isDeferred(Class<?> type) {
		return TYPES.stream().anyMatch((known) -> known.isAssignableFrom(type)) || isNamed(type, TYPE_NAMES)
				|| adapter(type) != null;
	}

	// The result of a method whose work continues although the method, or the future or
	// publisher that it returns, has completed.
	private static @Nullable Class<?> inside(Method method) {
		ResolvableType type = ResolvableType.forMethodReturnType(method);
		if (isNamed(type.toClass(), WEB_TYPE_NAMES)) {
			return type.toClass();
		}
		ResolvableType value = isEntity(type.toClass()) ? type : valueOf(type);
		Class<?> inside = (isEntity(value.toClass()) ? value.as(HttpEntity.class).getGeneric() : value).toClass();
		return goesOn(inside) ? inside : null;
	}

	// Of several values each is given while the lock is held.
	private static ResolvableType valueOf(ResolvableType type) {
		ReactiveAdapter adapter = adapter(type.toClass());
		boolean single = (adapter != null) ? !adapter.isMultiValue() && !adapter.isNoValue()
				: Future.class.isAssignableFrom(type.toClass());
		return single ? type.getGeneric() : ResolvableType.NONE;
	}

	private static boolean goesOn(Class<?> type) {
		Boolean known = KNOWN.get(type);
		return (known != null) ? known
				: KNOWN.computeIfAbsent(type, (first) -> isDeferred(first) || isNamed(first, WEB_TYPE_NAMES));
	}

	// What the adapter makes must be what the method promises to its callers.
	private static boolean isAdaptable(Class<?> type) {
		ReactiveAdapter adapter = adapter(type);
		return adapter != null && type.isAssignableFrom(adapter.getReactiveType());
	}

	private static @Nullable ReactiveAdapter adapter(Class<?> type) {
		return ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
	}

	/**
	 * Return whether Spring calls a method on another thread than its caller's.
	 */
	public static boolean isAsync(LockTarget target) {
		return isAsync(target.method()) || isAsync(target.targetClass());
	}

	private static boolean isAsync(AnnotatedElement element) {
		return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).isPresent(ASYNC_ANNOTATION);
	}

	private static boolean isEntity(Class<?> type) {
		return HTTP_ENTITY && HttpEntity.class.isAssignableFrom(type);
	}

	private static boolean isNamed(Class<?> type, Set<String> names) {
		return Stream
			.concat(Stream.<Class<?>>iterate(type, Objects::nonNull, Class::getSuperclass),
					ClassUtils.getAllInterfacesForClassAsSet(type).stream())
			.anyMatch((each) -> names.contains(each.getName()));
	}

	private static boolean isPresent(String className) {
		return ClassUtils.isPresent(className, MethodResult.class.getClassLoader());
	}

	/**
	 * When the work of a method is done. It is done when the method returns, when the
	 * stage completes, or when the publisher completes, which begins with its
	 * subscription. The work of an asynchronous method, on its own thread, is done when
	 * its future is done.
	 */
	public enum Kind {

		FINISHED, ASYNC, STAGE, REACTIVE

	}

}
