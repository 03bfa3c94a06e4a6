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
 * A request for one directory, which has the same results whether it is sent alone or
 * with others. It is a write, a listing, or a write and a listing behind it.
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
	 * Return a request for a place in the queue of a directory. It creates an ephemeral
	 * sequential node, and reads the names of all nodes right after it.
	 * @param created takes the path of the node and its stat, which a client with a
	 * chroot does not get from a transaction
	 * @param listed takes the names, unless the node was not created
	 */
	public static CombinableRequest entry(String directory, String prefix, byte[] data, List<ACL> acl,
			Create2Callback created, ChildrenCallback listed) {
		return new CombinableRequest(directory, new Creation(directory, prefix, data, acl, created), listed);
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
	 * Return about how many bytes the request adds to a packet.
	 */
	int size() {
		return (this.write != null) ? this.write.size() : this.directory.length();
	}

	/**
	 * Return about how many bytes the answered listing had.
	 */
	int answerSize() {
		return this.answerSize;
	}

	/**
	 * Return whether the request creates a node, and lists only if it has.
	 */
	boolean isEntry() {
		return this.write instanceof Creation;
	}

	/**
	 * Return the write as an operation of a transaction.
	 */
	@Nullable Op write() {
		return (this.write != null) ? this.write.operation() : null;
	}

	/**
	 * Return the listing as an operation.
	 */
	@Nullable Op listing() {
		return (this.listed != null) ? Op.getChildren(this.directory) : null;
	}

	/**
	 * Send the request in packets of its own.
	 * @param answered runs when everything is answered
	 */
	void send(ZooKeeper zooKeeper, Runnable answered) {
		if (this.write != null) {
			this.write.send(zooKeeper, (this.listed != null) ? () -> {
			} : answered);
		}
		if (this.listed != null) {
			zooKeeper.getChildren(this.directory, false,
					(int rc, String asked, Object context, @Nullable List<String> children) -> {
						try {
							onListing(rc, children);
						}
						finally {
							answered.run();
						}
					}, null);
		}
	}

	/**
	 * Fail the request. Called when it cannot be sent.
	 */
	void fail(int rc) {
		if (this.write != null) {
			this.write.onReply(rc, null);
		}
		else {
			onListing(rc, null);
		}
	}

	/**
	 * Take the answer to the write.
	 * @param rc the code as if it was sent alone
	 * @param result the result if there is one
	 */
	void onWriteReply(int rc, @Nullable OpResult result) {
		if (this.write != null) {
			this.write.onReply(rc, result);
		}
	}

	/**
	 * Take the answer to the listing.
	 * @param rc the code as if it was sent alone
	 * @param result the result if there is one
	 */
	void onListingReply(int rc, @Nullable OpResult result) {
		onListing(rc, (result instanceof GetChildrenResult found) ? found.getChildren() : null);
	}

	private void onListing(int rc, @Nullable List<String> children) {
		if (children != null) {
			int size = 0;
			for (String child : children) {
				size += child.length() + NAME_OVERHEAD;
			}
			this.answerSize = size;
		}
		if (this.listed != null) {
			this.listed.processResult(rc, this.directory, null, children);
		}
	}

	private interface Write {

		int size();

		Op operation();

		void send(ZooKeeper zooKeeper, Runnable answered);

		void onReply(int rc, @Nullable OpResult result);

	}

	private record Creation(String directory, String prefix, byte[] data, List<ACL> acl,
			Create2Callback created) implements Write {

		private static final int OVERHEAD = 128;

		@Override
		public int size() {
			return this.prefix.length() + this.data.length + OVERHEAD * (1 + this.acl.size());
		}

		@Override
		public Op operation() {
			return Op.create(this.prefix, this.data,
					CreateOptions.newBuilder(this.acl, CreateMode.EPHEMERAL_SEQUENTIAL).build());
		}

		@Override
		public void send(ZooKeeper zooKeeper, Runnable answered) {
			zooKeeper.create(this.prefix, this.data, this.acl, CreateMode.EPHEMERAL_SEQUENTIAL, this.created, null);
		}

		// Only the results of a transaction include the chroot of the client.
		@Override
		public void onReply(int rc, @Nullable OpResult result) {
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
					onReply(rc, null);
				}
				finally {
					answered.run();
				}
			}, null);
		}

		@Override
		public void onReply(int rc, @Nullable OpResult result) {
			this.deleted.processResult(rc, this.path, null);
		}

	}

}
