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

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;
import org.springframework.aop.target.SingletonTargetSource;
import org.springframework.util.Assert;
import org.springframework.util.ReflectionUtils;

/**
 * Lets a call go on that has left the thread of its caller, for a proxy that is exposed
 * to {@code AopContext.currentProxy()}. Spring lets only a proxy itself set that, so the
 * call goes through the handler of another proxy, with this one as the proxy.
 */
final class ExposedProxy {

	private static final Method INVOKE = invoke();

	private static final InvocationHandler HANDLER = handler();

	private ExposedProxy() {
	}

	static @Nullable Object proceed(ProxyMethodInvocation invocation) throws Throwable {
		return HANDLER.invoke(invocation.getProxy(), INVOKE, new Object[] { invocation });
	}

	private static Method invoke() {
		Method method = ReflectionUtils.findMethod(MethodInterceptor.class, "invoke", (Class<?>[]) null);
		Assert.state(method != null, "MethodInterceptor has no method 'invoke'");
		return method;
	}

	private static InvocationHandler handler() {
		ProxyFactory factory = new ProxyFactory(MethodInterceptor.class,
				new SingletonTargetSource(ExposeInvocationInterceptor.INSTANCE));
		factory.setExposeProxy(true);
		return Proxy.getInvocationHandler(factory.getProxy(ExposedProxy.class.getClassLoader()));
	}

}
