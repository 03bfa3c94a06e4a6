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
import java.lang.reflect.Type;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.DistributedLocks;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Hints for beans with guarded methods: expressions read the arguments of such a method,
 * and its fallback is called through reflection.
 */
class GuardedMethodHints implements BeanRegistrationAotProcessor {

	private final BindingReflectionHintsRegistrar arguments = new BindingReflectionHintsRegistrar();

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
		Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
		Method[] methods = ReflectionUtils.getUniqueDeclaredMethods(type, GuardedMethodHints::isGuarded);
		if (methods.length == 0) {
			return null;
		}
		return (generation, code) -> {
			ReflectionHints hints = generation.getRuntimeHints().reflection();
			hints.registerType(type, MemberCategory.INVOKE_DECLARED_METHODS);
			for (Method method : methods) {
				if (hasFallback(method)) {
					hierarchy(type)
						.forEach((declaring) -> hints.registerType(declaring, MemberCategory.INVOKE_DECLARED_METHODS));
				}
				for (Type argument : method.getGenericParameterTypes()) {
					this.arguments.registerReflectionHints(hints, argument);
				}
			}
		};
	}

	private static boolean hasFallback(Method method) {
		return Stream
			.concat(MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).stream(DistributedLock.class),
					MergedAnnotations.from(method.getDeclaringClass(), SearchStrategy.TYPE_HIERARCHY)
						.stream(DistributedLock.class))
			.anyMatch((annotation) -> !annotation.getString("fallbackMethod").isBlank());
	}

	// A fallback method may be inherited.
	private static Set<Class<?>> hierarchy(Class<?> type) {
		Set<Class<?>> types = new LinkedHashSet<>(ClassUtils.getAllInterfacesForClassAsSet(type));
		for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
			types.add(each);
		}
		return types;
	}

	private static boolean isGuarded(Method method) {
		return !method.isSynthetic() && method.getDeclaringClass() != Object.class
				&& (isAnnotated(MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY)) || isAnnotated(
						MergedAnnotations.from(method.getDeclaringClass(), SearchStrategy.TYPE_HIERARCHY)));
	}

	private static boolean isAnnotated(MergedAnnotations annotations) {
		return annotations.isPresent(DistributedLock.class) || annotations.isPresent(DistributedLocks.class);
	}

}
