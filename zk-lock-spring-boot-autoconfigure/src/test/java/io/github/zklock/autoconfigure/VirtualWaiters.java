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

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.LockClient;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;

/**
 * A process whose virtual threads wait for one lock. Prints {@code WAITING} with how many
 * of them got so far, and {@code LOCKED} with how many got the lock then.
 */
public final class VirtualWaiters {

	static final int NUMBER = 200;

	private static final LockRequest REQUEST = LockRequest.of("virtual").withWait(Duration.ofSeconds(40));

	private static final CountDownLatch waiting = new CountDownLatch(NUMBER);

	private static final CountDownLatch locked = new CountDownLatch(NUMBER);

	private VirtualWaiters() {
	}

	/**
	 * Wait for the lock, and take it.
	 * @param arguments the connect string
	 * @throws Exception if this JVM has no virtual threads
	 */
	public static void main(String[] arguments) throws Exception {
		Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
		try (LockClient<ZooKeeperLockProvider> client = LockClient.connect(arguments[0], Duration.ofSeconds(20),
				(curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			LockHandle holder = client.locks().acquire(REQUEST);
			for (int i = 0; i < NUMBER; i++) {
				start.invoke(null, (Runnable) () -> lock(client));
			}
			waiting.await(30, TimeUnit.SECONDS);
			System.out.println("WAITING " + (NUMBER - waiting.getCount()));
			holder.release();
			locked.await(30, TimeUnit.SECONDS);
			System.out.println("LOCKED " + (NUMBER - locked.getCount()));
		}
	}

	private static void lock(LockClient<ZooKeeperLockProvider> client) {
		waiting.countDown();
		client.locks().acquire(REQUEST).release();
		locked.countDown();
	}

}
