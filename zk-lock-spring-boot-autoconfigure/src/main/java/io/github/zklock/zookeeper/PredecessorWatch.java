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

import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * A contender's watch on the one node that must go before it.
 */
final class PredecessorWatch implements Watcher {

	private final LockSession session;

	private final QueueContender contender;

	private @Nullable String path;

	PredecessorWatch(LockSession session, QueueContender contender) {
		this.session = session;
		this.contender = contender;
	}

	/**
	 * Watch a node. The request is getData because exists would leave a watch behind on a
	 * node that is gone already.
	 */
	void arm(String node) {
		this.path = node;
		this.session.zooKeeper()
			.getData(node, this,
					(int rc, String read, Object context, byte @Nullable [] data, @Nullable Stat stat) -> replied(rc),
					null);
	}

	/**
	 * Look whether the node is still there.
	 */
	void check() {
		if (this.path != null && this.session.isUsable()) {
			this.session.zooKeeper()
				.exists(this.path, false, (int rc, String checked, Object context, @Nullable Stat stat) -> replied(rc),
						null);
		}
	}

	void disarm() {
		if (this.path != null && this.session.isUsable()) {
			this.session.zooKeeper().removeWatches(this.path, this, WatcherType.Data, true, (rc, removed, context) -> {
			}, null);
		}
		this.path = null;
	}

	@Override
	public void process(WatchedEvent event) {
		switch (event.getType()) {
			case NodeDeleted, NodeDataChanged -> this.contender.reply(this::fired);
			default -> {
			}
		}
	}

	private void fired() {
		this.path = null;
		this.contender.list();
	}

	private void replied(int rc) {
		this.contender.reply(() -> this.contender.onReply(rc, this.contender::list, () -> {
		}));
	}

}
