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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.github.zklock.annotation.FencingToken;
import io.github.zklock.core.LockHandle;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;

/**
 * The parameters of a guarded method that are filled in with its lock: those of type
 * {@link LockHandle}, and those that are marked with {@link FencingToken @FencingToken},
 * also on a method that is overridden or implemented. Found once per method.
 *
 * @since 0.1.0
 */
public final class LockParameters {

	private final LockTarget target;

	private final List<Integer> handles = new ArrayList<>();

	private final List<Token> tokens = new ArrayList<>();

	private LockParameters(LockTarget target) {
		this.target = target;
		Set<Method> declarations = declarations(target);
		for (int i = 0; i < target.method().getParameterCount(); i++) {
			Class<?> type = type(i);
			if (isMarked(declarations, i)) {
				if (type != long.class && type != Long.class) {
					throw target.invalid("marks a parameter of type " + type.getSimpleName() + " with @FencingToken",
							"Declare the parameter as long, the type of a fencing token.");
				}
				this.tokens.add(new Token(i, type.isPrimitive()));
			}
			else if (type == LockHandle.class) {
				this.handles.add(i);
			}
		}
	}

	/**
	 * Find the parameters of a method.
	 * @param method the method of the target class
	 * @param targetClass the target class
	 * @return the parameters
	 * @throws InvalidLockUsageException if one is marked that cannot be filled in
	 */
	public static LockParameters of(Method method, Class<?> targetClass) {
		return new LockParameters(new LockTarget(method, targetClass));
	}

	/**
	 * Return what to pass for a parameter that is filled in.
	 * @param parameter the parameter
	 * @return a value that fits
	 */
	public static @Nullable Object placeholder(MethodParameter parameter) {
		return (parameter.getParameterType() == long.class) ? 0L : null;
	}

	/**
	 * Return whether a parameter of a method is marked with {@link FencingToken}.
	 * @param target the method
	 * @return whether there is one
	 */
	public static boolean isMarked(LockTarget target) {
		if (target.method().getParameterCount() == 0) {
			return false;
		}
		Set<Method> declarations = declarations(target);
		for (int i = 0; i < target.method().getParameterCount(); i++) {
			if (isMarked(declarations, i)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Return whether the lock fills in a parameter.
	 * @param index the index of the parameter
	 * @return whether it does
	 */
	public boolean contains(int index) {
		return this.handles.contains(index) || this.tokens.stream().anyMatch((token) -> token.index() == index);
	}

	/**
	 * Return whether there is no such parameter.
	 * @return whether there is none
	 */
	public boolean isEmpty() {
		return this.handles.isEmpty() && this.tokens.isEmpty();
	}

	/**
	 * Refuse a token where there would be several.
	 * @param locks the locks of the method
	 */
	void check(List<LockSpecification> locks) {
		if (!this.tokens.isEmpty() && (locks.size() > 1 || isSeveral(locks.get(0).key()))) {
			throw severalTokens("has a @FencingToken parameter, but several locks, each of which has a token");
		}
	}

	/**
	 * Return the arguments to call the method with.
	 * @param arguments what the caller passed, which is not changed
	 * @param handle the lock of the call, or {@code null} if it has none
	 * @return the arguments with the lock
	 */
	public @Nullable Object[] fill(@Nullable Object[] arguments, @Nullable LockHandle handle) {
		@Nullable Object[] filled = arguments.clone();
		this.handles.forEach((index) -> filled[index] = handle);
		if (this.tokens.isEmpty()) {
			return filled;
		}
		if (handle != null && handle.handles().size() > 1) {
			throw severalTokens("has a @FencingToken parameter, but was called with " + handle.handles().size()
					+ " keys, each of which has a token");
		}
		for (Token token : this.tokens) {
			filled[token.index()] = (handle != null) ? (Long) handle.fencingToken() : token.none();
		}
		return filled;
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

	private static boolean isMarked(Set<Method> declarations, int index) {
		return declarations.stream()
			.anyMatch((method) -> method.getParameters()[index].isAnnotationPresent(FencingToken.class));
	}

	// The method itself and those that it overrides or implements.
	private static Set<Method> declarations(LockTarget target) {
		Set<Method> declarations = new LinkedHashSet<>();
		declarations.add(target.method());
		collect(target.targetClass(), target, declarations);
		return declarations;
	}

	private static void collect(@Nullable Class<?> type, LockTarget target, Set<Method> declarations) {
		if (type == null || type == Object.class) {
			return;
		}
		Method method = target.method();
		Arrays.stream(type.getDeclaredMethods())
			.filter((candidate) -> candidate.getName().equals(method.getName())
					&& candidate.getParameterCount() == method.getParameterCount() && !candidate.isBridge())
			.filter((candidate) -> AopUtils.getMostSpecificMethod(candidate, target.targetClass()).equals(method))
			.forEach(declarations::add);
		collect(type.getSuperclass(), target, declarations);
		for (Class<?> contract : type.getInterfaces()) {
			collect(contract, target, declarations);
		}
	}

	private record Token(int index, boolean primitive) {

		// Every token is positive, so a resource takes zero for an outdated one.
		@Nullable Long none() {
			return this.primitive ? 0L : null;
		}

	}

}
