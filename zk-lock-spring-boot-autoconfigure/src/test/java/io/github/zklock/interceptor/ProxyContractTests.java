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
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.zklock.interceptor.LockTestConfiguration.TestProxy;
import io.github.zklock.interceptor.ProxyContractBeans.ClassLevel;
import io.github.zklock.interceptor.ProxyContractBeans.GuardedContract;
import io.github.zklock.interceptor.ProxyContractBeans.Hidden;
import io.github.zklock.interceptor.ProxyContractBeans.InterfaceLevel;
import io.github.zklock.interceptor.ProxyContractBeans.MethodLevel;
import io.github.zklock.interceptor.ProxyContractBeans.Part;
import io.github.zklock.interceptor.ProxyContractBeans.SubOfClassLevel;
import io.github.zklock.interceptor.ProxyContractBeans.Task;
import io.github.zklock.interceptor.ProxyContractBeans.Whole;
import io.github.zklock.interceptor.ProxyContractNeighbours.Job;
import io.github.zklock.interceptor.ProxyContractNeighbours.NeighbourBean;
import io.github.zklock.interceptor.ProxyContractNeighbours.Neighbours;
import io.github.zklock.interceptor.ProxyContractNeighbours.ScheduledJob;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What a Spring user may expect of an annotation on a bean, with each kind of proxy.
 */
class ProxyContractTests {

	@ParameterizedTest(name = "{0}: {1}")
	@MethodSource
	void lockSurrounds(TestProxy proxy, Row<?> row) {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.getEnvironment()
				.getPropertySources()
				.addFirst(new MapPropertySource("test", Map.of("test.proxy", proxy.name())));
			context.register(ProxyContractFeatures.class, LockTestConfiguration.class, row.bean());
			context.refresh();
			assertThat(AopUtils.isJdkDynamicProxy(context.getBean(row.type()))).isEqualTo(proxy == TestProxy.JDK);
			row.call(context);
			LockEvents events = context.getBean(LockEvents.class);
			Awaitility.await().untilAsserted(() -> assertThat(events.list()).isEqualTo(row.expected()));
		}
	}

	static Stream<Arguments> lockSurrounds() {
		return Stream.of(TestProxy.CGLIB, TestProxy.CGLIB_WITH_ASPECTJ, TestProxy.JDK)
			.flatMap((proxy) -> Stream.of(annotatedMethods(), inherited(), classLevel(), neighbours())
				.flatMap((rows) -> rows)
				.filter((row) -> proxy != TestProxy.JDK || row.type().isInterface())
				.map((row) -> Arguments.of(proxy, row)));
	}

	static Stream<Row<?>> annotatedMethods() {
		return Stream.<Row<?>>of(
				row("direct", Task.class, MethodLevel.class, Task::direct, "lock direct", "body", "unlock"),
				row("composed", Task.class, MethodLevel.class, Task::composed, "lock composed", "body", "unlock"),
				row("composed with attributes", Task.class, MethodLevel.class, Task::composedWithAttributes,
						"lock aliased", "body", "unlock"),
				row("not annotated", Task.class, MethodLevel.class, Task::free, "body"),
				row("protected", Hidden.class, Hidden.class, Hidden::isProtected, "lock protected", "body", "unlock"),
				row("package-private", Hidden.class, Hidden.class, Hidden::isPackagePrivate, "lock package-private",
						"body", "unlock"));
	}

	@SuppressWarnings("unchecked")
	static Stream<Row<?>> inherited() {
		return Stream.<Row<?>>of(
				row("interface method", Task.class, MethodLevel.class, Task::onInterface, "lock interface", "body",
						"unlock"),
				row("parameter named by the interface", Task.class, MethodLevel.class,
						(task) -> task.namedOnInterface("x"), "lock interface:x", "body", "unlock"),
				row("method wins over interface", Task.class, MethodLevel.class, Task::onBoth, "lock method", "body",
						"unlock"),
				row("inherited method", Task.class, MethodLevel.class, Task::inherited, "lock inherited", "body",
						"unlock"),
				row("generic method", MethodLevel.class, MethodLevel.class, (bean) -> bean.generic(7L),
						"lock generic:7", "body", "unlock"),
				row("bridge method", Task.class, MethodLevel.class, (task) -> ((Task<Long>) task).generic(7L),
						"lock generic:7", "body", "unlock"));
	}

	static Stream<Row<?>> classLevel() {
		return Stream.<Row<?>>of(
				row("class level", Whole.class, ClassLevel.class, Whole::first, "lock class", "body", "unlock"),
				row("subclass of class level", Part.class, SubOfClassLevel.class, Part::second, "lock class", "body",
						"unlock"),
				row("inherited from class level", Whole.class, SubOfClassLevel.class, Whole::first, "lock class",
						"body", "unlock"),
				row("interface level", GuardedContract.class, InterfaceLevel.class, GuardedContract::run,
						"lock interface-level", "body", "unlock"),
				row("toString", Whole.class, ClassLevel.class,
						(whole) -> assertThat(whole.toString()).isEqualTo("whole"), "toString"));
	}

	static Stream<Row<?>> neighbours() {
		return Stream.<Row<?>>of(
				row("transaction", Neighbours.class, NeighbourBean.class, Neighbours::transactional, "lock tx",
						"tx-begin", "body", "tx-commit", "unlock"),
				row("rollback", Neighbours.class, NeighbourBean.class,
						(bean) -> assertThatIllegalStateException().isThrownBy(bean::rolledBack), "lock tx", "tx-begin",
						"body", "tx-rollback", "unlock"),
				row("async", Neighbours.class, NeighbourBean.class,
						(bean) -> assertThat(bean.async()).succeedsWithin(Duration.ofSeconds(30)).isEqualTo("done"),
						"lock async@async", "body@async", "unlock@async"),
				row("cache hit", Neighbours.class, NeighbourBean.class, (bean) -> {
					bean.cached("a");
					bean.cached("a");
				}, "lock cached", "body", "unlock", "lock cached", "unlock"),
				row("scheduled", Job.class, ScheduledJob.class, (bean) -> {
				}, "lock scheduled", "body", "unlock"));
	}

	private static <T> Row<T> row(String name, Class<T> type, Class<? extends T> bean, Consumer<T> call,
			String... expected) {
		return new Row<>(name, type, bean, call, List.of(expected));
	}

	record Row<T>(String name, Class<T> type, Class<? extends T> bean, Consumer<T> call, List<String> expected) {

		void call(AnnotationConfigApplicationContext context) {
			this.call.accept(context.getBean(this.type));
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

}
