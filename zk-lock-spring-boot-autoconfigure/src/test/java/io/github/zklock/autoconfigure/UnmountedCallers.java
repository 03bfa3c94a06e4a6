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

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.LockClient;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.apache.zookeeper.ClientCnxn;
import org.apache.zookeeper.ZooKeeper;

/**
 * A process in which virtual threads meet a taken monitor of ZooKeeper's client while
 * they use locks, and another virtual thread keeps the only carrier thread busy from then
 * on. Prints what a platform thread gets meanwhile that asks for another key, and for the
 * same one.
 */
public final class UnmountedCallers {

	private static final Duration WAIT = Duration.ofSeconds(10);

	private static final Set<Thread.State> STANDS_STILL = EnumSet.of(Thread.State.BLOCKED, Thread.State.WAITING,
			Thread.State.TIMED_WAITING);

	private final LockClient<ZooKeeperLockProvider> client;

	private final Method start;

	private UnmountedCallers(LockClient<ZooKeeperLockProvider> client) throws NoSuchMethodException {
		this.client = client;
		this.start = Thread.class.getMethod("startVirtualThread", Runnable.class);
	}

	/**
	 * Acquire a lock, release one, and watch one.
	 * @param arguments the connect string
	 * @throws Exception if this JVM has no virtual threads
	 */
	public static void main(String[] arguments) throws Exception {
		try (LockClient<ZooKeeperLockProvider> client = LockClient.connect(arguments[0], Duration.ofSeconds(40),
				(curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			UnmountedCallers callers = new UnmountedCallers(client);
			ZooKeeperLockProvider locks = client.locks();
			// Loads the classes, and creates the directory of the key.
			locks.acquire(request("acquire", WAIT)).release();
			callers.meanwhile("acquire", () -> locks.acquire(request("acquire", WAIT)).release());
			LockHandle held = locks.acquire(request("release", WAIT));
			callers.meanwhile("release", held::release);
			LockHandle watched = locks.acquire(request("watch", WAIT));
			callers.meanwhile("watch", () -> locks.whenHolderGone("watch"));
			watched.release();
		}
	}

	private void meanwhile(String key, Runnable use) throws Exception {
		AtomicBoolean done = new AtomicBoolean();
		CountDownLatch busy = new CountDownLatch(1);
		Thread caller;
		synchronized (monitor()) {
			caller = (Thread) this.start.invoke(null, use);
			while (!STANDS_STILL.contains(caller.getState())) {
				Thread.onSpinWait();
			}
			this.start.invoke(null, (Runnable) () -> {
				busy.countDown();
				while (!done.get()) {
					Thread.onSpinWait();
				}
			});
			busy.await();
		}
		print(key + "-other", request("other", WAIT));
		print(key + "-same", request(key, Duration.ofSeconds(1)));
		done.set(true);
		caller.join();
	}

	private static LockRequest request(String key, Duration wait) {
		return LockRequest.of(key).withWait(wait);
	}

	private void print(String line, LockRequest request) {
		System.out.println(line + " " + outcome(request));
	}

	private String outcome(LockRequest request) {
		try {
			this.client.locks().acquire(request).release();
			return "locked";
		}
		catch (LockException ex) {
			return ex.getClass().getSimpleName();
		}
	}

	// Each request of the client takes it.
	private Object monitor() throws Exception {
		Field connection = ZooKeeper.class.getDeclaredField("cnxn");
		connection.setAccessible(true);
		Field queue = ClientCnxn.class.getDeclaredField("outgoingQueue");
		queue.setAccessible(true);
		return queue.get(connection.get(this.client.curator().getZookeeperClient().getZooKeeper()));
	}

}
