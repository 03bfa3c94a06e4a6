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
 * The watches of one session on nodes that others wait for, and how they are given back,
 * at the client and at the server. A removal that the client may do "locally" would be
 * shorter, but if the connection is lost meanwhile, the client of ZooKeeper tells nobody
 * that it is disconnected. So a removal without an answer is repeated when the session is
 * usable.
 */
public final class NodeWatches {

	private final ZooKeeper zooKeeper;

	// How many wait for a node, and are told by a watch when it goes.
	private final Map<String, Integer> watching = new ConcurrentHashMap<>();

	private final Queue<Runnable> unanswered = new ConcurrentLinkedQueue<>();

	public NodeWatches(ZooKeeper zooKeeper) {
		this.zooKeeper = zooKeeper;
	}

	/**
	 * Count one more that watches a node.
	 */
	public void begin(String path) {
		this.watching.merge(path, 1, Integer::sum);
	}

	/**
	 * Count one less, whose watch is used up.
	 * @return whether there is no other any more
	 */
	public boolean end(String path) {
		return this.watching.computeIfPresent(path, (node, count) -> (count > 1) ? count - 1 : null) == null;
	}

	/**
	 * Count one less, and give its watch back. The server forgets a watch only together
	 * with all of this client on that node, so the last one sees to that. Others of this
	 * library, which may be of another provider or come right then, are told and watch
	 * again; one of somebody else, which can only be on a foreign node, might not be.
	 */
	public void remove(String path, Watcher watcher) {
		boolean last = end(path);
		boolean all = last && ContenderNames.isContender(path.substring(path.lastIndexOf('/') + 1));
		send(path, all ? null : watcher);
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
