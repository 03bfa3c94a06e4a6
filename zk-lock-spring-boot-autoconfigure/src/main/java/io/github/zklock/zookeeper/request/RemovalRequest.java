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

import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * A request to delete a node of a directory.
 */
public final class RemovalRequest extends CombinableRequest {

	private final String path;

	private final VoidCallback deleted;

	public RemovalRequest(String directory, String path, VoidCallback deleted) {
		super(directory);
		this.path = path;
		this.deleted = deleted;
	}

	@Override
	int size() {
		return this.path.length();
	}

	@Override
	Op write() {
		return Op.delete(this.path, -1);
	}

	@Override
	public void send(ZooKeeper zooKeeper, Runnable answered) {
		zooKeeper.delete(this.path, -1, (rc, asked, context) -> {
			try {
				this.deleted.processResult(rc, asked, context);
			}
			finally {
				answered.run();
			}
		}, null);
	}

	@Override
	public void fail(int rc) {
		written(rc, null);
	}

	@Override
	void written(int rc, @Nullable OpResult result) {
		this.deleted.processResult(rc, this.path, null);
	}

}
