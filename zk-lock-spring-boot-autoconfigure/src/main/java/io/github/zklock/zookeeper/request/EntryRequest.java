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
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.CreateOptions;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.CreateResult;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * A request for a place in the queue of a directory: the creation of an ephemeral
 * sequential node, and the names of all nodes right after it.
 */
public final class EntryRequest extends ListRequest {

	private static final int OVERHEAD = 128;

	private final String prefix;

	private final byte[] data;

	private final List<ACL> acl;

	private final Create2Callback created;

	private final Runnable sending;

	/**
	 * Create a request.
	 * @param sending is run right before the creation is sent
	 * @param created is given the path of the node and, if the server has told it, its
	 * stat: for a client that is confined to a part of the tree, not after a transaction
	 * @param listed is given the names, unless the node was not created
	 */
	public EntryRequest(String directory, String prefix, byte[] data, List<ACL> acl, Runnable sending,
			Create2Callback created, ChildrenCallback listed) {
		super(directory, listed);
		this.prefix = prefix;
		this.data = data;
		this.acl = acl;
		this.sending = sending;
		this.created = created;
	}

	@Override
	int size() {
		return this.prefix.length() + this.data.length + OVERHEAD * (1 + this.acl.size());
	}

	@Override
	boolean isEntry() {
		return true;
	}

	@Override
	Op write() {
		this.sending.run();
		return Op.create(this.prefix, this.data,
				CreateOptions.newBuilder(this.acl, CreateMode.EPHEMERAL_SEQUENTIAL).build());
	}

	@Override
	public void send(ZooKeeper zooKeeper, Runnable answered) {
		this.sending.run();
		zooKeeper.create(this.prefix, this.data, this.acl, CreateMode.EPHEMERAL_SEQUENTIAL, this.created, null);
		sendRead(zooKeeper, answered);
	}

	@Override
	public void fail(int rc) {
		written(rc, null);
	}

	// The client leaves the start of the path that it was confined to in the results of a
	// transaction, and in no others.
	@Override
	void written(int rc, @Nullable OpResult result) {
		if (result instanceof CreateResult done) {
			String name = done.getPath().substring(done.getPath().lastIndexOf('/'));
			this.created.processResult(rc, this.prefix, null, directory() + name, done.getStat());
		}
		else {
			this.created.processResult(rc, this.prefix, null, null, null);
		}
	}

}
