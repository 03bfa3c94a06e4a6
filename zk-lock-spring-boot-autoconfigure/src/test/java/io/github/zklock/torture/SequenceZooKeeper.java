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
import java.util.List;

import org.apache.zookeeper.AsyncCallback.Create2Callback;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/**
 * A client that finds in every node the number in its name where the id of the
 * transaction that created it should be.
 */
final class SequenceZooKeeper extends ZooKeeper {

	private static final int DIGITS = 10;

	SequenceZooKeeper(String connectString, int sessionTimeout, Watcher watcher) throws IOException {
		super(connectString, sessionTimeout, watcher);
	}

	@Override
	public void create(String path, byte[] data, List<ACL> acl, CreateMode mode, Create2Callback callback,
			Object context) {
		super.create(path, data, acl, mode, (int rc, String asked, Object same, String created, Stat stat) -> {
			replace(stat, created);
			callback.processResult(rc, asked, same, created, stat);
		}, context);
	}

	@Override
	public void exists(String path, boolean watch, StatCallback callback, Object context) {
		super.exists(path, watch, (rc, asked, same, stat) -> {
			replace(stat, asked);
			callback.processResult(rc, asked, same, stat);
		}, context);
	}

	private static void replace(Stat stat, String path) {
		if (stat != null && path != null && path.matches(".*-lock-\\d{10}|.*__\\d{10}")) {
			stat.setCzxid(1 + Long.parseLong(path.substring(path.length() - DIGITS)));
		}
	}

}
