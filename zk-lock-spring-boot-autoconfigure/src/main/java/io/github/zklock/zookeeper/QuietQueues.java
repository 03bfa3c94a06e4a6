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

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The queues that a session has to itself, as far as it knows. Their directories are
 * watched: one that is deleted begins to count anew. Nothing survives an interruption of
 * the connection.
 */
final class QuietQueues implements Watcher {

	private static final int MOST = 1 << 13;

	private final ZooKeeper zooKeeper;

	private final WatchRemovals removals;

	private final LongSupplier clock;

	private final Map<String, QuietQueue> queues = new ConcurrentHashMap<>();

	// The client watches them after an interruption too, until they are deleted.
	private final Set<String> watched = ConcurrentHashMap.newKeySet();

	private volatile boolean ended;

	QuietQueues(ZooKeeper zooKeeper, WatchRemovals removals, LongSupplier clock) {
		this.zooKeeper = zooKeeper;
		this.removals = removals;
		this.clock = clock;
	}

	/**
	 * Watch no longer what was not used lately.
	 * @param now a reading of the clock
	 */
	void tidy(long now) {
		for (String directory : this.watched) {
			QuietQueue queue = this.queues.get(directory);
			if (queue == null || queue.isUnused(now)) {
				leave(directory);
			}
		}
	}

	/**
	 * Watch nothing any more.
	 */
	void end() {
		this.ended = true;
		this.watched.forEach(this::leave);
	}

	// Who begins again before this is sent is told by the event of the removal.
	private void leave(String directory) {
		this.watched.remove(directory);
		forget(directory);
		this.removals.remove(directory, null);
	}

	/**
	 * A lock was given back. The first one of a key is likely to be the only one, so
	 * nothing is asked for then.
	 * @param node its node
	 * @param quiet whether nobody was before it, nor waits behind it as far as is known
	 */
	void departed(LockNode node, boolean quiet) {
		QuietQueue known = this.queues.get(node.directory());
		if (known == null && quiet && !node.inNewDirectory()) {
			known = begin(node.directory());
		}
		QueueNode left = (known != null) ? QueueNode.ofPath(node.path()) : null;
		if (known != null && left != null) {
			known.departed(left.sequence(), node.transaction(), quiet);
		}
	}

	private @Nullable QuietQueue begin(String directory) {
		if (this.ended || (this.watched.size() >= MOST && !this.watched.contains(directory))) {
			return null;
		}
		QuietQueue created = new QuietQueue(this.clock);
		QuietQueue known = this.queues.putIfAbsent(directory, created);
		if (known == null) {
			watch(directory, created);
		}
		return (known != null) ? known : created;
	}

	/**
	 * Return what to expect of the next node there, if there is reason to.
	 */
	QuietQueue.@Nullable Expectation expect(String directory) {
		QuietQueue known = this.queues.get(directory);
		return (known != null) ? known.expect() : null;
	}

	// Other than exists, it leaves no watch behind on a directory that is gone already.
	private void watch(String directory, QuietQueue queue) {
		this.watched.add(directory);
		if (this.ended) {
			leave(directory);
			return;
		}
		this.zooKeeper.getData(directory, this,
				(int rc, String asked, Object context, byte @Nullable [] data, @Nullable Stat stat) -> {
					if (rc == Code.OK.intValue() && stat != null) {
						queue.watched(stat.getCzxid());
					}
					else {
						this.watched.remove(directory);
						forget(directory);
					}
				}, null);
	}

	@Override
	public void process(WatchedEvent event) {
		if (event.getPath() != null) {
			this.watched.remove(event.getPath());
			forget(event.getPath());
		}
		else if (event.getState() != Event.KeeperState.SyncConnected) {
			this.queues.keySet().forEach(this::forget);
		}
	}

	private void forget(String directory) {
		QuietQueue queue = this.queues.remove(directory);
		if (queue != null) {
			queue.end();
		}
	}

}
