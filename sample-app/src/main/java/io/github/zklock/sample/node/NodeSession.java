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

package io.github.zklock.sample.node;

import java.util.concurrent.CountDownLatch;

import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * The ZooKeeper session of the node, in which all of its locks live.
 *
 * @since 0.1.0
 */
@Component
public class NodeSession {

	private final CuratorFramework client;

	NodeSession(CuratorFramework client) {
		this.client = client;
	}

	/**
	 * Close the session on the server. The client is not notified: it finds out when it
	 * talks to the server the next time.
	 * @param connectString the servers, or {@code null} to reach them as the client does
	 * @throws Exception if ZooKeeper is not available
	 */
	public void end(@Nullable String connectString) throws Exception {
		ZooKeeper victim = this.client.getZookeeperClient().getZooKeeper();
		CountDownLatch connected = new CountDownLatch(1);
		Watcher watcher = (event) -> connected.countDown();
		String servers = (connectString != null) ? connectString
				: this.client.getZookeeperClient().getCurrentConnectionString();
		try (ZooKeeper twin = new ZooKeeper(servers, victim.getSessionTimeout(), watcher, victim.getSessionId(),
				victim.getSessionPasswd())) {
			connected.await();
		}
	}

}
