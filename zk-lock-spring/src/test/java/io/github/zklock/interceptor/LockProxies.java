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

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.spi.AcquireContext;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.interceptor.source.AnnotationLockOperationSource;
import io.github.zklock.interceptor.source.TestLockSettings;
import io.github.zklock.test.memory.InMemoryLockProvider;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/**
 * Guards objects without an application context, on locks of this JVM that can be held by
 * another, or be out of reach.
 */
final class LockProxies {

	final DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();

	final TestLockSettings settings = new TestLockSettings();

	final LockEvents events = new LockEvents();

	final AtomicBoolean outage = new AtomicBoolean();

	final InMemoryLockProvider locks = new InMemoryLockProvider();

	final AnnotationLockOperationSource source = new AnnotationLockOperationSource(() -> this.settings,
			() -> this.beanFactory::resolveEmbeddedValue, this.beanFactory);

	final LockInterceptor interceptor = new LockInterceptor(this.source,
			new LockTemplate(new Provider(), List.of(this.events)), this.beanFactory);

	LockProxies() {
		this.beanFactory.addEmbeddedValueResolver((text) -> text.replace("${three}", "3"));
	}

	@SuppressWarnings("unchecked")
	<T> T guard(T target) {
		ProxyFactory factory = new ProxyFactory(target);
		factory.setProxyTargetClass(true);
		factory.addAdvice(this.interceptor);
		return (T) factory.getProxy();
	}

	LockHandle holdByAnother(String key) {
		return this.locks.acquire(LockRequest.of(key).withOwner("another"));
	}

	private final class Provider implements LockProvider {

		@Override
		public LockHandle acquire(LockRequest request, AcquireContext context) {
			if (LockProxies.this.outage.get()) {
				throw new LockUnavailableException(request, Duration.ZERO, "out of reach", null);
			}
			return LockProxies.this.locks.acquire(request, context);
		}

		@Override
		public CompletableFuture<LockHandle> acquireAsync(LockRequest request, AcquireContext context) {
			if (LockProxies.this.outage.get()) {
				return CompletableFuture
					.failedFuture(new LockUnavailableException(request, Duration.ZERO, "out of reach", null));
			}
			return LockProxies.this.locks.acquireAsync(request, context);
		}

	}

}
