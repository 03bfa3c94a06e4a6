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

package io.github.zklock.benchmarks.lock;

import java.time.Duration;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.apache.curator.framework.CuratorFramework;

/**
 * The locks of this project.
 */
final class ZkLockContender implements Contender {

	private static final LockRequest TEMPLATE = LockRequest.of("any").withWait(LockRequest.FOREVER);

	private final ZooKeeperLockProvider provider;

	ZkLockContender(CuratorFramework client) {
		this.provider = ZooKeeperLockProvider.builder(client).root("/zk-lock").build();
	}

	@Override
	public Held lock(String key) {
		return acquire(key, LockMode.EXCLUSIVE, LockRequest.FOREVER);
	}

	@Override
	public Held tryLock(String key) {
		try {
			return acquire(key, LockMode.EXCLUSIVE, Duration.ZERO);
		}
		catch (LockNotAcquiredException ex) {
			return null;
		}
	}

	@Override
	public Held read(String key) {
		return acquire(key, LockMode.READ, LockRequest.FOREVER);
	}

	@Override
	public void close() {
		this.provider.close();
	}

	private Held acquire(String key, LockMode mode, Duration wait) {
		LockHandle handle = this.provider.acquire(new LockRequest(key, mode, wait, TEMPLATE.name(), null, true, 1,
				TEMPLATE.atLeast(), TEMPLATE.onLost(), TEMPLATE.cache()));
		return handle::release;
	}

}
