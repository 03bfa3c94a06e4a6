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
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpEntity;
import org.springframework.util.ClassUtils;
import org.springframework.util.ConcurrentReferenceHashMap;
import org.springframework.util.ConcurrentReferenceHashMap.ReferenceType;

/**
 * Knows the methods whose work goes on after they have returned.
 *
 * @since 0.1.0
 */
public final class DeferredResults {

	private static final Set<Class<?>> TYPES = Set.of(Future.class, CompletionStage.class, BaseStream.class,
			Callable.class, Flow.Publisher.class);

	// By name, since none of them has to be on the class path.
	private static final Set<String> TYPE_NAMES = Set.of("org.reactivestreams.Publisher",
			"kotlinx.coroutines.flow.Flow");

	static final String FINISH_FIRST = "Annotate the method that does the work instead, in another bean; or return a "
			+ "CompletableFuture or a Mono of the finished result, until whose completion the lock is held.";

	private static final Set<String> WEB_TYPE_NAMES = Set.of(
			"org.springframework.web.context.request.async.DeferredResult",
			"org.springframework.web.context.request.async.WebAsyncTask",
			"org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
			"org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody",
			"org.springframework.web.servlet.function.AsyncServerResponse");

	private static final boolean HTTP_ENTITY = ClassUtils.isPresent("org.springframework.http.HttpEntity",
			DeferredResults.class.getClassLoader());

	private static final Map<Class<?>, Boolean> GOES_ON = new ConcurrentReferenceHashMap<>(64, ReferenceType.WEAK);

	private DeferredResults() {
	}

	static boolean isDeferred(Class<?> type) {
		return TYPES.stream().anyMatch((known) -> known.isAssignableFrom(type)) || isNamed(type, TYPE_NAMES)
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
	}

	/**
	 * Return what a method gives whose work goes on although the method, or the future or
	 * publisher that it returns, has completed: what Spring's web support ends some time
	 * later, or what is inside of another result.
	 * @param method the method
	 * @return its type, or {@code null} if there is none
	 */
	static @Nullable Class<?> inside(Method method) {
		ResolvableType type = ResolvableType.forMethodReturnType(method);
		Class<?> result = type.toClass();
		if (isNamed(result, WEB_TYPE_NAMES)) {
			return result;
		}
		ResolvableType value = isEntity(result) ? type : valueOf(type);
		Class<?> inside = (isEntity(value.toClass()) ? value.as(HttpEntity.class).getGeneric() : value).toClass();
		return goesOn(inside) ? inside : null;
	}

	// Of several values each is given while the lock is held.
	private static ResolvableType valueOf(ResolvableType type) {
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type.toClass());
		boolean single = (adapter != null) ? !adapter.isMultiValue() && !adapter.isNoValue()
				: Future.class.isAssignableFrom(type.toClass());
		return single ? type.getGeneric() : ResolvableType.NONE;
	}

	/**
	 * Refuse a result whose work goes on although the return type does not tell.
	 * @param operation the method
	 * @param result what it returned, or its future or publisher gave
	 */
	public static void refuse(LockOperation operation, @Nullable Object result) {
		Object inside = (result != null && isEntity(result.getClass())) ? ((HttpEntity<?>) result).getBody() : result;
		if (inside == null || !goesOn(inside.getClass())) {
			return;
		}
		boolean entity = inside != result;
		LockTarget target = new LockTarget(operation.method(), operation.targetClass());
		String type = operation.method().getReturnType().getSimpleName();
		boolean declarable = !entity && isDeferred(inside.getClass());
		throw target.invalid(
				"is declared to return " + ((type.indexOf('O') == 0) ? "an " : "a ") + type + ", but returned a "
						+ ClassUtils.getShortName(inside.getClass()) + (entity ? " in an HttpEntity" : "")
						+ ", whose work goes on after the method has returned and released its lock",
				declarable
						? "Declare the type: the lock of a method that returns a CompletableFuture, a Mono or a Flux "
								+ "is held until it completes."
						: FINISH_FIRST);
	}

	private static boolean goesOn(Class<?> type) {
		Boolean known = GOES_ON.get(type);
		return (known != null) ? known
				: GOES_ON.computeIfAbsent(type, (first) -> isDeferred(first) || isNamed(first, WEB_TYPE_NAMES));
	}

	private static boolean isEntity(Class<?> type) {
		return HTTP_ENTITY && HttpEntity.class.isAssignableFrom(type);
	}

	private static boolean isNamed(Class<?> type, Set<String> names) {
		for (Class<?> each = type; each != null; each = each.getSuperclass()) {
			if (names.contains(each.getName())) {
				return true;
			}
		}
		return ClassUtils.getAllInterfacesForClassAsSet(type).stream().map(Class::getName).anyMatch(names::contains);
	}

}
