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

import java.util.List;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.interceptor.source.AnnotationLockOperationSource;
import io.github.zklock.interceptor.source.LockOperationSource;
import io.github.zklock.interceptor.source.TestLockSettings;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.aopalliance.intercept.MethodInterceptor;

import org.springframework.aop.framework.ProxyFactory;

/**
 * Proxies that take locks, without an application context. An interceptor inside of the
 * lock tells of each call.
 */
class GuardedProxy {

	private final InMemoryLockProvider provider = new InMemoryLockProvider();

	private final LockEvents events = new LockEvents();

	<T> T of(T bean) {
		return of(bean, this.provider);
	}

	<T> T exposed(T bean) {
		return of(bean, this.provider, true);
	}

	<T> T of(T bean, LockProvider locks) {
		return of(bean, locks, false);
	}

	@SuppressWarnings("unchecked")
	private <T> T of(T bean, LockProvider locks, boolean exposed) {
		LockOperationSource source = new AnnotationLockOperationSource(TestLockSettings::new, () -> (text) -> text);
		ProxyFactory factory = new ProxyFactory(bean);
		factory.setProxyTargetClass(true);
		factory.setExposeProxy(exposed);
		factory.addAdvice(new LockInterceptor(source, new LockTemplate(locks, List.of(this.events))));
		factory.addAdvice((MethodInterceptor) (invocation) -> {
			this.events.add("call");
			return invocation.proceed();
		});
		return (T) factory.getProxy();
	}

	InMemoryLockProvider provider() {
		return this.provider;
	}

	LockEvents events() {
		return this.events;
	}

	LockHandle holdByAnother(String key) {
		return this.provider.acquire(LockRequest.of(key).withOwner("another"));
	}

}
