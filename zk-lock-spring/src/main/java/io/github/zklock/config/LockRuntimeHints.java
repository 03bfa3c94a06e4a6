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

package io.github.zklock.config;

import java.util.List;

import io.github.zklock.interceptor.expression.LockExpressionEvaluator.LockExpressionRoot;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Hints for native images: what is created by class name, and what expressions read.
 */
class LockRuntimeHints implements RuntimeHintsRegistrar {

	// The sockets of the client, and the login module of SASL.
	private static final List<String> CREATED_BY_NAME = List.of("org.apache.zookeeper.ClientCnxnSocketNIO",
			"org.apache.zookeeper.ClientCnxnSocketNetty", "org.apache.zookeeper.server.auth.DigestLoginModule");

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		CREATED_BY_NAME.forEach((name) -> hints.reflection()
			.registerTypeIfPresent(classLoader, name, MemberCategory.INVOKE_DECLARED_CONSTRUCTORS));
		// It sets an exposed proxy on the thread of an asynchronous call.
		hints.proxies().registerJdkProxy(AopProxyUtils.completeJdkProxyInterfaces(MethodInterceptor.class));
		hints.resources().registerPattern("io/github/zklock/fencing/schema-*.sql");
		hints.reflection().registerType(LockExpressionRoot.class, MemberCategory.INVOKE_PUBLIC_METHODS);
	}

}
