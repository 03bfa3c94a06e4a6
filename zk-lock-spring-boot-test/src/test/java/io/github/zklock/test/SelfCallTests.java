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

package io.github.zklock.test;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.autoconfigure.ZkLockAopAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The check for calls on {@code this} needs libraries that this module brings, and the
 * starter does not.
 */
class SelfCallTests {

	@Test
	void callOnThisStopsATestThatStartsTheContext() {
		assertThat(new Start().call()).contains("ship() is called by shipAll() on the same object");
	}

	@Test
	void applicationWithoutTheLibrariesStarts() throws Exception {
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		try (URLClassLoader loader = new URLClassLoader(classPathWithoutAsm(), ClassLoader.getPlatformClassLoader())) {
			thread.setContextClassLoader(loader);
			assertThat(((Callable<?>) loader.loadClass(Start.class.getName()).getDeclaredConstructor().newInstance())
				.call()).isEqualTo("started");
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	private static URL[] classPathWithoutAsm() throws Exception {
		Path[] entries = Stream.of(System.getProperty("java.class.path").split(System.getProperty("path.separator")))
			.map(Path::of)
			.filter((entry) -> !entry.getFileName().toString().startsWith("asm"))
			.toArray(Path[]::new);
		URL[] urls = new URL[entries.length];
		for (int i = 0; i < entries.length; i++) {
			urls[i] = entries[i].toUri().toURL();
		}
		return urls;
	}

	/**
	 * Starts an application whose bean calls itself, and returns its failure.
	 */
	public static class Start implements Callable<String> {

		@Override
		public String call() {
			String[] outcome = { "started" };
			new ApplicationContextRunner()
				.withConfiguration(
						AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class))
				.withBean(InMemoryLockProvider.class)
				.withBean(Orders.class)
				.run((context) -> {
					if (context.getStartupFailure() != null) {
						outcome[0] = context.getStartupFailure().toString();
					}
				});
			return outcome[0];
		}

	}

	static class Orders {

		@DistributedLock("orders")
		void ship() {
		}

		void shipAll() {
			ship();
		}

	}

}
