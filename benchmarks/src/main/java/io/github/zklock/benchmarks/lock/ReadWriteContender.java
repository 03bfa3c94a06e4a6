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

import java.util.concurrent.TimeUnit;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessLock;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;

/**
 * Curator's read-write lock, an instance for each use.
 */
final class ReadWriteContender implements Contender {

	private final CuratorFramework client;

	ReadWriteContender(CuratorFramework client) {
		this.client = client;
	}

	@Override
	public Held lock(String key) throws Exception {
		return acquire(at(key).writeLock());
	}

	@Override
	public Held tryLock(String key) throws Exception {
		InterProcessLock lock = at(key).writeLock();
		return lock.acquire(0, TimeUnit.MILLISECONDS) ? lock::release : null;
	}

	@Override
	public Held read(String key) throws Exception {
		return acquire(at(key).readLock());
	}

	private InterProcessReadWriteLock at(String key) {
		return new InterProcessReadWriteLock(this.client, "/read-write/" + key);
	}

	private static Held acquire(InterProcessLock lock) throws Exception {
		lock.acquire();
		return lock::release;
	}

}
