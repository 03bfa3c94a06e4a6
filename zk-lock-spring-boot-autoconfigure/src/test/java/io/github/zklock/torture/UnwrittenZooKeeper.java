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

/**
 * A client that sends no heartbeat but a read, and says that it was written.
 */
final class UnwrittenZooKeeper extends ZooKeeper {

	private static final String SESSIONS = "/~sessions/";

	UnwrittenZooKeeper(String connectString, int sessionTimeout, Watcher watcher) throws IOException {
		super(connectString, sessionTimeout, watcher);
	}

	@Override
	public void setData(String path, byte[] data, int version, StatCallback callback, Object context) {
		if (path.contains(SESSIONS)) {
			exists("/", false, callback, context);
		}
		else {
			super.setData(path, data, version, callback, context);
		}
	}

	@Override
	public void create(String path, byte[] data, List<ACL> acl, CreateMode mode, Create2Callback callback,
			Object context) {
		if (path.contains(SESSIONS)) {
			exists("/", false, (rc, asked, same, stat) -> callback.processResult(rc, path, context, path, stat), null);
		}
		else {
			super.create(path, data, acl, mode, callback, context);
		}
	}

}
