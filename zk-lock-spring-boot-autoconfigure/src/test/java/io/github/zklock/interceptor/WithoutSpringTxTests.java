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

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.interceptor.source.AnnotationLockOperationSource;
import io.github.zklock.interceptor.source.LockOperationSource;
import io.github.zklock.interceptor.source.TestLockSettings;
import io.github.zklock.test.InMemoryLockProvider;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * spring-tx is optional: a guarded method runs in a JVM that does not have it.
 */
class WithoutSpringTxTests {

	private static final String SPRING_TX = "org.springframework.transaction.support.TransactionSynchronizationManager";

	@Test
	void guardedMethodRuns() throws Exception {
		try (URLClassLoader withoutSpringTx = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
			assertThatExceptionOfType(ClassNotFoundException.class)
				.isThrownBy(() -> Class.forName(SPRING_TX, false, withoutSpringTx));
			Callable<?> guarded = (Callable<?>) Class.forName(Guarded.class.getName(), true, withoutSpringTx)
				.getDeclaredConstructor()
				.newInstance();
			assertThat(guarded.call()).isEqualTo("ran under guarded");
		}
	}

	private static URL[] classPath() {
		return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !entry.contains("spring-tx"))
			.map(WithoutSpringTxTests::url)
			.toArray(URL[]::new);
	}

	private static URL url(String entry) {
		try {
			return Path.of(entry).toUri().toURL();
		}
		catch (MalformedURLException ex) {
			throw new IllegalArgumentException(ex);
		}
	}

	public static class Guarded implements Callable<String> {

		@Override
		public String call() {
			LockOperationSource source = new AnnotationLockOperationSource(TestLockSettings::new, () -> (text) -> text);
			ProxyFactory factory = new ProxyFactory(new Job());
			factory.addAdvice(new LockInterceptor(source, new SpelLockKeyResolver(new DefaultListableBeanFactory()),
					new LockTemplate(new InMemoryLockProvider(), List.of())));
			return ((Job) factory.getProxy()).run();
		}

	}

	static class Job {

		@DistributedLock("guarded")
		String run() {
			return "ran under " + LockHandle.current().key();
		}

	}

}
