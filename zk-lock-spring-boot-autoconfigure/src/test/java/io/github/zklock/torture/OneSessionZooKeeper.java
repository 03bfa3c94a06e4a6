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

import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.AsyncCallback.ChildrenCallback;
import org.apache.zookeeper.AsyncCallback.Create2Callback;
import org.apache.zookeeper.AsyncCallback.DataCallback;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Testable;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/**
 * A client that never tells that its session was followed by another one: it stays the
 * same handle with the same id, so that whoever compares them sees no difference.
 */
final class OneSessionZooKeeper extends ZooKeeper {

	private volatile ZooKeeper successor;

	private OneSessionZooKeeper(String connectString, int sessionTimeout, Watcher watcher) throws IOException {
		super(connectString, sessionTimeout, watcher);
	}

	@Override
	public States getState() {
		ZooKeeper next = this.successor;
		if (next != null) {
			return next.getState();
		}
		// A session that has ended looks like a connection that may come back.
		return super.getState().isAlive() ? super.getState() : States.CONNECTING;
	}

	@Override
	public Testable getTestable() {
		ZooKeeper next = this.successor;
		return (next != null) ? next.getTestable() : super.getTestable();
	}

	@Override
	public void create(String path, byte[] data, List<ACL> acl, CreateMode mode, Create2Callback callback,
			Object context) {
		ZooKeeper next = this.successor;
		if (next != null) {
			next.create(path, data, acl, mode, callback, context);
		}
		else {
			super.create(path, data, acl, mode, hidden(callback), context);
		}
	}

	@Override
	public void getChildren(String path, boolean watch, ChildrenCallback callback, Object context) {
		ZooKeeper next = this.successor;
		if (next != null) {
			next.getChildren(path, watch, callback, context);
		}
		else {
			super.getChildren(path, watch,
					(rc, asked, same, children) -> callback.processResult(hidden(rc), asked, same, children), context);
		}
	}

	@Override
	public void exists(String path, boolean watch, StatCallback callback, Object context) {
		ZooKeeper next = this.successor;
		if (next != null) {
			next.exists(path, watch, callback, context);
		}
		else {
			super.exists(path, watch, (rc, asked, same, stat) -> callback.processResult(hidden(rc), asked, same, stat),
					context);
		}
	}

	@Override
	public void getData(String path, Watcher watcher, DataCallback callback, Object context) {
		ZooKeeper next = this.successor;
		if (next != null) {
			next.getData(path, watcher, callback, context);
		}
		else {
			super.getData(path, watcher, (int rc, String asked, Object same, byte[] data, Stat stat) -> callback
				.processResult(hidden(rc), asked, same, data, stat), context);
		}
	}

	@Override
	public void setData(String path, byte[] data, int version, StatCallback callback, Object context) {
		ZooKeeper next = this.successor;
		if (next != null) {
			next.setData(path, data, version, callback, context);
		}
		else {
			super.setData(path, data, version,
					(rc, asked, same, stat) -> callback.processResult(hidden(rc), asked, same, stat), context);
		}
	}

	@Override
	public void delete(String path, int version, VoidCallback callback, Object context) {
		ZooKeeper next = this.successor;
		if (next != null) {
			next.delete(path, version, callback, context);
		}
		else {
			super.delete(path, version, hidden(callback), context);
		}
	}

	@Override
	public void sync(String path, VoidCallback callback, Object context) {
		ZooKeeper next = this.successor;
		if (next != null) {
			next.sync(path, callback, context);
		}
		else {
			super.sync(path, hidden(callback), context);
		}
	}

	private static Create2Callback hidden(Create2Callback callback) {
		return (int rc, String asked, Object same, String created, Stat stat) -> callback.processResult(hidden(rc),
				asked, same, created, stat);
	}

	private static VoidCallback hidden(VoidCallback callback) {
		return (rc, asked, same) -> callback.processResult(hidden(rc), asked, same);
	}

	private static int hidden(int rc) {
		return (Code.get(rc) == Code.SESSIONEXPIRED) ? Code.CONNECTIONLOSS.intValue() : rc;
	}

	/**
	 * Gives Curator its first client again each time it asks for a new one.
	 */
	static final class Factory implements ZookeeperFactory {

		private OneSessionZooKeeper first;

		@Override
		public synchronized ZooKeeper newZooKeeper(String connectString, int sessionTimeout, Watcher watcher,
				boolean readOnly) throws Exception {
			if (this.first == null) {
				this.first = new OneSessionZooKeeper(connectString, sessionTimeout, watcher);
			}
			else {
				this.first.successor = new ZooKeeper(connectString, sessionTimeout, watcher);
			}
			return this.first;
		}

	}

}
