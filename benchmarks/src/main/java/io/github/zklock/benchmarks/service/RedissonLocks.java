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

import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * The locks of Redisson on one Redis server. A watchdog extends them while their process
 * lives.
 */
final class RedissonLocks implements Locks {

	private final RedissonClient client;

	private final boolean fenced;

	/**
	 * Connect.
	 * @param address the server
	 * @param lease the timeout of the watchdog, zero for the default
	 * @param fenced whether to use fenced locks
	 */
	RedissonLocks(String address, Duration lease, boolean fenced) {
		Config config = new Config();
		if (!lease.isZero()) {
			config.setLockWatchdogTimeout(lease.toMillis());
		}
		config.useSingleServer().setAddress("redis://" + address);
		this.client = Redisson.create(config);
		this.fenced = fenced;
	}

	@Override
	public Held lock(String key) {
		RLock lock = lockOf(key);
		long token = -1;
		if (lock instanceof RFencedLock fencedLock) {
			token = fencedLock.lockAndGetToken();
		}
		else {
			lock.lock();
		}
		return held(lock, token);
	}

	@Override
	public @Nullable Held tryLock(String key, Duration wait) throws Exception {
		RLock lock = lockOf(key);
		if (lock instanceof RFencedLock fencedLock) {
			Long token = fencedLock.tryLockAndGetToken(wait.toMillis(), TimeUnit.MILLISECONDS);
			return (token != null) ? held(lock, token) : null;
		}
		return lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS) ? held(lock, -1) : null;
	}

	@Override
	public void close() {
		this.client.shutdown();
	}

	private RLock lockOf(String key) {
		return this.fenced ? this.client.getFencedLock("fenced:" + key) : this.client.getLock("lock:" + key);
	}

	private Held held(RLock lock, long token) {
		return new Held() {

			@Override
			public boolean seemsHeld() {
				return lock.isHeldByCurrentThread();
			}

			@Override
			public long token() {
				return token;
			}

			@Override
			public void unlock() {
				lock.unlock();
			}

		};
	}

}
