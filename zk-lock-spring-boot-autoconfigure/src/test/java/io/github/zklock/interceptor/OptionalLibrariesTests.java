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
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.interceptor.check.CheckWithoutAsm;
import io.github.zklock.interceptor.operation.LockTarget;
import io.github.zklock.interceptor.operation.MethodResult;
import org.junit.jupiter.api.Test;

import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications without the libraries that only some return types need.
 */
class OptionalLibrariesTests {

	@Test
	void locksWorkWithoutReactorAndKotlin() throws Exception {
		List<String> results = runWithout("reactor-core|reactive-streams|rxjava|kotlin|spring-web",
				WithoutReactor.class);
		assertThat(results).hasSize(4).startsWith("false", "sync 1", "future 1");
		assertThat(results.get(3)).contains("Orders.publisher() returns a Publisher, whose work goes on",
				"with reactor-core on the class path");
	}

	@Test
	void suspendingFunctionIsRefusedWithoutItsBridge() throws Exception {
		List<String> results = runWithout("kotlinx-coroutines-react", WithoutCoroutinesReactor.class);
		assertThat(results).singleElement()
			.asString()
			.contains("find(Function1, Continuation) is a suspending function, whose end a proxy cannot see",
					"Add org.jetbrains.kotlinx:kotlinx-coroutines-reactor");
	}

	@Test
	void theStartupCheckGoesOnWithoutAsmAndFindsNoSelfCalls() throws Exception {
		assertThat(runWithout("^asm", CheckWithoutAsm.class)).isEmpty();
	}

	@SuppressWarnings("unchecked")
	private static List<String> runWithout(String libraries, Class<? extends Callable<List<String>>> code)
			throws Exception {
		Pattern left = Pattern.compile(libraries);
		URL[] classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.map(Path::of)
			.filter((entry) -> !left.matcher(entry.getFileName().toString()).find())
			.map(OptionalLibrariesTests::url)
			.toArray(URL[]::new);
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		try (URLClassLoader loader = new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader())) {
			thread.setContextClassLoader(loader);
			return ((Callable<List<String>>) loader.loadClass(code.getName()).getDeclaredConstructor().newInstance())
				.call();
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	private static URL url(Path entry) {
		try {
			return entry.toUri().toURL();
		}
		catch (MalformedURLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String refusal(Class<?> type, String name) {
		Method method = Stream.of(type.getDeclaredMethods())
			.filter((candidate) -> candidate.getName().equals(name))
			.findFirst()
			.orElseThrow();
		try {
			return "Allowed: " + MethodResult.kind(new LockTarget(method, type));
		}
		catch (InvalidLockUsageException ex) {
			return ex.getMessage();
		}
	}

	public static class WithoutReactor implements Callable<List<String>> {

		@Override
		public List<String> call() {
			ClassLoader loader = getClass().getClassLoader();
			GuardedProxy proxy = new GuardedProxy();
			Orders orders = proxy.of(new Orders(proxy));
			return List.of("" + ClassUtils.isPresent("reactor.core.publisher.Flux", loader), orders.sync(),
					orders.future().join(), refusal(Orders.class, "publisher"));
		}

	}

	public static class WithoutCoroutinesReactor implements Callable<List<String>> {

		@Override
		public List<String> call() throws Exception {
			Class<?> orders = Class.forName("io.github.zklock.interceptor.SuspendingMethodTests$Orders", false,
					getClass().getClassLoader());
			return List.of(refusal(orders, "find"));
		}

	}

	static class Orders {

		private final GuardedProxy proxy;

		Orders() {
			this(new GuardedProxy());
		}

		Orders(GuardedProxy proxy) {
			this.proxy = proxy;
		}

		@DistributedLock("sync")
		String sync() {
			return "sync " + this.proxy.provider().keysInUse();
		}

		@DistributedLock("future")
		CompletableFuture<String> future() {
			return CompletableFuture.completedFuture("future " + this.proxy.provider().keysInUse());
		}

		@DistributedLock("publisher")
		Flow.Publisher<String> publisher() {
			return (subscriber) -> {
			};
		}

	}

}
