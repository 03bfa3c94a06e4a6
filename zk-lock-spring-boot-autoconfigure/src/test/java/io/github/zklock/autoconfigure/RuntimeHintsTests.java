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

package io.github.zklock.autoconfigure;

import java.util.List;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.interceptor.expression.LockExpressionEvaluator.LockExpressionRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.ExecutableHint;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeHint;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;

class RuntimeHintsTests {

	@ParameterizedTest
	@ValueSource(strings = { "org.apache.zookeeper.ClientCnxnSocketNIO", "org.apache.zookeeper.ClientCnxnSocketNetty",
			"org.apache.zookeeper.server.auth.DigestLoginModule" })
	void clientCreatesByName(String type) {
		RuntimeHints hints = new RuntimeHints();
		registerHints(hints, getClass().getClassLoader());
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(TypeReference.of(type))
			.withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS)).accepts(hints);
	}

	@Test
	void tableOfFencesIsMadeWithAScript() {
		RuntimeHints hints = new RuntimeHints();
		registerHints(hints, getClass().getClassLoader());
		assertThat(RuntimeHintsPredicates.resource().forResource("io/github/zklock/fencing/schema-h2.sql"))
			.accepts(hints);
	}

	@Test
	void expressionsReadTheRoot() {
		RuntimeHints hints = new RuntimeHints();
		registerHints(hints, getClass().getClassLoader());
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(LockExpressionRoot.class)
			.withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS)).accepts(hints);
	}

	@Test
	void expressionsReadArgumentsAndTheFallbackIsCalled() {
		RuntimeHints hints = hintsOf(Orders.class);
		assertThat(hints.reflection().getTypeHint(Order.class).methods()).extracting(ExecutableHint::getName)
			.contains("getId");
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(Orders.class)
			.withMemberCategory(MemberCategory.INVOKE_DECLARED_METHODS)).accepts(hints);
	}

	@Test
	void inheritedFallbacksAreCalledAsWell() {
		RuntimeHints hints = hintsOf(Returns.class);
		for (Class<?> type : List.of(Desk.class, Returns.class)) {
			assertThat(RuntimeHintsPredicates.reflection()
				.onType(type)
				.withMemberCategory(MemberCategory.INVOKE_DECLARED_METHODS)).as(type.getName()).accepts(hints);
		}
	}

	@Test
	void otherBeansNeedNoHint() {
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(Order.class)
			.withMemberCategory(MemberCategory.INVOKE_DECLARED_METHODS)).rejects(hintsOf(Order.class));
	}

	private static void registerHints(RuntimeHints hints, ClassLoader classLoader) {
		assertThat(SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
			.load(RuntimeHintsRegistrar.class))
			.filteredOn((registrar) -> registrar.getClass().getName().startsWith("io.github.zklock."))
			.singleElement()
			.satisfies((registrar) -> registrar.registerHints(hints, classLoader));
	}

	private static RuntimeHints hintsOf(Class<?> bean) {
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get(RuntimeHintsTests.class)), new InMemoryGeneratedFiles());
		GenericApplicationContext context = new GenericApplicationContext();
		context.registerBeanDefinition("bean", new RootBeanDefinition(bean));
		new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		return generation.getRuntimeHints();
	}

	@Test
	void withoutTheClientThereIsNoHint() {
		RuntimeHints hints = new RuntimeHints();
		registerHints(hints, new FilteredClassLoader("org.apache.zookeeper"));
		assertThat(hints.reflection().typeHints()).extracting(TypeHint::getType)
			.containsExactly(TypeReference.of(LockExpressionRoot.class));
	}

	static class Orders {

		@DistributedLock(key = "#order.id", fallbackMethod = "later")
		void ship(Order order) {
		}

		void later(Order order) {
		}

	}

	static class Desk {

		void later(Order order) {
		}

	}

	static class Returns extends Desk {

		@DistributedLock(key = "#order.id", fallbackMethod = "later")
		void take(Order order) {
		}

	}

	public static class Order {

		public String getId() {
			return "42";
		}

	}

}
