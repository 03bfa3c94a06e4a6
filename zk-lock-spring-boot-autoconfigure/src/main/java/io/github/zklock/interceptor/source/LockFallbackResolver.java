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
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.DistributedLocks;
import io.github.zklock.annotation.Unavailable;
import io.github.zklock.core.LockException;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.interceptor.operation.InvalidLockUsageException;
import io.github.zklock.interceptor.operation.LockFallback;
import io.github.zklock.interceptor.operation.LockTarget;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the fallback method of a guarded one, in its own class or in another bean: the
 * most specific method that takes its arguments, optionally followed by the exception.
 */
final class LockFallbackResolver {

	private static final int MOST_NEAR_MISSES = 4;

	private final LockTarget target;

	private final String name;

	private final Class<?> type;

	private final boolean otherBean;

	private final Signature wanted;

	private LockFallbackResolver(LockTarget target, String name, Class<?> type, boolean otherBean) {
		this.target = target;
		this.name = name;
		this.type = type;
		this.otherBean = otherBean;
		this.wanted = Signature.of(target.method(), target.targetClass(), target.method().getParameterCount());
	}

	/**
	 * Find the fallback method, if one is named: as {@code method} or
	 * {@code bean::method}.
	 */
	static @Nullable LockFallback resolve(LockTarget target, String text, Unavailable onUnavailable,
			@Nullable BeanFactory beans) {
		if (text.isEmpty()) {
			return null;
		}
		String[] names = text.split("::", -1);
		if (names.length > 2 || Arrays.stream(names).anyMatch(String::isBlank)) {
			throw target.invalid("has fallbackMethod = \"" + text + "\", which names no method",
					"Write the name of a method of the same class, or bean::method.");
		}
		boolean otherBean = names.length == 2;
		Class<?> type = otherBean ? typeOf(target, text, names[0], beans) : target.targetClass();
		LockFallbackResolver resolver = new LockFallbackResolver(target, names[names.length - 1], type, otherBean);
		Method notAcquired = resolver.find(LockNotAcquiredException.class);
		Method unavailable = (onUnavailable == Unavailable.AS_NOT_ACQUIRED)
				? resolver.find(LockUnavailableException.class) : notAcquired;
		if (beans != null && otherBean) {
			return new LockFallback(text, notAcquired, unavailable, () -> beans.getBean(names[0]));
		}
		if (hasLock(notAcquired) || hasLock(unavailable)) {
			throw target.invalid(
					"names the fallback method '" + text + "', which has a lock of its own but would run without it, "
							+ "since it is called on the object itself and not through its proxy",
					"Remove @DistributedLock from the fallback method, or move it to another bean and write "
							+ "bean::method.");
		}
		return new LockFallback(text, notAcquired, unavailable, null);
	}

	private static boolean hasLock(Method method) {
		return AnnotatedElementUtils.isAnnotated(method, DistributedLock.class)
				|| AnnotatedElementUtils.isAnnotated(method, DistributedLocks.class);
	}

	private static Class<?> typeOf(LockTarget target, String text, String beanName, @Nullable BeanFactory beans) {
		if (beans == null || !beans.containsBean(beanName)) {
			throw target.invalid("names the fallback method '" + text + "', but there is no bean '" + beanName + "'",
					"Define the bean, or write the name of a method of the same class.");
		}
		Class<?> type = (beans instanceof ConfigurableListableBeanFactory listable
				&& listable.containsLocalBean(beanName)) ? AutoProxyUtils.determineTargetClass(listable, beanName)
						: beans.getType(beanName, false);
		if (type == null) {
			throw target.invalid(
					"names the fallback method '" + text + "', but the type of the bean '" + beanName
							+ "' is not known before it is created",
					"Declare its class as the return type of its @Bean method.");
		}
		return ClassUtils.getUserClass(type);
	}

	private Method find(Class<? extends LockException> refusal) {
		List<Signature> fitting = signatures((method) -> method.getName().equals(this.name))
			.filter((signature) -> fits(signature, refusal))
			.toList();
		if (fitting.isEmpty()) {
			throw none(refusal);
		}
		List<Signature> best = fitting.stream()
			.filter((signature) -> fitting.stream().allMatch(signature::isAtLeastAsSpecificAs))
			.toList();
		if (best.size() != 1) {
			throw this.target.invalid(
					"names the fallback method '" + this.name + "', for which several methods of " + this.type.getName()
							+ " fit equally: " + list(fitting.stream()),
					"Give the one that is meant a name of its own.");
		}
		return best.get(0).method();
	}

	private Stream<Signature> signatures(Predicate<Method> filter) {
		return Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(this.type))
			.filter(ReflectionUtils.USER_DECLARED_METHODS::matches)
			.filter(filter)
			.map((method) -> Signature.of(method, this.type, this.wanted.parameters().size()))
			.sorted(Comparator.comparing(Signature::toString));
	}

	private boolean fits(Signature signature, Class<? extends LockException> refusal) {
		return !isGuarded(signature) && isCallable(signature.method()) && this.wanted.isMetBy(signature)
				&& (signature.exception() == null || signature.exception() == LockException.class
						|| signature.exception() == refusal);
	}

	private boolean isGuarded(Signature signature) {
		return !this.otherBean && signature.method().equals(this.target.method());
	}

	// A proxy of the bean has no state of its own that such a method could work on.
	private boolean isCallable(Method method) {
		int modifiers = method.getModifiers();
		return !this.otherBean || (!Modifier.isPrivate(modifiers)
				&& (!Modifier.isFinal(modifiers) || Modifier.isFinal(this.type.getModifiers())));
	}

	private InvalidLockUsageException none(Class<? extends LockException> refusal) {
		boolean outage = refusal != LockNotAcquiredException.class;
		String exception = (outage ? LockException.class : refusal).getSimpleName();
		return this.target.invalid("names the fallback method '" + this.name + "'"
				+ (outage ? ", which onUnavailable = AS_NOT_ACQUIRED calls in an outage too" : "")
				+ ", but there is no method " + this.wanted.describe(this.name, "") + " or "
				+ this.wanted.describe(this.name, exception) + " in " + this.type.getName() + nearMisses(refusal),
				"Give the fallback method the same parameters, optionally followed by a "
						+ (outage ? "" : "LockNotAcquiredException or ") + "LockException, and a return type that fits"
						+ (this.otherBean ? "; as a method of another bean it must be neither private nor final."
								: "."));
	}

	private String nearMisses(Class<? extends LockException> refusal) {
		List<Signature> named = signatures((method) -> method.getName().equalsIgnoreCase(this.name)).toList();
		Stream<Signature> near = !named.isEmpty() ? named.stream()
				: signatures((method) -> true).filter((signature) -> fits(signature, refusal));
		String misses = list(near.limit(MOST_NEAR_MISSES));
		return misses.isEmpty() ? "" : "; what there is: " + misses;
	}

	private String list(Stream<Signature> signatures) {
		return signatures
			.map((signature) -> signature + (isGuarded(signature) ? " (which is the guarded method itself)" : ""))
			.collect(Collectors.joining(", "));
	}

	/**
	 * What a method takes, as the guarded method does and maybe an exception beyond that,
	 * and what it gives.
	 */
	private record Signature(Method method, Class<?> returnType, List<Class<?>> parameters,
			@Nullable Class<?> exception) {

		static Signature of(Method method, Class<?> type, int wanted) {
			List<Class<?>> parameters = new ArrayList<>(IntStream.range(0, method.getParameterCount())
				.<Class<?>>mapToObj((i) -> ResolvableType.forMethodParameter(method, i, type)
					.resolve(method.getParameterTypes()[i]))
				.toList());
			Class<?> exception = null;
			if (parameters.size() == wanted + 1) {
				exception = parameters.remove(KotlinDetector.isSuspendingFunction(method) ? wanted - 1 : wanted);
			}
			Class<?> returnType = ResolvableType.forMethodReturnType(method, type).resolve(method.getReturnType());
			return new Signature(method, returnType, parameters, exception);
		}

		boolean isMetBy(Signature other) {
			boolean returns = (this.returnType == void.class || other.returnType == void.class)
					? this.returnType == other.returnType : ClassUtils.isAssignable(this.returnType, other.returnType);
			return returns && other.takes(this.parameters);
		}

		boolean isAtLeastAsSpecificAs(Signature other) {
			return other.takes(this.parameters) && (other.exception == null
					|| (this.exception != null && other.exception.isAssignableFrom(this.exception)));
		}

		private boolean takes(List<Class<?>> arguments) {
			return this.parameters.size() == arguments.size() && IntStream.range(0, arguments.size())
				.allMatch((i) -> ClassUtils.isAssignable(this.parameters.get(i), arguments.get(i)));
		}

		String describe(String name, String exception) {
			Stream<String> types = Stream.concat(this.parameters.stream().map(Class::getSimpleName),
					Stream.of(exception).filter((type) -> !type.isEmpty()));
			return this.returnType.getSimpleName() + " " + name + types.collect(Collectors.joining(", ", "(", ")"));
		}

		@Override
		public String toString() {
			int modifiers = this.method.getModifiers() & (Modifier.PRIVATE | Modifier.FINAL);
			return ((modifiers != 0) ? Modifier.toString(modifiers) + " " : "")
					+ describe(this.method.getName(), (this.exception != null) ? this.exception.getSimpleName() : "");
		}

	}

}
