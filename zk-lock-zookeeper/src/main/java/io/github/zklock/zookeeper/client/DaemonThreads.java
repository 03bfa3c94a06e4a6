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

package io.github.zklock.zookeeper.client;

/**
 * Threads of this library: they do not keep the application alive, and inherit neither
 * thread locals nor the class loader of the creating thread.
 *
 * @since 0.1.0
 */
public final class DaemonThreads {

	private DaemonThreads() {
	}

	/**
	 * Create a thread.
	 * @param name its name
	 * @param task what it runs
	 * @return the thread, not started
	 */
	public static Thread create(String name, Runnable task) {
		Thread thread = new Thread(null, task, name, 0, false);
		thread.setContextClassLoader(DaemonThreads.class.getClassLoader());
		thread.setDaemon(true);
		return thread;
	}

	static void start(String name, Runnable task) {
		create(name, task).start();
	}

}
