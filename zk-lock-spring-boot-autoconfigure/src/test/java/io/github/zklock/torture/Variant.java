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

import java.io.IOException;
import java.time.Duration;

import io.github.zklock.core.LockProvider;
import io.github.zklock.support.CuratorRecipeLockProvider;
import io.github.zklock.zookeeper.Fairness;
import io.github.zklock.zookeeper.ReleaseMode;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.ZooKeeperLockProviderBuilder;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.utils.DefaultZookeeperFactory;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;

/**
 * What is tortured: this library, Curator's recipes, or this library with one of its
 * safety measures switched off. The switches are in the client below it, which does not
 * do what it is asked to.
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
	RAW_CURATOR("raw Curator recipes"),

	/** A client that takes a new session for the old one. */
	NO_SESSION_CHECK("zk-lock without session check"),

	/** A client that answers the write before a search by itself. */
	NO_SETTLE("zk-lock without write before find"),

	/** A client that reads where it is to write a heartbeat. */
	NO_WRITE_HEARTBEAT("zk-lock with reads as heartbeat"),

	/** A client that passes the sequence number off as czxid. */
	SEQUENCE_AS_TOKEN("zk-lock with the sequence as token");

	private final String text;

	Variant(String text) {
		this.text = text;
	}

	ZookeeperFactory zooKeeperFactory() {
		return switch (this) {
			case PRODUCT, CACHED, ASYNC, FAST, STRICT, RAW_CURATOR -> new DefaultZookeeperFactory();
			case NO_SESSION_CHECK -> new OneSessionZooKeeper.Factory();
			case NO_SETTLE -> factory(UnsettledZooKeeper::new);
			case NO_WRITE_HEARTBEAT -> factory(UnwrittenZooKeeper::new);
			case SEQUENCE_AS_TOKEN -> factory(SequenceZooKeeper::new);
		};
	}

	LockProvider locks(CuratorFramework client) {
		if (this == RAW_CURATOR) {
			return new CuratorRecipeLockProvider(client);
		}
		CuratorFramework below = (this == NO_SESSION_CHECK) ? OneSessionCurator.of(client) : client;
		ZooKeeperLockProviderBuilder builder = ZooKeeperLockProvider.builder(below)
			.serverTick(TortureRun.TICK)
			.tryTimeout(TortureKeys.TRY)
			.release((this == ASYNC || this == FAST) ? ReleaseMode.ASYNC : ReleaseMode.SYNC)
			.fairness((this == STRICT) ? Fairness.STRICT : Fairness.BOUNDED);
		return isCached() ? new CachedLocks(builder.build()) : builder.build();
	}

	/**
	 * Return whether it is expected to keep every promise.
	 */
	boolean isWhole() {
		return switch (this) {
			case PRODUCT, CACHED, ASYNC, FAST, STRICT -> true;
			case RAW_CURATOR, NO_SESSION_CHECK, NO_SETTLE, NO_WRITE_HEARTBEAT, SEQUENCE_AS_TOKEN -> false;
		};
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

	private static ZookeeperFactory factory(Constructor constructor) {
		return (connectString, timeout, watcher, readOnly) -> constructor.create(connectString, timeout, watcher);
	}

	@Override
	public String toString() {
		return this.text;
	}

	private interface Constructor {

		ZooKeeper create(String connectString, int sessionTimeout, Watcher watcher) throws IOException;

	}

}
