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

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.github.zklock.zookeeper.node.ReplyCode;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.WatcherType;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * Gives watches of one session back, at the client and at the server. A removal that the
 * client may do "locally" would be shorter, but if the connection is lost meanwhile, the
 * client of ZooKeeper tells nobody that it is disconnected. So a removal without an
 * answer is repeated when the session is usable.
 */
public final class WatchRemovals {

	private final ZooKeeper zooKeeper;

	private final Queue<Runnable> unanswered = new ConcurrentLinkedQueue<>();

	public WatchRemovals(ZooKeeper zooKeeper) {
		this.zooKeeper = zooKeeper;
	}

	/**
	 * Give the watch back.
	 * @param path the node
	 * @param watcher the watcher; {@code null} for all of them
	 */
	public void remove(String path, @Nullable Watcher watcher) {
		VoidCallback answered = (rc, removed, context) -> {
			if (ReplyCode.of(rc) == ReplyCode.UNKNOWN && rc != Code.NOWATCHER.intValue()) {
				this.unanswered.add(() -> remove(path, watcher));
			}
		};
		if (watcher == null) {
			this.zooKeeper.removeAllWatches(path, WatcherType.Data, false, answered, null);
		}
		else {
			this.zooKeeper.removeWatches(path, watcher, WatcherType.Data, false, answered, null);
		}
	}

	/**
	 * Send again what was not answered.
	 */
	public void repeat() {
		for (int i = this.unanswered.size(); i > 0; i--) {
			Runnable removal = this.unanswered.poll();
			if (removal != null) {
				removal.run();
			}
		}
	}

}
