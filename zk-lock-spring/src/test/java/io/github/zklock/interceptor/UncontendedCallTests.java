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
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLimits;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.spi.AcquireContext;
import io.github.zklock.core.spi.LockListener;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.interceptor.source.AnnotationLockOperationSource;
import io.github.zklock.interceptor.source.TestLockSettings;
import io.github.zklock.observation.internal.LockMetrics;
import io.github.zklock.test.memory.InMemoryLockProvider;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

import org.springframework.aop.framework.ProxyFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Counts the classes of zk-lock that an uncontended call passes between the proxy and the
 * provider of locks. A nested class counts with the class around it. A class loader notes
 * each method that is entered.
 */
class UncontendedCallTests {

	@ParameterizedTest
	@ValueSource(classes = { Plain.class, Measured.class })
	void callPassesFewClassesBeforeTheProvider(Class<? extends Callable<Collection<String>>> call) throws Exception {
		Collection<String> passed = passed(call);
		System.out.println("Classes that a call passes before the provider, " + call.getSimpleName() + ": "
				+ passed.size() + " " + passed);
		assertThat(passed).hasSizeBetween(10, 28);
	}

	@SuppressWarnings("unchecked")
	private static Collection<String> passed(Class<? extends Callable<Collection<String>>> call) throws Exception {
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		try (NotingLoader loader = new NotingLoader()) {
			thread.setContextClassLoader(loader);
			return ((Callable<Collection<String>>) loader.loadClass(call.getName())
				.getDeclaredConstructor()
				.newInstance()).call();
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	// The first call makes what the others find.
	private static Collection<String> ofSecondCall(Supplier<List<LockListener>> listeners) {
		LockTemplate template = new LockTemplate(new NotingProvider(), listeners, LockLimits.DEFAULT,
				new TestLockSettings());
		ProxyFactory factory = new ProxyFactory(new Orders());
		factory.setProxyTargetClass(true);
		factory.addAdvice(new LockInterceptor(
				new AnnotationLockOperationSource(TestLockSettings::new, () -> (text) -> text), template));
		Orders orders = (Orders) factory.getProxy();
		orders.pay("1");
		Passed.begin();
		orders.pay("2");
		return Passed.end();
	}

	/**
	 * The call of a method without listeners.
	 */
	public static class Plain implements Callable<Collection<String>> {

		@Override
		public Collection<String> call() {
			return ofSecondCall(List::of);
		}

	}

	/**
	 * The call of a method with meters.
	 */
	public static class Measured implements Callable<Collection<String>> {

		@Override
		public Collection<String> call() {
			LockMetrics metrics = new LockMetrics(new SimpleMeterRegistry());
			return ofSecondCall(() -> List.of(metrics));
		}

	}

	static class Orders {

		@DistributedLock("order:#{#id}")
		void pay(String id) {
		}

	}

	/**
	 * Where the engine begins.
	 */
	static final class NotingProvider implements LockProvider {

		private final InMemoryLockProvider delegate = new InMemoryLockProvider();

		@Override
		public LockHandle acquire(LockRequest request, AcquireContext context) {
			Passed.end();
			return this.delegate.acquire(request, context);
		}

		@Override
		public CompletableFuture<LockHandle> acquireAsync(LockRequest request, AcquireContext context) {
			throw new UnsupportedOperationException();
		}

	}

	/**
	 * The classes whose methods were entered, on one thread.
	 */
	public static final class Passed {

		private static final Set<String> names = new LinkedHashSet<>();

		private static boolean noting;

		private Passed() {
		}

		static void begin() {
			names.clear();
			noting = true;
		}

		static Collection<String> end() {
			noting = false;
			return List.copyOf(names);
		}

		/**
		 * Called by each method.
		 * @param name the name of its class
		 */
		public static void enter(String name) {
			if (noting) {
				names.add(name);
			}
		}

	}

	private static final class NotingLoader extends URLClassLoader {

		private static final String OURS = "io.github.zklock.";

		NotingLoader() {
			super(Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
				.map(NotingLoader::url)
				.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
		}

		private static URL url(String entry) {
			try {
				return Path.of(entry).toUri().toURL();
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
		}

		@Override
		protected Class<?> findClass(String name) throws ClassNotFoundException {
			if (!name.startsWith(OURS) || name.startsWith(UncontendedCallTests.class.getName())) {
				return super.findClass(name);
			}
			try (InputStream code = getResourceAsStream(name.replace('.', '/') + ".class")) {
				if (code == null) {
					throw new ClassNotFoundException(name);
				}
				byte[] noting = noting(name, code.readAllBytes());
				return defineClass(name, noting, 0, noting.length);
			}
			catch (IOException ex) {
				throw new ClassNotFoundException(name, ex);
			}
		}

		private static byte[] noting(String name, byte[] code) {
			ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
			new ClassReader(code).accept(new ClassVisitor(Opcodes.ASM9, writer) {

				@Override
				public MethodVisitor visitMethod(int access, String method, String descriptor, String signature,
						String[] exceptions) {
					return new MethodVisitor(Opcodes.ASM9,
							super.visitMethod(access, method, descriptor, signature, exceptions)) {

						@Override
						public void visitCode() {
							super.visitCode();
							visitLdcInsn(name.substring(OURS.length()).replaceAll("\\$.*", ""));
							visitMethodInsn(Opcodes.INVOKESTATIC, Passed.class.getName().replace('.', '/'), "enter",
									"(Ljava/lang/String;)V", false);
						}

					};
				}

			}, 0);
			return writer.toByteArray();
		}

	}

}
