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

package io.github.zklock.zookeeper;

/**
 * The threads on which ZooKeeper's client delivers replies: whoever waits for a reply on
 * one of them waits for ever.
 */
final class ClientThreads {

	private ClientThreads() {
	}

	static boolean isEventThread(Thread thread) {
		return thread.getName().endsWith("-EventThread");
	}

	static void refuseToBlock() {
		Thread thread = Thread.currentThread();
		if (isEventThread(thread)) {
			throw new IllegalStateException("A lock must not be acquired on ZooKeeper's event thread '"
					+ thread.getName() + "', which would have to deliver it: hand the work over to an executor, or "
					+ "use acquireAsync");
		}
	}

}
