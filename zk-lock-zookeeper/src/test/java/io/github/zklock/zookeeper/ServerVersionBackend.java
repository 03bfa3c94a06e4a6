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

import java.util.List;

import io.github.zklock.support.ServerProcess;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.awaitility.Awaitility;

/**
 * Two clients of a server in a process of its own, of which only a client can ask.
 */
final class ServerVersionBackend extends ZooKeeperBackend {

	private final String connectString;

	ServerVersionBackend(ServerProcess server) {
		super(null, server.connectString(), (builder) -> builder.serverTick(ServerProcess.TICK));
		this.connectString = server.connectString();
	}

	@Override
	List<String> children(String directory) {
		try {
			return this.second.curator().getChildren().forPath(directory);
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

}
