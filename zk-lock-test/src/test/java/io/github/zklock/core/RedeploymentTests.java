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

package io.github.zklock.core;

import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.internal.LockScope;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A thread that outlives an application, as those of a container do, keeps nothing of it
 * after the last lock.
 */
class RedeploymentTests {

	private final ExecutorService container = Executors.newSingleThreadExecutor();

	@Test
	void threadOfAContainerDoesNotKeepTheClassesOfAnApplicationThatHasUsedLocks() throws Exception {
		WeakReference<ClassLoader> application = deploy();
		Awaitility.await().until(() -> {
			System.gc();
			return application.get() == null;
		});
		assertThat(this.container.submit(() -> "still there").get()).isEqualTo("still there");
		this.container.shutdown();
	}

	private WeakReference<ClassLoader> deploy() throws Exception {
		ApplicationLoader loader = new ApplicationLoader();
		Runnable application = (Runnable) loader.loadClass(Application.class.getName())
			.getDeclaredConstructor()
			.newInstance();
		assertThat(application.getClass()).isNotEqualTo(Application.class);
		this.container.submit(application).get(30, TimeUnit.SECONDS);
		return new WeakReference<>(loader);
	}

	/**
	 * Uses locks in each of the ways that a thread can notice.
	 */
	public static final class Application implements Runnable {

		@Override
		public void run() {
			LockTemplate template = new LockTemplate(new InMemoryLockProvider());
			LockRequest request = LockRequest.of("key").withName("name");
			template.execute(request.withOnLost(LossPolicy.INTERRUPT), (handle) -> "done");
			LockHandle outer = template.acquire(List.of(request));
			LockScope.call(outer, (handle) -> "done");
			template.acquire(List.of(LockRequest.of("other").withName("inner"))).release();
			outer.release();
			template.executeAsync(request, (handle) -> handle.releaseAsync()).join();
			// Nobody knows when the lock is released that was taken last.
			template.acquire(List.of(request)).release();
		}

	}

	/**
	 * Has the classes of the library for itself.
	 */
	private static final class ApplicationLoader extends URLClassLoader {

		ApplicationLoader() {
			super(new URL[] { location(LockTemplate.class), location(InMemoryLockProvider.class),
					location(RedeploymentTests.class) }, RedeploymentTests.class.getClassLoader());
		}

		private static URL location(Class<?> type) {
			return type.getProtectionDomain().getCodeSource().getLocation();
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (!name.startsWith("io.github.zklock.")) {
				return super.loadClass(name, resolve);
			}
			synchronized (getClassLoadingLock(name)) {
				Class<?> known = findLoadedClass(name);
				return (known != null) ? known : findClass(name);
			}
		}

	}

}
