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

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.github.zklock.zookeeper.node.ContenderNames;
import io.github.zklock.zookeeper.node.ReplyCode;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.WatcherType;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * The watches of one session, and how they are removed at the client and at the server. A
 * "local" removal of ZooKeeper's client is not used: if the connection is lost meanwhile,
 * the client does not report the disconnect. So a removal without an answer is repeated
 * when the session is usable.
 */
public final class NodeWatches {

	private final ZooKeeper zooKeeper;

	// The number of contenders that watch a node.
	private final Map<String, Integer> watching = new ConcurrentHashMap<>();

	private final Queue<Runnable> unanswered = new ConcurrentLinkedQueue<>();

	public NodeWatches(ZooKeeper zooKeeper) {
		this.zooKeeper = zooKeeper;
	}

	/**
	 * Count a watch on a node.
	 */
	public void count(String path) {
		this.watching.merge(path, 1, Integer::sum);
	}

	/**
	 * Remove a watch from the count when it has fired.
	 * @return whether it was the last one
	 */
	public boolean uncount(String path) {
		return this.watching.computeIfPresent(path, (node, count) -> (count > 1) ? count - 1 : null) == null;
	}

	/**
	 * Remove a watch. The server forgets a watch only together with all others of this
	 * client on the node, so the last contender removes all. Other watchers of this
	 * library are notified and watch again, including the watchers of another provider.
	 * Foreign code might not, so on a foreign node only this watch is removed.
	 */
	public void remove(String path, Watcher watcher) {
		boolean last = uncount(path);
		send(path, (last && isOurs(path)) ? null : watcher);
	}

	/** Remove all watches on nodes of this library. Foreign code may watch the others. */
	public void removeAll() {
		this.watching.keySet().forEach((path) -> {
			if (this.watching.remove(path) != null && isOurs(path)) {
				send(path, null);
			}
		});
	}

	private static boolean isOurs(String path) {
		return ContenderNames.isContender(path.substring(path.lastIndexOf('/') + 1));
	}

	private void send(String path, @Nullable Watcher watcher) {
		VoidCallback answered = (rc, removed, context) -> {
			if (ReplyCode.of(rc) == ReplyCode.UNKNOWN && rc != Code.NOWATCHER.intValue()) {
				this.unanswered.add(() -> send(path, watcher));
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
	 * Send unanswered removals again.
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
