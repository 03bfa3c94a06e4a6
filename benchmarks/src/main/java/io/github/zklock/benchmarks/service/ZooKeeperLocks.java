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

package io.github.zklock.benchmarks.service;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.jspecify.annotations.Nullable;

/**
 * The locks on ZooKeeper: ours, and Curator's mutex.
 */
abstract class ZooKeeperLocks implements Locks {

	private final CuratorFramework client;

	private ZooKeeperLocks(CuratorFramework client) {
		this.client = client;
	}

	/**
	 * Connect as zk-lock does.
	 * @param address the server
	 * @param session the session timeout, zero for the default of zk-lock
	 * @return the locks
	 * @throws Exception if there is no connection
	 */
	static Locks ofZkLock(String address, Duration session) throws Exception {
		CuratorFramework client = connect(address, session.isZero() ? 20_000 : (int) session.toMillis());
		ZooKeeperLockProvider provider = ZooKeeperLockProvider.builder(client).root("/zk-lock").build();
		return new ZooKeeperLocks(client) {

			@Override
			public Held lock(String key) {
				return held(provider.acquire(LockRequest.of(key).withWait(LockRequest.FOREVER)));
			}

			@Override
			public @Nullable Held tryLock(String key, Duration wait) {
				try {
					return held(provider.acquire(LockRequest.of(key).withWait(wait)));
				}
				catch (LockNotAcquiredException ex) {
					return null;
				}
			}

			@Override
			public void close() {
				provider.close();
				super.close();
			}

		};
	}

	/**
	 * Connect as an application that uses Curator alone.
	 * @param address the server
	 * @param session the session timeout, zero for the default of Curator
	 * @return the locks
	 * @throws Exception if there is no connection
	 */
	static Locks ofCurator(String address, Duration session) throws Exception {
		CuratorFramework client = connect(address, session.isZero() ? 60_000 : (int) session.toMillis());
		AtomicBoolean lost = new AtomicBoolean();
		client.getConnectionStateListenable().addListener((curator, state) -> lost.set(!state.isConnected()));
		return new ZooKeeperLocks(client) {

			@Override
			public Held lock(String key) throws Exception {
				InterProcessMutex mutex = new InterProcessMutex(client, "/curator/" + key);
				mutex.acquire();
				return held(mutex, lost);
			}

			@Override
			public @Nullable Held tryLock(String key, Duration wait) throws Exception {
				InterProcessMutex mutex = new InterProcessMutex(client, "/curator/" + key);
				return mutex.acquire(wait.toMillis(), TimeUnit.MILLISECONDS) ? held(mutex, lost) : null;
			}

		};
	}

	@Override
	public void close() {
		this.client.close();
	}

	private static CuratorFramework connect(String address, int sessionMillis) throws Exception {
		CuratorFramework client = CuratorFrameworkFactory.builder()
			.connectString(address)
			.sessionTimeoutMs(sessionMillis)
			.retryPolicy(new ExponentialBackoffRetry(100, 5))
			.build();
		client.start();
		if (!client.blockUntilConnected(30, TimeUnit.SECONDS)) {
			throw new IllegalStateException("No connection to " + address);
		}
		return client;
	}

	private static Held held(LockHandle handle) {
		return new Held() {

			@Override
			public boolean seemsHeld() {
				return handle.isHeld();
			}

			@Override
			public long token() {
				return handle.fencingToken();
			}

			@Override
			public void unlock() {
				handle.release();
			}

		};
	}

	private static Held held(InterProcessMutex mutex, AtomicBoolean lost) {
		return new Held() {

			@Override
			public boolean seemsHeld() {
				return mutex.isOwnedByCurrentThread() && !lost.get();
			}

			@Override
			public long token() {
				return -1;
			}

			@Override
			public void unlock() throws Exception {
				mutex.release();
			}

		};
	}

}
