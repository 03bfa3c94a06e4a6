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
import java.util.function.IntConsumer;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.CreateOptions;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * A request to create the directory of a key.
 */
public final class DirectoryRequest extends CombinableRequest {

	private static final int OVERHEAD = 128;

	private final byte[] data;

	private final List<ACL> acl;

	private final IntConsumer created;

	/**
	 * Create a request.
	 * @param created is given the code that it is answered by
	 */
	public DirectoryRequest(String directory, byte[] data, List<ACL> acl, IntConsumer created) {
		super(directory);
		this.data = data;
		this.acl = acl;
		this.created = created;
		// The server refuses it.
		if (acl.isEmpty()) {
			alone();
		}
	}

	@Override
	int size() {
		return directory().length() + this.data.length + OVERHEAD * (1 + this.acl.size());
	}

	@Override
	boolean isWrite() {
		return true;
	}

	@Override
	Op write() {
		return Op.create(directory(), this.data, CreateOptions.newBuilder(this.acl, CreateMode.CONTAINER).build());
	}

	@Override
	public void send(ZooKeeper zooKeeper, Runnable answered) {
		zooKeeper.create(directory(), this.data, this.acl, CreateMode.CONTAINER,
				(int rc, String asked, Object context, @Nullable String path, @Nullable Stat stat) -> {
					try {
						this.created.accept(rc);
					}
					finally {
						answered.run();
					}
				}, null);
	}

	@Override
	public void fail(int rc) {
		this.created.accept(rc);
	}

	@Override
	void written(int rc, @Nullable OpResult result) {
		this.created.accept(rc);
	}

}
