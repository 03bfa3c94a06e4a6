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

import io.github.zklock.core.LockRequest;
import io.github.zklock.zookeeper.Fairness;
import io.github.zklock.zookeeper.ZooKeeperLockProviderBuilder;

/**
 * How this project's locks can be set up.
 */
enum ZkLockVariant {

	/**
	 * As they are by default.
	 */
	DEFAULT,

	/**
	 * A node for every request.
	 */
	STRICT {

		@Override
		void configure(ZooKeeperLockProviderBuilder builder) {
			builder.fairness(Fairness.STRICT);
		}

	},

	/**
	 * A release does not wait for ZooKeeper.
	 */
	ASYNC_RELEASE {

		@Override
		void configure(ZooKeeperLockProviderBuilder builder) {
			builder.awaitRelease(false);
		}

	},

	/**
	 * The node is kept until another process wants the key.
	 */
	CACHED {

		@Override
		LockRequest request(LockRequest request) {
			return request.withCache(true);
		}

	};

	void configure(ZooKeeperLockProviderBuilder builder) {
	}

	LockRequest request(LockRequest request) {
		return request;
	}

}
