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

package io.github.zklock.benchmarks.fence;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import javax.sql.DataSource;

import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.fencing.DatabaseFences;
import io.github.zklock.fencing.FenceSettings;
import io.github.zklock.transaction.LockCommitListener;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.zookeeper.curator.ZookeeperCuratorLockProvider;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * What guards a transaction.
 */
enum FencePeer {

	SHEDLOCK("ShedLock 4.42, `lockAtMostFor` of 2 s") {

		@Override
		Guard guard(Connections connections) {
			ZookeeperCuratorLockProvider locks = new ZookeeperCuratorLockProvider(connections.client(), "/shedlock");
			return new Guard((pause) -> listener(pause), (key, transaction) -> {
				Optional<SimpleLock> lock = Optional.empty();
				while (lock.isEmpty()) {
					lock = locks.lock(
							new LockConfiguration(Instant.now(), key, Duration.ofMillis(LEASE_MILLIS), Duration.ZERO));
					TimeUnit.MILLISECONDS.sleep(1);
				}
				try {
					transaction.run();
				}
				finally {
					lock.get().unlock();
				}
			});
		}

	},

	CURATOR("Curator 5.9, `InterProcessMutex`") {

		@Override
		Guard guard(Connections connections) {
			return new Guard((pause) -> listener(pause), (key, transaction) -> {
				InterProcessMutex lock = new InterProcessMutex(connections.client(), "/curator/" + key);
				lock.acquire();
				try {
					transaction.run();
				}
				finally {
					lock.release();
				}
			});
		}

	},

	// The lock lives as long as the process extends it, up to the lease after a pause.
	REDISSON("Redisson 3.52, `RFencedLock`, `lockWatchdogTimeout` of 2 s") {

		@Override
		Guard guard(Connections connections) {
			Config config = new Config();
			config.setLockWatchdogTimeout(LEASE_MILLIS);
			config.useSingleServer().setAddress("redis://127.0.0.1:6379");
			RedissonClient redis = Redisson.create(config);
			return new Guard((pause) -> listener(pause), (key, transaction) -> {
				RFencedLock lock = redis.getFencedLock(key);
				lock.lock();
				try {
					transaction.run();
				}
				finally {
					lock.unlock();
				}
			});
		}

	},

	ZK_LOCK("zk-lock without `@Fenced`") {

		@Override
		Guard guard(Connections connections) {
			return ofZkLock(connections, null);
		}

	},

	ZK_LOCK_FENCED("zk-lock with `@Fenced`") {

		@Override
		Guard guard(Connections connections) {
			return ofZkLock(connections, new DatabaseFences((name) -> connections.dataSource(),
					FenceSettings.of((handle) -> "/locks"), List::of));
		}

	};

	static final int LEASE_MILLIS = 2000;

	static final int TICK_MILLIS = 200;

	private final String description;

	FencePeer(String description) {
		this.description = description;
	}

	String description() {
		return this.description;
	}

	abstract Guard guard(Connections connections);

	private static TransactionExecutionListener listener(Runnable pause) {
		return new TransactionExecutionListener() {

			@Override
			public void beforeCommit(TransactionExecution transaction) {
				pause.run();
			}

		};
	}

	// The state of the lock is checked before the pause, as it may come at any time.
	private static Guard ofZkLock(Connections connections, @Nullable DatabaseFences fences) {
		LockTemplate locks = new LockTemplate(
				ZooKeeperLockProvider.builder(connections.client()).serverTick(Duration.ofMillis(TICK_MILLIS)).build());
		Function<Runnable, TransactionExecutionListener> listener = (pause) -> {
			LockCommitListener.Check standStill = (transaction, held) -> pause.run();
			return new LockCommitListener(() -> (fences != null) ? List.of(standStill, fences) : List.of(standStill));
		};
		return new Guard(listener,
				(key, transaction) -> locks.<Boolean, Exception>execute(LockRequest.of(key), (handle) -> {
					if (fences != null) {
						fences.raise(handle);
					}
					transaction.run();
					return true;
				}));
	}

	/**
	 * What guards need.
	 *
	 * @param client the client for locks in ZooKeeper
	 * @param dataSource the database
	 */
	record Connections(CuratorFramework client, DataSource dataSource) {

	}

	/**
	 * Guards transactions.
	 *
	 * @param listener what stands still right before a commit
	 * @param locks runs a transaction under a lock
	 */
	record Guard(Function<Runnable, TransactionExecutionListener> listener, Locks locks) {

	}

	/**
	 * Runs a transaction under a lock.
	 */
	interface Locks {

		void run(String key, Runnable transaction) throws Exception;

	}

}
