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

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.EnableDistributedLocks;
import io.github.zklock.core.LockHandle;
import io.github.zklock.interceptor.BeanFactoryLockOperationSourceAdvisor;
import io.github.zklock.interceptor.expression.LockExpressionEvaluator.LockExpressionRoot;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.FileSystemGeneratedFiles;
import org.springframework.aot.hint.ExecutableHint;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application without Spring Boot that is processed ahead of time.
 */
class EnabledLocksAotTests {

	@TempDir
	private Path directory;

	@Test
	void generatedApplicationLocksWithTheAttributesOfTheAnnotation() throws Exception {
		ClassName initializer = process(new RuntimeHints());
		compile();
		// One loader for all, since generated classes use what is private to a package.
		try (URLClassLoader loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
			assertThat(loader.loadClass(Application.class.getName())
				.getMethod("run", String.class)
				.invoke(null, initializer.reflectionName())).isEqualTo("seat:a1 with order 42");
		}
	}

	@Test
	void expressionsReadTheirRootAndTheArguments() {
		RuntimeHints hints = new RuntimeHints();
		process(hints);
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(LockExpressionRoot.class)
			.withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS)).accepts(hints);
		assertThat(hints.reflection().getTypeHint(Seat.class).methods()).extracting(ExecutableHint::getName)
			.contains("id");
	}

	private ClassName process(RuntimeHints hints) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.register(Application.class);
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get(Application.class)), new FileSystemGeneratedFiles(this.directory),
				hints);
		ClassName initializer = new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		generation.writeGeneratedContent();
		assertThat(context.getBeanFactory().getSingletonNames()).contains("zkLockAdvisor").doesNotContain("locks");
		return initializer;
	}

	private void compile() throws IOException {
		List<String> arguments = new ArrayList<>(List.of("-proc:none", "-nowarn", "-d", this.directory.toString(),
				"-cp", this.directory + File.pathSeparator + System.getProperty("java.class.path")));
		try (Stream<Path> files = Files.walk(this.directory)) {
			files.map(Path::toString).filter((file) -> file.endsWith(".java")).forEach(arguments::add);
		}
		assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
			.isZero();
	}

	private URL[] classPath() throws IOException {
		List<URL> urls = new ArrayList<>(List.of(this.directory.toUri().toURL()));
		for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
			urls.add(Path.of(entry).toUri().toURL());
		}
		return urls.toArray(URL[]::new);
	}

	/**
	 * The application.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableDistributedLocks(order = 42, proxyTargetClass = true)
	public static class Application {

		/**
		 * Run what was generated.
		 * @param initializer the name of the generated class
		 * @return the key of a lock, and the order of the locks
		 * @throws ReflectiveOperationException if there is no such class
		 */
		@SuppressWarnings("unchecked")
		public static String run(String initializer) throws ReflectiveOperationException {
			try (GenericApplicationContext context = new GenericApplicationContext()) {
				((ApplicationContextInitializer<GenericApplicationContext>) Class.forName(initializer)
					.getConstructor()
					.newInstance()).initialize(context);
				context.refresh();
				return context.getBean(Desk.class).sell(new Seat("a1")) + " with order "
						+ context.getBean(BeanFactoryLockOperationSourceAdvisor.class).getOrder();
			}
		}

		@Bean
		InMemoryLockProvider locks() {
			return new InMemoryLockProvider();
		}

		@Bean
		Desk desk() {
			return new Desk();
		}

	}

	/**
	 * A bean with a guarded method.
	 */
	public static class Desk {

		/**
		 * Sell a seat.
		 * @param seat the seat
		 * @return the key under which that was done
		 */
		@DistributedLock("seat:#{#seat.id}")
		public @Nullable String sell(Seat seat) {
			return LockHandle.current().key();
		}

	}

	/**
	 * A seat.
	 *
	 * @param id its number
	 */
	public record Seat(String id) {

	}

}
