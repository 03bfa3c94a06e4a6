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
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.GetChildrenResult;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * A request for the names of all nodes of a directory.
 */
public class ListRequest extends CombinableRequest {

	private static final int OVERHEAD = 8;

	private final ChildrenCallback listed;

	private volatile int answerSize;

	public ListRequest(String directory, ChildrenCallback listed) {
		super(directory);
		this.listed = listed;
	}

	@Override
	@Nullable Op read() {
		return Op.getChildren(directory());
	}

	@Override
	public void send(ZooKeeper zooKeeper, Runnable answered) {
		sendRead(zooKeeper, answered);
	}

	@Override
	final void sendRead(ZooKeeper zooKeeper, Runnable answered) {
		zooKeeper.getChildren(directory(), false,
				(int rc, String asked, Object context, @Nullable List<String> children) -> {
					try {
						take(rc, children);
					}
					finally {
						answered.run();
					}
				}, null);
	}

	@Override
	final void read(int rc, @Nullable OpResult result) {
		take(rc, (result instanceof GetChildrenResult found) ? found.getChildren() : null);
	}

	@Override
	public void fail(int rc) {
		take(rc, null);
	}

	@Override
	final int answerSize() {
		return this.answerSize;
	}

	// All names in a directory are about as long as the first one.
	private void take(int rc, @Nullable List<String> children) {
		if (children != null && !children.isEmpty()) {
			this.answerSize = children.size() * (children.get(0).length() + OVERHEAD);
		}
		this.listed.processResult(rc, directory(), null, children);
	}

}
