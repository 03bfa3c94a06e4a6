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

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/**
 * A node is created and deleted, one after the other; no contender is kept out.
 */
final class RawContender implements Contender {

	private final Map<String, String> parents = new ConcurrentHashMap<>();

	private final ZooKeeper zooKeeper;

	RawContender(CuratorFramework client) {
		try {
			this.zooKeeper = client.getZookeeperClient().getZooKeeper();
			create("/raw", CreateMode.PERSISTENT);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public Held lock(String key) throws Exception {
		String parent = this.parents.get(key);
		if (parent == null) {
			parent = "/raw/" + key;
			create(parent, CreateMode.CONTAINER);
			this.parents.put(key, parent);
		}
		String path = this.zooKeeper.create(parent + "/n-", new byte[0], Ids.OPEN_ACL_UNSAFE,
				CreateMode.EPHEMERAL_SEQUENTIAL);
		return () -> this.zooKeeper.delete(path, -1);
	}

	private void create(String path, CreateMode mode) throws Exception {
		try {
			this.zooKeeper.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, mode);
		}
		catch (NodeExistsException ex) {
			// Another contender was first.
		}
	}

}
