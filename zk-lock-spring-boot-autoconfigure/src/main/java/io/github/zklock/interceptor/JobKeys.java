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

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;
import java.util.TreeSet;
import java.util.function.Supplier;

import io.github.zklock.interceptor.operation.LockOperation;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.BeanFactory;

/**
 * The keys of jobs, without a call of their methods.
 */
final class JobKeys {

	private final BeanFactory beanFactory;

	private final LockKeyEvaluator keys;

	JobKeys(BeanFactory beanFactory) {
		this.beanFactory = beanFactory;
		this.keys = new LockKeyEvaluator(beanFactory);
	}

	/**
	 * Return the key of the record of a job. Of several keys, the last one has it.
	 */
	String key(LockOperation operation) {
		TreeSet<String> all = new TreeSet<>();
		MethodInvocation call = new Call(operation.method(), () -> target(operation));
		operation.locks().forEach((lock) -> all.addAll(this.keys.keys(operation, lock, call)));
		return all.last();
	}

	private @Nullable Object target(LockOperation operation) {
		Object bean = this.beanFactory.getBeanProvider(operation.targetClass()).stream().findFirst().orElse(null);
		Object target = (bean != null) ? AopProxyUtils.getSingletonTarget(bean) : null;
		return (target != null) ? target : bean;
	}

	/**
	 * A call by the scheduler, for the expressions of a key.
	 */
	private record Call(Method method, Supplier<@Nullable Object> target) implements MethodInvocation {

		@Override
		public Method getMethod() {
			return this.method;
		}

		@Override
		public Object[] getArguments() {
			return new Object[this.method.getParameterCount()];
		}

		@Override
		public @Nullable Object proceed() {
			throw new UnsupportedOperationException("It is only described");
		}

		@Override
		public @Nullable Object getThis() {
			return this.target.get();
		}

		@Override
		public AccessibleObject getStaticPart() {
			return this.method;
		}

	}

}
