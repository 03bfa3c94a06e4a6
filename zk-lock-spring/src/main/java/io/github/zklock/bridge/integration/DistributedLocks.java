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

package io.github.zklock.bridge.integration;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import io.github.zklock.core.LockView;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Makes locks what an injection point for {@code LockRegistry<DistributedLock>} expects
 * of them. That interface exists from Spring Integration 7 on, and this is compiled with
 * 6.5, so it is added with its name.
 */
final class DistributedLocks {

	/**
	 * The interface of Spring Integration 7.
	 */
	static final String INTERFACE = "org.springframework.integration.support.locks.DistributedLock";

	private static final @Nullable Class<?> TYPE = find();

	private DistributedLocks() {
	}

	private static @Nullable Class<?> find() {
		ClassLoader classLoader = DistributedLocks.class.getClassLoader();
		return ClassUtils.isPresent(INTERFACE, classLoader) ? ClassUtils.resolveClassName(INTERFACE, classLoader)
				: null;
	}

	static Lock of(LockView view) {
		return (TYPE != null)
				? (Lock) Proxy.newProxyInstance(TYPE.getClassLoader(), new Class<?>[] { TYPE }, new ViewHandler(view))
				: view;
	}

	/**
	 * Delegates to a view and ignores a time to live.
	 */
	private record ViewHandler(LockView view) implements InvocationHandler {

		@Override
		public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
				throws Throwable {
			Object first = (arguments != null) ? arguments[0] : null;
			if (method.getName().equals("equals")) {
				return first != null && Proxy.isProxyClass(first.getClass())
						&& equals(Proxy.getInvocationHandler(first));
			}
			if (first instanceof Duration time) {
				return invoke(method.getName(), time);
			}
			try {
				return method.invoke(this.view, arguments);
			}
			catch (InvocationTargetException ex) {
				throw ex.getTargetException();
			}
		}

		private @Nullable Object invoke(String method, Duration first) throws InterruptedException {
			if (method.equals("lock")) {
				this.view.lock();
				return null;
			}
			return this.view.tryLock(TimeUnit.NANOSECONDS.convert(first), TimeUnit.NANOSECONDS);
		}

	}

}
