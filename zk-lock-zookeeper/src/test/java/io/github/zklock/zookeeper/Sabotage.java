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

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Op.OpKind;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;

/**
 * Errors of the JVM and exceptions at the border between the locks and ZooKeeper's
 * client, which is real otherwise: before a request is sent, or after.
 */
final class Sabotage {

	private volatile Request request = Request.NONE;

	private volatile boolean after;

	private volatile Supplier<? extends Throwable> error = Error::new;

	private final AtomicInteger left = new AtomicInteger();

	private final AtomicInteger thrown = new AtomicInteger();

	/**
	 * Throw an error with the next requests of a kind.
	 * @param request the kind
	 * @param after whether they are sent nevertheless
	 * @param times how many of them
	 * @param error makes the error, or an unchecked exception
	 */
	void arm(Request request, boolean after, int times, Supplier<? extends Throwable> error) {
		this.request = request;
		this.after = after;
		this.error = error;
		this.left.set(times);
	}

	void disarm() {
		this.left.set(0);
	}

	int thrown() {
		return this.thrown.get();
	}

	CuratorFramework client(String connectString, int sessionTimeoutMs) {
		CuratorFramework curator = CuratorFrameworkFactory.builder()
			.connectString(connectString)
			.sessionTimeoutMs(sessionTimeoutMs)
			.connectionTimeoutMs(3000)
			.retryPolicy(new ExponentialBackoffRetry(50, 5))
			.zookeeperFactory(new Clients())
			.build();
		curator.start();
		return curator;
	}

	private void around(Request kind, Runnable send) {
		boolean fails = kind == this.request && this.left.getAndUpdate((count) -> Math.max(count - 1, 0)) > 0;
		if (!fails || this.after) {
			send.run();
		}
		if (fails) {
			this.thrown.incrementAndGet();
			throwUnchecked(this.error.get());
		}
	}

	private static void throwUnchecked(Throwable error) {
		if (error instanceof RuntimeException exception) {
			throw exception;
		}
		throw (Error) error;
	}

	/**
	 * A kind of request.
	 */
	enum Request {

		NONE, CREATE, DELETE, LIST, GET_DATA, EXISTS, SYNC, MULTI, MULTI_READ, SET_DATA

	}

	private final class Clients implements ZookeeperFactory {

		@Override
		public ZooKeeper newZooKeeper(String connectString, int sessionTimeout, Watcher watcher, boolean canBeReadOnly)
				throws Exception {
			return new Client(connectString, sessionTimeout, watcher, new ZKClientConfig());
		}

		@Override
		public ZooKeeper newZooKeeper(String connectString, int sessionTimeout, Watcher watcher, boolean canBeReadOnly,
				ZKClientConfig config) throws Exception {
			return new Client(connectString, sessionTimeout, watcher, config);
		}

	}

	private final class Client extends ZooKeeper {

		Client(String connectString, int sessionTimeout, Watcher watcher, ZKClientConfig config) throws IOException {
			super(connectString, sessionTimeout, watcher, false, config);
		}

		@Override
		public void create(String path, byte[] data, List<ACL> acl, CreateMode mode,
				AsyncCallback.Create2Callback callback, Object context) {
			around(Request.CREATE, () -> super.create(path, data, acl, mode, callback, context));
		}

		@Override
		public void create(String path, byte[] data, List<ACL> acl, CreateMode mode,
				AsyncCallback.StringCallback callback, Object context) {
			around(Request.CREATE, () -> super.create(path, data, acl, mode, callback, context));
		}

		@Override
		public void delete(String path, int version, AsyncCallback.VoidCallback callback, Object context) {
			around(Request.DELETE, () -> super.delete(path, version, callback, context));
		}

		@Override
		public void getChildren(String path, Watcher watcher, AsyncCallback.ChildrenCallback callback, Object context) {
			around(Request.LIST, () -> super.getChildren(path, watcher, callback, context));
		}

		@Override
		public void getData(String path, Watcher watcher, AsyncCallback.DataCallback callback, Object context) {
			around(Request.GET_DATA, () -> super.getData(path, watcher, callback, context));
		}

		@Override
		public void exists(String path, Watcher watcher, AsyncCallback.StatCallback callback, Object context) {
			around(Request.EXISTS, () -> super.exists(path, watcher, callback, context));
		}

		@Override
		public void sync(String path, AsyncCallback.VoidCallback callback, Object context) {
			around(Request.SYNC, () -> super.sync(path, callback, context));
		}

		@Override
		public void multi(Iterable<Op> operations, AsyncCallback.MultiCallback callback, Object context) {
			Request kind = (operations.iterator().next().getKind() == OpKind.READ) ? Request.MULTI_READ : Request.MULTI;
			around(kind, () -> super.multi(operations, callback, context));
		}

		@Override
		public void setData(String path, byte[] data, int version, AsyncCallback.StatCallback callback,
				Object context) {
			around(Request.SET_DATA, () -> super.setData(path, data, version, callback, context));
		}

	}

}
