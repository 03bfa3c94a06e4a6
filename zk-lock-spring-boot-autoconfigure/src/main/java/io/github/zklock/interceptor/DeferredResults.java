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

import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * Knows the methods whose work goes on after they have returned.
 */
final class DeferredResults {

	private static final Set<Class<?>> TYPES = Set.of(Future.class, CompletionStage.class, BaseStream.class,
			Callable.class, Flow.Publisher.class);

	// By name, since none of them has to be on the class path.
	private static final Set<String> TYPE_NAMES = Set.of("org.reactivestreams.Publisher",
			"kotlinx.coroutines.flow.Flow");

	private static final Set<String> WEB_TYPE_NAMES = Set.of(
			"org.springframework.web.context.request.async.DeferredResult",
			"org.springframework.web.context.request.async.WebAsyncTask",
			"org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
			"org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

	private static final Set<String> ENTITY_TYPE_NAME = Set.of("org.springframework.http.HttpEntity");

	private DeferredResults() {
	}

	static boolean isDeferred(Class<?> type) {
		return TYPES.stream().anyMatch((known) -> known.isAssignableFrom(type)) || isNamed(type, TYPE_NAMES)
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
	}

	/**
	 * Return what a method gives to Spring's web support, by which that ends the call
	 * some time after the method has returned.
	 * @param method the method
	 * @return its type, or {@code null} if the method returns something else
	 */
	static @Nullable Class<?> ofWeb(Method method) {
		Class<?> type = method.getReturnType();
		if (isNamed(type, ENTITY_TYPE_NAME)) {
			Class<?> body = ResolvableType.forMethodReturnType(method).as(type).getGeneric(0).toClass();
			return (isDeferred(body) || isNamed(body, WEB_TYPE_NAMES)) ? body : null;
		}
		return isNamed(type, WEB_TYPE_NAMES) ? type : null;
	}

	/**
	 * Refuse a result whose work goes on although the return type does not tell.
	 * @param target the method
	 * @param result what it returned
	 */
	static void refuse(LockTarget target, @Nullable Object result) {
		if (result != null && isDeferred(result.getClass()) && !KotlinDetector.isSuspendingFunction(target.method())) {
			throw target.invalid(
					"is declared to return an Object, but returned a " + ClassUtils.getShortName(result.getClass())
							+ ", whose work goes on after the method has returned and released its lock",
					"Declare the type: the lock of a method that returns a CompletableFuture, a Mono or a Flux is held "
							+ "until it completes.");
		}
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
