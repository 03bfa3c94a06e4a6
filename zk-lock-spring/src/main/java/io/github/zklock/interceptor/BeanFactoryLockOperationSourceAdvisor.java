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
import java.util.function.BiPredicate;

import io.github.zklock.interceptor.source.LockOperationSource;

import org.springframework.aop.ClassFilter;
import org.springframework.aop.Pointcut;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AbstractBeanFactoryPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.Ordered;

/**
 * Connects the methods that have a lock with the {@link LockInterceptor} bean. The
 * interceptor is named, not given, so that it and the connection behind it are not
 * created while proxies are being set up. The default order is
 * {@code Ordered.LOWEST_PRECEDENCE - 100}: outside {@code @Transactional} and
 * {@code @Cacheable}, inside {@code @Async}.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public class BeanFactoryLockOperationSourceAdvisor extends AbstractBeanFactoryPointcutAdvisor {

	/**
	 * The order unless another is set.
	 */
	public static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 100;

	private final transient Pointcut pointcut;

	/**
	 * Create the advisor.
	 * @param operationSource which methods have a lock
	 */
	public BeanFactoryLockOperationSourceAdvisor(LockOperationSource operationSource) {
		// It does not ask whether a lock is valid, so that the start-up check can report
		// all that are not.
		this.pointcut = pointcut(operationSource::isCandidateClass, operationSource::hasLockOperation);
		setOrder(DEFAULT_ORDER);
	}

	@Override
	public Pointcut getPointcut() {
		return this.pointcut;
	}

	/**
	 * Return a pointcut of methods.
	 * @param classes which classes may have one
	 * @param methods whether a method of a class is one
	 * @return the pointcut
	 */
	public static Pointcut pointcut(ClassFilter classes, BiPredicate<Method, Class<?>> methods) {
		StaticMethodMatcherPointcut pointcut = new StaticMethodMatcherPointcut() {

			@Override
			public boolean matches(Method method, Class<?> targetClass) {
				return methods.test(method, targetClass);
			}

		};
		pointcut.setClassFilter(classes);
		return pointcut;
	}

	/**
	 * Return whether a bean takes locks, which its proxy or the target of the proxy
	 * shows.
	 * @param bean the bean
	 * @return {@code false} only if it certainly takes none
	 */
	public static boolean isAdvising(Object bean) {
		if (!(bean instanceof Advised advised)) {
			// An opaque proxy does not show it.
			return bean instanceof SpringProxy;
		}
		if (isIn(advised)) {
			return true;
		}
		Object target = AopProxyUtils.getSingletonTarget(bean);
		return target != null && isAdvising(target);
	}

	/**
	 * Return whether a proxy itself takes locks.
	 * @param proxy the proxy
	 * @return whether it has such an advisor
	 */
	public static boolean isIn(Advised proxy) {
		return Arrays.stream(proxy.getAdvisors()).anyMatch(BeanFactoryLockOperationSourceAdvisor.class::isInstance);
	}

}
