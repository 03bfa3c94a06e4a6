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

/**
 * Whose locks are compared, and on which server.
 */
enum Library {

	ZK_LOCK("zk-lock", Service.ZOOKEEPER, "session timeout 20 s") {

		@Override
		Locks open(String address, Duration lease) throws Exception {
			return ZooKeeperLocks.ofZkLock(address, lease);
		}

	},

	CURATOR("Curator `InterProcessMutex`", Service.ZOOKEEPER, "session timeout 60 s, of which the server grants 40 s") {

		@Override
		Locks open(String address, Duration lease) throws Exception {
			return ZooKeeperLocks.ofCurator(address, lease);
		}

	},

	RLOCK("Redisson `RLock`", Service.REDIS, "watchdog 30 s") {

		@Override
		Locks open(String address, Duration lease) {
			return new RedissonLocks(address, lease, false);
		}

	},

	RLOCK_AOF("Redisson `RLock`", Service.REDIS_AOF, "watchdog 30 s") {

		@Override
		Locks open(String address, Duration lease) {
			return new RedissonLocks(address, lease, false);
		}

	},

	FENCED("Redisson `RFencedLock`", Service.REDIS, "watchdog 30 s") {

		@Override
		Locks open(String address, Duration lease) {
			return new RedissonLocks(address, lease, true);
		}

	},

	FENCED_AOF("Redisson `RFencedLock`", Service.REDIS_AOF, "watchdog 30 s") {

		@Override
		Locks open(String address, Duration lease) {
			return new RedissonLocks(address, lease, true);
		}

	},

	ETCD("jetcd's lock client", Service.ETCD, "lease 60 s, as etcd's own sessions") {

		@Override
		Locks open(String address, Duration lease) {
			return new EtcdLocks(address, lease);
		}

	};

	private final String label;

	private final Service service;

	private final String defaults;

	Library(String label, Service service, String defaults) {
		this.label = label;
		this.service = service;
		this.defaults = defaults;
	}

	String label() {
		return this.label + " on " + this.service.description();
	}

	Service service() {
		return this.service;
	}

	/**
	 * Return the timeout after which the lock of a dead process is free by default.
	 * @return the text
	 */
	String defaults() {
		return this.defaults;
	}

	/**
	 * Connect.
	 * @param address the server
	 * @param lease the timeout after which the lock of a dead process is free, zero for
	 * the default
	 * @return the locks
	 * @throws Exception if there is no connection
	 */
	abstract Locks open(String address, Duration lease) throws Exception;

}
