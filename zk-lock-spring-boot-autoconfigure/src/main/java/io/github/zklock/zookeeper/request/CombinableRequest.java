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

package io.github.zklock.zookeeper.request;

import java.util.List;

import org.apache.zookeeper.AsyncCallback.ChildrenCallback;
import org.apache.zookeeper.AsyncCallback.Create2Callback;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.CreateOptions;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.CreateResult;
import org.apache.zookeeper.OpResult.GetChildrenResult;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * A request for one directory, which goes out alone or together with others, and learns
 * the same from either answer: a write, a listing, or a write and a listing behind it.
 */
public final class CombinableRequest {

	private static final int NAME_OVERHEAD = 8;

	private final String directory;

	private final @Nullable Write write;

	private final @Nullable ChildrenCallback listed;

	private volatile int answerSize;

	private CombinableRequest(String directory, @Nullable Write write, @Nullable ChildrenCallback listed) {
		this.directory = directory;
		this.write = write;
		this.listed = listed;
	}

	/**
	 * Return a request for a place in the queue of a directory: the creation of an
	 * ephemeral sequential node, and the names of all nodes right after it.
	 * @param sending is run right before the creation is sent
	 * @param created is given the path of the node and, if the server has told it, its
	 * stat: for a client that is confined to a part of the tree, not after a transaction
	 * @param listed is given the names, unless the node was not created
	 */
	public static CombinableRequest entry(String directory, String prefix, byte[] data, List<ACL> acl, Runnable sending,
			Create2Callback created, ChildrenCallback listed) {
		return new CombinableRequest(directory, new Creation(directory, prefix, data, acl, sending, created), listed);
	}

	/**
	 * Return a request for the names of all nodes of a directory.
	 */
	public static CombinableRequest listing(String directory, ChildrenCallback listed) {
		return new CombinableRequest(directory, null, listed);
	}

	/**
	 * Return a request to delete a node of a directory.
	 */
	public static CombinableRequest removal(String directory, String path, VoidCallback deleted) {
		return new CombinableRequest(directory, new Deletion(path, deleted), null);
	}

	String directory() {
		return this.directory;
	}

	/**
	 * Return about how many bytes it adds to a packet.
	 */
	int size() {
		return (this.write != null) ? this.write.size() : this.directory.length();
	}

	/**
	 * Return about how many bytes its listing had, once it has come.
	 */
	int answerSize() {
		return this.answerSize;
	}

	/**
	 * Return whether it creates a place in a queue, and reads only if it has.
	 */
	boolean isEntry() {
		return this.write instanceof Creation;
	}

	/**
	 * Return what it writes, as a part of a transaction.
	 */
	@Nullable Op write() {
		return (this.write != null) ? this.write.operation() : null;
	}

	/**
	 * Return what it reads once it has written.
	 */
	@Nullable Op read() {
		return (this.listed != null) ? Op.getChildren(this.directory) : null;
	}

	/**
	 * Send it in packets of its own.
	 * @param answered runs when there is nothing more to be answered
	 */
	void send(ZooKeeper zooKeeper, Runnable answered) {
		if (this.write != null) {
			this.write.send(zooKeeper, (this.listed != null) ? () -> {
			} : answered);
		}
		if (this.listed != null) {
			sendRead(zooKeeper, answered);
		}
	}

	/**
	 * Send what it reads in a packet of its own.
	 * @param answered runs when that is answered
	 */
	void sendRead(ZooKeeper zooKeeper, Runnable answered) {
		zooKeeper.getChildren(this.directory, false,
				(int rc, String asked, Object context, @Nullable List<String> children) -> {
					try {
						listed(rc, children);
					}
					finally {
						answered.run();
					}
				}, null);
	}

	/**
	 * The request cannot be sent.
	 */
	void fail(int rc) {
		if (this.write != null) {
			this.write.answered(rc, null);
		}
		else {
			listed(rc, null);
		}
	}

	/**
	 * The write is answered.
	 * @param rc the code that it would have been answered by alone
	 * @param result the result if there is one
	 */
	void written(int rc, @Nullable OpResult result) {
		if (this.write != null) {
			this.write.answered(rc, result);
		}
	}

	/**
	 * The listing is answered.
	 * @param rc the code that it would have been answered by alone
	 * @param result the result if there is one
	 */
	void read(int rc, @Nullable OpResult result) {
		listed(rc, (result instanceof GetChildrenResult found) ? found.getChildren() : null);
	}

	// All names in a directory are about as long as the first one.
	private void listed(int rc, @Nullable List<String> children) {
		if (children != null && !children.isEmpty()) {
			this.answerSize = children.size() * (children.get(0).length() + NAME_OVERHEAD);
		}
		if (this.listed != null) {
			this.listed.processResult(rc, this.directory, null, children);
		}
	}

	private interface Write {

		int size();

		Op operation();

		void send(ZooKeeper zooKeeper, Runnable answered);

		void answered(int rc, @Nullable OpResult result);

	}

	private record Creation(String directory, String prefix, byte[] data, List<ACL> acl, Runnable sending,
			Create2Callback created) implements Write {

		private static final int OVERHEAD = 128;

		@Override
		public int size() {
			return this.prefix.length() + this.data.length + OVERHEAD * (1 + this.acl.size());
		}

		@Override
		public Op operation() {
			this.sending.run();
			return Op.create(this.prefix, this.data,
					CreateOptions.newBuilder(this.acl, CreateMode.EPHEMERAL_SEQUENTIAL).build());
		}

		@Override
		public void send(ZooKeeper zooKeeper, Runnable answered) {
			this.sending.run();
			zooKeeper.create(this.prefix, this.data, this.acl, CreateMode.EPHEMERAL_SEQUENTIAL, this.created, null);
		}

		// The client leaves the start of the path that it was confined to in the results
		// of a transaction, and in no others.
		@Override
		public void answered(int rc, @Nullable OpResult result) {
			if (result instanceof CreateResult done) {
				String name = done.getPath().substring(done.getPath().lastIndexOf('/'));
				this.created.processResult(rc, this.prefix, null, this.directory + name, done.getStat());
			}
			else {
				this.created.processResult(rc, this.prefix, null, null, null);
			}
		}

	}

	private record Deletion(String path, VoidCallback deleted) implements Write {

		@Override
		public int size() {
			return this.path.length();
		}

		@Override
		public Op operation() {
			return Op.delete(this.path, -1);
		}

		@Override
		public void send(ZooKeeper zooKeeper, Runnable answered) {
			zooKeeper.delete(this.path, -1, (rc, asked, context) -> {
				try {
					answered(rc, null);
				}
				finally {
					answered.run();
				}
			}, null);
		}

		@Override
		public void answered(int rc, @Nullable OpResult result) {
			this.deleted.processResult(rc, this.path, null);
		}

	}

}
