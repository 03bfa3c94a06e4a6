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

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.spi.LockSettings;
import io.github.zklock.interceptor.operation.GuardedMethod;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockTarget;
import io.github.zklock.interceptor.source.LockAnnotationParser.Parsed;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotationConfigurationException;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotationPredicates;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringValueResolver;

/**
 * Reads the lock of a method from {@link DistributedLock @DistributedLock}. The
 * annotation may be a meta-annotation. It is searched on the method of the target class
 * and on the class that declares it. Then follow the methods it overrides or implements,
 * the interfaces and the superclasses. Methods of {@code Object}, like
 * {@code toString()}, never have a lock.
 *
 * @since 0.1.0
 */
public final class AnnotationLockOperationSource implements LockOperationSource {

	// A missing annotation is remembered too, so that nothing is searched twice.
	private final Map<MethodClassKey, Found> found = new ConcurrentHashMap<>(256);

	private final LockAnnotationParser parser;

	/**
	 * Create a source without beans.
	 */
	public AnnotationLockOperationSource(Supplier<? extends LockSettings> settings,
			Supplier<? extends StringValueResolver> placeholders) {
		this.parser = new LockAnnotationParser(settings, placeholders, null);
	}

	/**
	 * Create the source. Both suppliers are asked when the first lock is read.
	 * @param placeholders what resolves <code>${...}</code>, and nothing else, in a text
	 * @param beanFactory the beans that expressions and fallback methods may name
	 */
	public AnnotationLockOperationSource(Supplier<? extends LockSettings> settings,
			Supplier<? extends StringValueResolver> placeholders, BeanFactory beanFactory) {
		this.parser = new LockAnnotationParser(settings, placeholders, beanFactory);
	}

	@Override
	public boolean isCandidateClass(Class<?> targetClass) {
		return AnnotationUtils.isCandidateClass(targetClass, DistributedLock.class);
	}

	@Override
	public boolean hasLockOperation(Method method, @Nullable Class<?> targetClass) {
		return found(method, targetClass).isAny();
	}

	@Override
	public @Nullable LockOperation getLockOperation(Method method, @Nullable Class<?> targetClass) {
		Found found = found(method, targetClass);
		return found.isAny() ? found.parsed(this.parser).operation() : null;
	}

	@Override
	public @Nullable GuardedMethod describe(Method method, @Nullable Class<?> targetClass) {
		Found found = found(method, targetClass);
		return found.isAny() ? found.parsed(this.parser).description() : null;
	}

	@Override
	public int guardedMethods() {
		return (int) this.found.values().stream().filter(Found::isAny).map(Found::target).distinct().count();
	}

	private Found found(Method method, @Nullable Class<?> targetClass) {
		MethodClassKey cacheKey = new MethodClassKey(method, targetClass);
		Found known = this.found.get(cacheKey);
		if (known != null) {
			return known;
		}
		Found found = search(method, target(method, targetClass));
		Found earlier = this.found.putIfAbsent(cacheKey, found);
		return (earlier != null) ? earlier : found;
	}

	private static LockTarget target(Method method, @Nullable Class<?> targetClass) {
		Class<?> userClass = ClassUtils.getUserClass((targetClass != null) ? targetClass : method.getDeclaringClass());
		return new LockTarget(AopUtils.getMostSpecificMethod(method, userClass), userClass);
	}

	// A proxy is made for what cannot be read as well, for the start-up check to report.
	private static Found search(Method method, LockTarget target) {
		Method specific = target.method();
		if (ReflectionUtils.isObjectMethod(method) || !ClassUtils.isUserLevelMethod(specific)) {
			return new Found(target, List.of(), null);
		}
		try {
			List<MergedAnnotation<DistributedLock>> found = find(specific);
			return new Found(target, (!found.isEmpty() || specific.equals(method)) ? found : find(method), null);
		}
		catch (AnnotationConfigurationException ex) {
			return new Found(target, List.of(), ex);
		}
	}

	private static List<MergedAnnotation<DistributedLock>> find(Method method) {
		Class<?> type = method.getDeclaringClass();
		// No method of most beans has one, and each of them is checked for that at
		// start-up.
		if (!isAnywhere(method) && !isAnywhere(type)) {
			return List.of();
		}
		return Stream
			.<Supplier<MergedAnnotations>>of(() -> MergedAnnotations.from(method),
					() -> MergedAnnotations.from(type, SearchStrategy.INHERITED_ANNOTATIONS),
					() -> MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY),
					() -> MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY))
			.map((place) -> nearest(place.get()))
			.filter((locks) -> !locks.isEmpty())
			.findFirst()
			.orElse(List.of());
	}

	private static boolean isAnywhere(AnnotatedElement element) {
		return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).isPresent(DistributedLock.class);
	}

	// A lock on the method itself replaces a lock on an overridden method. They are not
	// joined.
	private static List<MergedAnnotation<DistributedLock>> nearest(MergedAnnotations annotations) {
		return annotations.stream(DistributedLock.class)
			.filter(MergedAnnotationPredicates.firstRunOf(MergedAnnotation::getAggregateIndex))
			.toList();
	}

	/**
	 * What was found on a method, and later its parsed form, of which there is one.
	 */
	private record Found(LockTarget target, List<MergedAnnotation<DistributedLock>> annotations,
			@Nullable AnnotationConfigurationException contradiction, AtomicReference<@Nullable Parsed> parsed) {

		Found(LockTarget target, List<MergedAnnotation<DistributedLock>> annotations,
				@Nullable AnnotationConfigurationException contradiction) {
			this(target, annotations, contradiction, new AtomicReference<>());
		}

		boolean isAny() {
			return !this.annotations.isEmpty() || this.contradiction != null;
		}

		Parsed parsed(LockAnnotationParser parser) {
			Parsed known = this.parsed.get();
			if (known != null) {
				return known;
			}
			if (this.contradiction != null) {
				throw this.target.invalid(
						"has a @DistributedLock that contradicts itself: "
								+ String.valueOf(this.contradiction.getMessage()).replaceAll("\\.$", ""),
						"Give each attribute once: key and value are two names for the same.", this.contradiction);
			}
			Parsed parsed = parser.parse(this.annotations, this.target);
			Parsed earlier = this.parsed.compareAndExchange(null, parsed);
			return (earlier != null) ? earlier : parsed;
		}

	}

}
