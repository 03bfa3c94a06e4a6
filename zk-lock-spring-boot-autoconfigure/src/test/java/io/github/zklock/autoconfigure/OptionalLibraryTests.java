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

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;
import io.github.zklock.support.ProjectModules;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurationImportSelector;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.core.type.AnnotationMetadata;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications without the libraries that are optional in the pom, with all of our
 * auto-configurations. The libraries are really absent to our classes, which are loaded
 * anew for each application, and not to the conditions alone.
 */
@Tag("server")
class OptionalLibraryTests {

	private static final Pattern OPTIONAL = Pattern
		.compile("<artifactId>([^<]+)</artifactId>(?:(?!</dependency>).)*<optional>true</optional>", Pattern.DOTALL);

	// What comes with an optional library, and is absent with it.
	private static final List<String> WITH_DEPENDENCIES = List.of("shedlock-.*", "spring-boot-actuator.*",
			"spring-boot-testcontainers|testcontainers", "micrometer-.*");

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@ParameterizedTest
	@MethodSource("notNeededForLocks")
	void methodIsGuardedWithout(String libraries) {
		without(libraries,
				(runner, classes) -> runner.withBean("guarded", classes.load(Guarded.class))
					.run((context) -> assertThat(((Callable<?>) context.getBean("guarded")).call())
						.isEqualTo("ran under guarded")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "curator-.*", "zookeeper" })
	void applicationStartsWithoutTheClientOfZooKeeper(String libraries) {
		without(libraries, (runner, classes) -> {
			runner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("zkLockTemplate"));
			runner.withBean(classes.load(Guarded.class))
				.run((context) -> assertThat(context).getFailure().hasMessageContaining("cannot be guarded"));
		});
	}

	// The context of Spring itself needs the library, so no application is without it.
	@Test
	void applicationStartsWithoutSpringAop() {
		without("spring-aop",
				(runner, classes) -> runner.run((context) -> assertThat(context).hasNotFailed()
					.hasBean("zkLockTemplate")
					.doesNotHaveBean("zkLockAdvisor")));
	}

	private static List<String> notNeededForLocks() throws IOException {
		Set<String> optional = new TreeSet<>();
		for (String module : List.of("zk-lock-spring", "zk-lock-spring-boot-autoconfigure")) {
			Matcher dependency = OPTIONAL.matcher(Files.readString(ProjectModules.ROOT.resolve(module + "/pom.xml")));
			while (dependency.find()) {
				optional.add(dependency.group(1));
			}
		}
		// The contexts of these tests are web applications.
		assertThat(optional.remove("spring-web")).isTrue();
		assertThat(optional).hasSizeGreaterThan(15);
		List<String> libraries = new ArrayList<>(optional);
		String all = String.join("|", libraries);
		libraries.addAll(WITH_DEPENDENCIES);
		libraries.add(all);
		return libraries;
	}

	private static void without(String libraries, BiConsumer<WebApplicationContextRunner, LeftOut> test) {
		LeftOut classes = new LeftOut(libraries);
		test.accept(new WebApplicationContextRunner().withClassLoader(classes)
			.withPropertyValues("zk-lock.connect-string=" + server.connectString(),
					"management.endpoints.web.exposure.include=*")
			.withBean(SimpleMeterRegistry.class)
			.withBean(ObservationRegistry.class, ObservationRegistry::create)
			.withBean(Tracer.class, () -> Tracer.NOOP)
			.withUserConfiguration(classes.load(Application.class)), classes);
	}

	@Configuration(proxyBeanMethods = false)
	@Import(OurAutoConfigurations.class)
	static class Application {

	}

	/**
	 * Imports them by their names, as an application does.
	 */
	static class OurAutoConfigurations extends AutoConfigurationImportSelector {

		@Override
		protected AnnotationAttributes getAttributes(AnnotationMetadata metadata) {
			AnnotationAttributes attributes = new AnnotationAttributes();
			attributes.put("exclude", new String[0]);
			attributes.put("excludeName", new String[0]);
			return attributes;
		}

		@Override
		protected List<String> getCandidateConfigurations(AnnotationMetadata metadata,
				AnnotationAttributes attributes) {
			List<String> ours = super.getCandidateConfigurations(metadata, attributes).stream()
				.filter((name) -> name.startsWith("io.github.zklock."))
				.toList();
			assertThat(ours).hasSizeGreaterThan(8);
			return ours;
		}

	}

	static class Guarded implements Callable<String> {

		@Override
		@DistributedLock("guarded")
		public String call() {
			return "ran under " + LockHandle.current().key();
		}

	}

	/**
	 * Loads our classes anew, and nothing of the jars that are left out.
	 */
	private static final class LeftOut extends ClassLoader {

		private final Pattern jars;

		LeftOut(String artifacts) {
			super(OptionalLibraryTests.class.getClassLoader());
			this.jars = Pattern.compile("/(" + artifacts + ")-\\d[^/]*\\.jar!");
		}

		Class<?> load(Class<?> type) {
			try {
				return loadClass(type.getName());
			}
			catch (ClassNotFoundException ex) {
				throw new IllegalStateException(ex);
			}
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			synchronized (getClassLoadingLock(name)) {
				Class<?> loaded = findLoadedClass(name);
				if (loaded != null) {
					return loaded;
				}
				String file = name.replace('.', '/') + ".class";
				if (name.startsWith("io.github.zklock.")) {
					return define(name, file);
				}
				if (isLeftOut(getParent().getResource(file))) {
					throw new ClassNotFoundException(name);
				}
				return super.loadClass(name, resolve);
			}
		}

		@Override
		public @Nullable URL getResource(String name) {
			URL resource = super.getResource(name);
			return isLeftOut(resource) ? null : resource;
		}

		private Class<?> define(String name, String file) throws ClassNotFoundException {
			try (InputStream in = getResourceAsStream(file)) {
				if (in == null) {
					throw new ClassNotFoundException(name);
				}
				byte[] bytes = in.readAllBytes();
				return defineClass(name, bytes, 0, bytes.length);
			}
			catch (IOException ex) {
				throw new ClassNotFoundException(name, ex);
			}
		}

		private boolean isLeftOut(@Nullable URL resource) {
			return resource != null && this.jars.matcher(resource.toString()).find();
		}

	}

}
