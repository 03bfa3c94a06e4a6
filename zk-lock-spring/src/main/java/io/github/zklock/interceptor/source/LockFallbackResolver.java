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

package io.github.zklock.interceptor.source;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.DistributedLocks;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockException;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.interceptor.operation.LockFallback;
import io.github.zklock.interceptor.operation.LockTarget;
import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the fallback method of a guarded one in its class: it takes the same arguments,
 * optionally followed by the exception.
 */
final class LockFallbackResolver {

	private final LockTarget target;

	private final String name;

	private LockFallbackResolver(LockTarget target, String name) {
		this.target = target;
		this.name = name;
	}

	/**
	 * Find the fallback method, if one is named.
	 */
	static @Nullable LockFallback resolve(LockTarget target, String name) {
		return name.isEmpty() ? null : new LockFallback(new LockFallbackResolver(target, name).find());
	}

	private Method find() {
		List<Method> named = Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(this.target.targetClass()))
			.filter(ReflectionUtils.USER_DECLARED_METHODS::matches)
			.filter((method) -> method.getName().equals(this.name) && !method.equals(this.target.method()))
			.sorted(Comparator.comparing(this::describe))
			.toList();
		List<Method> fitting = named.stream().filter(this::fits).toList();
		if (fitting.isEmpty()) {
			throw none(named);
		}
		if (fitting.size() > 1) {
			throw this.target.invalid(
					"names the fallback method '" + this.name + "', but several methods of "
							+ this.target.targetClass().getName() + " fit: " + list(fitting),
					"Give the fallback method a name of its own.");
		}
		Method method = fitting.get(0);
		if (AnnotatedElementUtils.isAnnotated(method, DistributedLock.class)
				|| AnnotatedElementUtils.isAnnotated(method, DistributedLocks.class)) {
			throw this.target.invalid(
					"names the fallback method '" + this.name + "', which has a lock of its own but would run without "
							+ "it, since it is called on the object itself and not through its proxy",
					"Remove @DistributedLock from the fallback method, or call a method of another bean in it.");
		}
		return method;
	}

	private boolean fits(Method method) {
		List<Class<?>> wanted = parameters(this.target.method());
		List<Class<?>> parameters = parameters(method);
		if (parameters.size() == wanted.size() + 1) {
			Class<?> last = parameters.get(wanted.size());
			if (last != LockException.class && last != LockNotAcquiredException.class) {
				return false;
			}
		}
		else if (parameters.size() != wanted.size()) {
			return false;
		}
		return returnsFor(method) && IntStream.range(0, wanted.size())
			.allMatch((i) -> ClassUtils.isAssignable(parameters.get(i), wanted.get(i)));
	}

	private boolean returnsFor(Method method) {
		Class<?> wanted = returnType(this.target.method());
		Class<?> returned = returnType(method);
		return (wanted == void.class || returned == void.class) ? wanted == returned
				: ClassUtils.isAssignable(wanted, returned);
	}

	// Without the continuation of a suspending function.
	private List<Class<?>> parameters(Method method) {
		int count = method.getParameterCount() - (KotlinDetector.isSuspendingFunction(method) ? 1 : 0);
		return IntStream.range(0, count)
			.<Class<?>>mapToObj((i) -> ResolvableType.forMethodParameter(method, i, this.target.targetClass())
				.resolve(method.getParameterTypes()[i]))
			.toList();
	}

	private Class<?> returnType(Method method) {
		return ResolvableType.forMethodReturnType(method, this.target.targetClass()).resolve(method.getReturnType());
	}

	private InvalidLockUsageException none(List<Method> named) {
		return this.target.invalid("names the fallback method '" + this.name + "', but there is no method "
				+ describe(this.target.method(), "") + " or "
				+ describe(this.target.method(), LockException.class.getSimpleName()) + " in "
				+ this.target.targetClass().getName() + (named.isEmpty() ? "" : "; what there is: " + list(named)),
				"Give the fallback method the same parameters, optionally followed by a LockException, and a return "
						+ "type that fits.");
	}

	private String list(List<Method> methods) {
		return methods.stream().map(this::describe).collect(Collectors.joining(", "));
	}

	private String describe(Method method) {
		return describe(method, "");
	}

	private String describe(Method method, String exception) {
		Stream<String> types = Stream.concat(parameters(method).stream().map(Class::getSimpleName),
				Stream.of(exception).filter((type) -> !type.isEmpty()));
		return returnType(method).getSimpleName() + " " + this.name + types.collect(Collectors.joining(", ", "(", ")"));
	}

}
