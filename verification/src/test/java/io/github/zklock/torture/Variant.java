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

package io.github.zklock.torture;

import java.time.Duration;

import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.zookeeper.Fairness;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.ZooKeeperLockProviderBuilder;
import org.apache.curator.framework.CuratorFramework;

/**
 * What is tortured: this library in one of its settings, or Curator's recipes, which show
 * that the judge finds what is broken.
 */
enum Variant {

	/** This library. */
	PRODUCT("zk-lock"),

	/** This library, when every lock is kept for the next request of its process. */
	CACHED("zk-lock with caching"),

	/** This library, when no release is waited for. */
	ASYNC("zk-lock with asynchronous release"),

	/** This library, when it waits for as little as it can. */
	FAST("zk-lock with caching and asynchronous release"),

	/** This library, when each request takes its own place in the queue. */
	STRICT("zk-lock with strict fairness"),

	/** What one writes in an afternoon. */
	RAW_CURATOR("raw Curator recipes");

	private final String text;

	Variant(String text) {
		this.text = text;
	}

	LockProvider locks(CuratorFramework client) {
		if (this == RAW_CURATOR) {
			return new CuratorRecipeLockProvider(client);
		}
		ZooKeeperLockProviderBuilder builder = ZooKeeperLockProvider.builder(client)
			.serverTick(TortureRun.TICK)
			.tryTimeout(TortureKeys.TRY)
			.awaitRelease(this != ASYNC && this != FAST)
			.fairness((this == STRICT) ? Fairness.STRICT : Fairness.BOUNDED);
		return isCached() ? new CachedLocks(builder.build()) : builder.build();
	}

	/**
	 * Return whether it is expected to keep every promise.
	 */
	boolean isWhole() {
		return this != RAW_CURATOR;
	}

	private boolean isCached() {
		return this == CACHED || this == FAST;
	}

	/**
	 * Return how long its nodes may stay after the last lock was released.
	 */
	Duration cleanUp() {
		return isCached() ? Duration.ofSeconds(12) : Duration.ofSeconds(2);
	}

	/**
	 * Return whether its tokens are to be judged.
	 */
	boolean hasTokens() {
		return this != RAW_CURATOR;
	}

	@Override
	public String toString() {
		return this.text;
	}

}
