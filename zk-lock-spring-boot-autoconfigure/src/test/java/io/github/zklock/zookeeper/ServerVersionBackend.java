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

package io.github.zklock.zookeeper;

import java.time.Duration;
import java.util.List;

import io.github.zklock.core.LockProvider;
import io.github.zklock.support.LockBackend;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ServerProcess;
import io.github.zklock.zookeeper.node.LockPaths;
import io.github.zklock.zookeeper.node.TickRecord;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two clients of a server in another process. All that a test sees and breaks there goes
 * through ZooKeeper's protocol.
 */
final class ServerVersionBackend implements LockBackend, AutoCloseable {

	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(20);

	// A try without an answer is no refusal.
	private static final Duration TRY_TIMEOUT = Duration.ofSeconds(10);

	private final LockClient<ZooKeeperLockProvider> first;

	private final LockClient<ZooKeeperLockProvider> second;

	private final String connectString;

	ServerVersionBackend(ServerProcess server) {
		this.connectString = server.connectString();
		this.first = client("app-1");
		this.second = client("app-2");
	}

	private LockClient<ZooKeeperLockProvider> client(String instance) {
		return LockClient.connect(this.connectString, SESSION_TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator)
					.application("app")
					.instance(instance)
					.serverTick(ServerProcess.TICK)
					.tryTimeout(TRY_TIMEOUT)
					.build());
	}

	@Override
	public LockProvider first() {
		return this.first.locks();
	}

	@Override
	public LockProvider second() {
		return this.second.locks();
	}

	@Override
	public void awaitMembers(String key, int members) {
		Awaitility.await().untilAsserted(() -> assertThat(members(key)).isEqualTo(members));
	}

	private int members(String key) {
		return left(key).size() + this.first.locks().engine.queues.withoutNode(key)
				+ this.second.locks().engine.queues.withoutNode(key);
	}

	@Override
	public List<String> left(String key) {
		try {
			return this.second.curator()
				.getChildren()
				.forPath("/locks/" + LockPaths.encode(key))
				.stream()
				.filter((name) -> TickRecord.parse(name) == null)
				.toList();
		}
		catch (KeeperException.NoNodeException ex) {
			return List.of();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void loseFirst() {
		try {
			ZooKeeper zooKeeper = this.first.curator().getZookeeperClient().getZooKeeper();
			try (ZooKeeper other = new ZooKeeper(this.connectString, (int) SESSION_TIMEOUT.toMillis(), (event) -> {
			}, zooKeeper.getSessionId(), zooKeeper.getSessionPasswd())) {
				Awaitility.await().until(() -> other.getState().isConnected());
			}
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Wait until both clients are as good as new.
	 */
	void settle() {
		assertThat(this.first.sessionId()).isNotEqualTo(this.second.sessionId());
		Awaitility.await().untilAsserted(() -> {
			assertThat(this.first.locks().heldLocks() + this.second.locks().heldLocks()).isZero();
			assertThat(this.first.locks().pendingDeletes() + this.second.locks().pendingDeletes()).isZero();
		});
	}

	@Override
	public void close() {
		this.first.close();
		this.second.close();
	}

}
