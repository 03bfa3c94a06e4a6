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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.zklock.interceptor.LockTestConfiguration.TestProxy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the {@link ProxyContract}, with each kind of proxy.
 */
class ProxyContractTests {

	private static final Map<List<Object>, AnnotationConfigApplicationContext> contexts = new HashMap<>();

	@ParameterizedTest(name = "{0}: {1}")
	@MethodSource
	void lockSurrounds(TestProxy proxy, ProxyContractRow<?> row) {
		String required = row.required();
		Assumptions.assumeTrue(required == null || ClassUtils.isPresent(required, getClass().getClassLoader()),
				() -> "There is no " + required);
		AnnotationConfigApplicationContext context = context(proxy, row);
		assertThat(AopUtils.isJdkDynamicProxy(context.getBean(row.type()))).isEqualTo(proxy == TestProxy.JDK);
		LockEvents events = context.getBean(LockEvents.class);
		row.call().accept(context);
		Awaitility.await().untilAsserted(() -> assertThat(events.list()).isEqualTo(row.expected()));
	}

	static Stream<Arguments> lockSurrounds() {
		return Stream.of(TestProxy.CGLIB, TestProxy.CGLIB_WITH_ASPECTJ, TestProxy.JDK)
			.flatMap((proxy) -> ProxyContract.rows()
				.filter((row) -> proxy != TestProxy.JDK || row.type().isInterface())
				.map((row) -> Arguments.of(proxy, row)));
	}

	// Rows with the same bean share a context, except those whose clock goes on.
	private static AnnotationConfigApplicationContext context(TestProxy proxy, ProxyContractRow<?> row) {
		boolean clock = row.type().getEnclosingClass() == ProxyContractSchedules.class;
		List<Object> key = List.of(proxy, row.bean(), clock ? row.name() : "");
		AnnotationConfigApplicationContext context = contexts.get(key);
		if (context == null) {
			context = start(proxy, row.bean());
			contexts.put(key, context);
		}
		else {
			context.getBean(LockEvents.class).clear();
		}
		return context;
	}

	private static AnnotationConfigApplicationContext start(TestProxy proxy, Class<?> bean) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("test", Map.of("test.proxy", proxy.name())));
		context.register(ProxyContractFeatures.class, LockTestConfiguration.class, bean);
		context.refresh();
		return context;
	}

	@AfterAll
	static void close() {
		contexts.values().forEach(AnnotationConfigApplicationContext::close);
		contexts.clear();
	}

}
