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
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.zklock.annotation.FencingToken;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockHandle;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.ResolvableType;

/**
 * The parameters of a guarded method that are filled in with its lock. They have the type
 * {@link LockHandle}, or are marked with {@link FencingToken @FencingToken}, possibly on
 * a method that is overridden or implemented. Found once per method.
 *
 * @since 0.1.0
 */
public final class LockParameters {

	private final LockTarget target;

	private final List<Integer> tokens;

	private final List<Integer> handles;

	/**
	 * Find the parameters of a method.
	 * @throws InvalidLockUsageException if one is marked that cannot be filled in
	 */
	public LockParameters(LockTarget target) {
		this.target = target;
		this.tokens = marked(target);
		this.handles = indexes(target, (i) -> type(i) == LockHandle.class);
		for (int token : this.tokens) {
			if (type(token) != long.class && type(token) != Long.class) {
				throw target.invalid("marks a parameter of type " + type(token).getSimpleName() + " with @FencingToken",
						"Declare the parameter as long, the type of a fencing token.");
			}
		}
	}

	/**
	 * Return whether a parameter of a method is marked with {@link FencingToken}.
	 */
	public static boolean isMarked(LockTarget target) {
		return !marked(target).isEmpty();
	}

	/**
	 * Return whether a parameter of any method of a class, or of what it extends or
	 * implements, is marked with {@link FencingToken}.
	 */
	public static boolean isMarkedAnywhere(Class<?> type) {
		return hierarchy(type).anyMatch((each) -> Arrays.stream(each.getDeclaredMethods())
			.anyMatch((method) -> Arrays.stream(method.getParameterAnnotations())
				.anyMatch((annotations) -> Arrays.stream(annotations).anyMatch(FencingToken.class::isInstance))));
	}

	/**
	 * Return whether there is no such parameter.
	 */
	public boolean isEmpty() {
		return this.handles.isEmpty() && this.tokens.isEmpty();
	}

	// A token is refused where there would be several.
	void check(List<LockSpecification> locks) {
		if (!this.tokens.isEmpty() && (locks.size() > 1 || isSeveral(locks.get(0).key()))) {
			throw severalTokens("has a @FencingToken parameter, but several locks, each of which has a token");
		}
	}

	/**
	 * Return the arguments that the caller passed, which are not changed, with the lock
	 * of the call, if it has one.
	 */
	public @Nullable Object[] fill(@Nullable Object[] arguments, @Nullable LockHandle handle) {
		@Nullable Object[] filled = arguments.clone();
		this.handles.forEach((index) -> filled[index] = handle);
		if (!this.tokens.isEmpty() && handle != null && handle.handles().size() > 1) {
			throw severalTokens("has a @FencingToken parameter, but was called with " + handle.handles().size()
					+ " keys, each of which has a token");
		}
		for (int token : this.tokens) {
			filled[token] = (handle != null) ? (Long) handle.fencingToken() : none(type(token));
		}
		return filled;
	}

	// Every token is positive, so a resource takes zero for an outdated one.
	private static @Nullable Long none(Class<?> type) {
		return (type == long.class) ? 0L : null;
	}

	private InvalidLockUsageException severalTokens(String problem) {
		return this.target.invalid(problem,
				"Take a parameter of type LockHandle instead: its handles() have the tokens of the single keys.");
	}

	private boolean isSeveral(LockExpression key) {
		Class<?> type = (key.argument() >= 0) ? type(key.argument()) : Object.class;
		return type.isArray() || Collection.class.isAssignableFrom(type);
	}

	private Class<?> type(int index) {
		return ResolvableType.forMethodParameter(this.target.method(), index, this.target.targetClass())
			.resolve(Object.class);
	}

	private static List<Integer> marked(LockTarget target) {
		if (target.method().getParameterCount() == 0) {
			return List.of();
		}
		List<Method> declarations = declarations(target).toList();
		return indexes(target, (i) -> declarations.stream()
			.anyMatch((method) -> method.getParameters()[i].isAnnotationPresent(FencingToken.class)));
	}

	private static List<Integer> indexes(LockTarget target, IntPredicate filter) {
		return IntStream.range(0, target.method().getParameterCount()).filter(filter).boxed().toList();
	}

	// The method itself, which the class behind another proxy may not have, and those
	// that it overrides or implements.
	private static Stream<Method> declarations(LockTarget target) {
		Method method = target.method();
		Stream<Method> inherited = hierarchy(target.targetClass())
			.flatMap((type) -> Arrays.stream(type.getDeclaredMethods()))
			.filter((declared) -> declared.getName().equals(method.getName())
					&& declared.getParameterCount() == method.getParameterCount() && !declared.isBridge())
			.filter((declared) -> AopUtils.getMostSpecificMethod(declared, target.targetClass()).equals(method));
		return Stream.concat(Stream.of(method), inherited);
	}

	private static Stream<Class<?>> hierarchy(@Nullable Class<?> type) {
		return (type != null)
				? Stream.concat(Stream.of(type),
						Stream.concat(hierarchy(type.getSuperclass()),
								Arrays.stream(type.getInterfaces()).flatMap(LockParameters::hierarchy)))
				: Stream.empty();
	}

}
