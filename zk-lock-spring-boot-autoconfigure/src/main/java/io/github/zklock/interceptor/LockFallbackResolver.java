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
import java.util.Arrays;
import java.util.function.Supplier;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.DistributedLocks;
import io.github.zklock.annotation.Unavailable;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockUnavailableException;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/**
 * Finds the fallback method of a guarded method: in its own class, or in another bean.
 */
final class LockFallbackResolver {

	private static final String SEPARATOR = "::";

	private final LockTarget target;

	private final @Nullable BeanFactory beanFactory;

	LockFallbackResolver(LockTarget target, @Nullable BeanFactory beanFactory) {
		this.target = target;
		this.beanFactory = beanFactory;
	}

	/**
	 * Find the fallback method.
	 * @param text the name of a method, or {@code bean::method}; blank for none
	 * @param onUnavailable whether it is called in an outage too
	 * @return the fallback method, or {@code null} if none is named
	 */
	@Nullable LockFallback resolve(String text, Unavailable onUnavailable) {
		if (text.isBlank()) {
			return null;
		}
		String[] names = text.strip().split(SEPARATOR, -1);
		if (names.length > 2 || Arrays.stream(names).anyMatch(String::isBlank)) {
			throw this.target.invalid("has fallbackMethod = \"" + text + "\", which names no method",
					"Write the name of a method of the same class, or bean::method.");
		}
		return (names.length == 1) ? ofClass(names[0], onUnavailable) : ofBean(names[0], names[1], onUnavailable);
	}

	private LockFallback ofClass(String methodName, Unavailable onUnavailable) {
		LockFallbackCandidates candidates = new LockFallbackCandidates(this.target, methodName,
				this.target.targetClass(), false);
		LockFallback fallback = fallback(methodName, candidates, onUnavailable, null);
		for (Method method : fallback.methods()) {
			if (AnnotatedElementUtils.isAnnotated(method, DistributedLock.class)
					|| AnnotatedElementUtils.isAnnotated(method, DistributedLocks.class)) {
				throw this.target.invalid(
						"names the fallback method '" + methodName + "', which has a lock of its own but would run "
								+ "without it, since it is called on the object itself and not through its proxy",
						"Remove @DistributedLock from the fallback method, or move it to another bean and write "
								+ "bean::method.");
			}
		}
		return fallback;
	}

	private LockFallback ofBean(String beanName, String methodName, Unavailable onUnavailable) {
		BeanFactory beans = this.beanFactory;
		String text = beanName + SEPARATOR + methodName;
		if (beans == null || !beans.containsBean(beanName)) {
			throw this.target.invalid(
					"names the fallback method '" + text + "', but there is no bean '" + beanName + "'",
					"Define the bean, or write the name of a method of the same class.");
		}
		Class<?> type = (beans instanceof ConfigurableListableBeanFactory listable
				&& listable.containsLocalBean(beanName)) ? AutoProxyUtils.determineTargetClass(listable, beanName)
						: beans.getType(beanName, false);
		if (type == null) {
			throw this.target.invalid(
					"names the fallback method '" + text + "', but the type of the bean '" + beanName
							+ "' is not known before it is created",
					"Declare its class as the return type of its @Bean method.");
		}
		LockFallbackCandidates candidates = new LockFallbackCandidates(this.target, methodName,
				ClassUtils.getUserClass(type), true);
		return fallback(text, candidates, onUnavailable, () -> beans.getBean(beanName));
	}

	private static LockFallback fallback(String text, LockFallbackCandidates candidates, Unavailable onUnavailable,
			@Nullable Supplier<Object> bean) {
		Method notAcquired = candidates.find(LockNotAcquiredException.class);
		Method unavailable = (onUnavailable == Unavailable.AS_NOT_ACQUIRED)
				? candidates.find(LockUnavailableException.class) : notAcquired;
		return new LockFallback(text, notAcquired, unavailable, bean);
	}

}
