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

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.scheduling.annotation.AsyncAnnotationAdvisor;
import org.springframework.util.ClassUtils;

/**
 * Lets a scheduled run reach the lock of a method that Spring calls on another thread,
 * since it is {@code @Async}. The run is moved to the call before that. Without an order,
 * so that it comes after what makes methods asynchronous.
 *
 * @since 0.1.0
 */
public final class LockTickAdvising implements BeanPostProcessor {

	private final Set<Class<?>> unreachable = ConcurrentHashMap.newKeySet();

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof Advised advised && isAsync(advised)
				&& BeanFactoryLockOperationSourceAdvisor.isAdvising(bean)) {
			Pointcut locks = locks(advised);
			if (advised.isFrozen() || locks == null) {
				this.unreachable.add(ClassUtils.getUserClass(AopUtils.getTargetClass(bean)));
			}
			else {
				advised.addAdvisor(0, new DefaultPointcutAdvisor(locks, (MethodInterceptor) LockTickAdvising::moveRun));
			}
		}
		return bean;
	}

	/**
	 * Return whether scheduled runs cannot reach the asynchronous methods of a class.
	 * @param type the class
	 * @return whether they cannot
	 */
	public boolean isUnreachable(Class<?> type) {
		return this.unreachable.contains(type);
	}

	private static boolean isAsync(Advised advised) {
		return Arrays.stream(advised.getAdvisors()).anyMatch(AsyncAnnotationAdvisor.class::isInstance);
	}

	// Only within one proxy the lock sees the same call.
	private static @Nullable Pointcut locks(Advised proxy) {
		return Arrays.stream(proxy.getAdvisors())
			.filter(BeanFactoryLockOperationSourceAdvisor.class::isInstance)
			.map((advisor) -> ((PointcutAdvisor) advisor).getPointcut())
			.findFirst()
			.orElse(null);
	}

	private static @Nullable Object moveRun(MethodInvocation invocation) throws Throwable {
		Object target = invocation.getThis();
		if (target != null && invocation instanceof ProxyMethodInvocation proxied) {
			CallRun.moveTo(proxied, AopUtils.getTargetClass(target));
		}
		return invocation.proceed();
	}

}
