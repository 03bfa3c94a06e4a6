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
import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * When the work of a method is done, by what it returns.
 *
 * @since 0.1.0
 */
public enum ResultKind {

	/**
	 * When the method returns.
	 */
	FINISHED,

	/**
	 * When the future is done that an asynchronous method returns on its own thread.
	 */
	ASYNC,

	/**
	 * When the stage completes.
	 */
	STAGE,

	/**
	 * When the publisher completes, which begins with its subscription.
	 */
	REACTIVE;

	private static final String ASYNC_ANNOTATION = "org.springframework.scheduling.annotation.Async";

	private static final boolean REACTOR_PRESENT = isPresent("reactor.core.publisher.Flux");

	private static final boolean COROUTINES_REACTOR_PRESENT = REACTOR_PRESENT
			&& isPresent("kotlinx.coroutines.reactor.MonoKt");

	/**
	 * Return when the work of a method is done.
	 * @param target the method
	 * @return the kind of its result
	 * @throws InvalidLockUsageException if nothing tells when the work is done
	 */
	public static ResultKind of(LockTarget target) {
		Method method = target.method();
		if (KotlinDetector.isSuspendingFunction(method)) {
			if (!COROUTINES_REACTOR_PRESENT) {
				throw target.invalid("is a suspending function, of which a proxy does not see the end",
						"Add org.jetbrains.kotlinx:kotlinx-coroutines-reactor to the class path.");
			}
			return REACTIVE;
		}
		Class<?> inside = DeferredResults.inside(method);
		if (inside != null) {
			throw target.invalid(
					"returns a " + inside.getSimpleName()
							+ ", whose work goes on after the method has returned and released its lock",
					DeferredResults.FINISH_FIRST);
		}
		if (!DeferredResults.isDeferred(method.getReturnType())) {
			return FINISHED;
		}
		if (isAsync(method) || isAsync(target.targetClass())) {
			return ASYNC;
		}
		Class<?> type = method.getReturnType();
		if (CompletionStage.class.isAssignableFrom(type) && type.isAssignableFrom(CompletableFuture.class)) {
			return STAGE;
		}
		if (REACTOR_PRESENT && isAdaptable(type)) {
			return REACTIVE;
		}
		throw target.invalid(
				"returns a " + type.getSimpleName()
						+ ", whose work goes on after the method has returned and released its lock",
				"Return a CompletableFuture, a Mono, a Flux or another type that ReactiveAdapterRegistry knows (with "
						+ "reactor-core on the class path): the lock is then held until it completes. Or return the "
						+ "finished result, or annotate a method that returns a Future with @Async as well: the lock "
						+ "is then held on the thread that does the work.");
	}

	// What the adapter makes must be what the method promises to its callers.
	private static boolean isAdaptable(Class<?> type) {
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
		return adapter != null && type.isAssignableFrom(adapter.getReactiveType());
	}

	private static boolean isAsync(AnnotatedElement element) {
		return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).isPresent(ASYNC_ANNOTATION);
	}

	private static boolean isPresent(String className) {
		return ClassUtils.isPresent(className, ResultKind.class.getClassLoader());
	}

}
