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

package io.github.zklock.zookeeper.session;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import io.github.zklock.zookeeper.node.QueueNode;
import io.github.zklock.zookeeper.request.WatchRemovals;
import io.github.zklock.zookeeper.tasks.AdaptiveGuess;
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
public final class QuietQueues implements Watcher {

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
	public void departed(LockNode node, boolean quiet) {
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
	public QuietQueue.@Nullable Expectation expect(String directory) {
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

	/**
	 * A queue in which nobody else was before the last node of this client. ZooKeeper
	 * numbers the nodes of a directory without gaps, and deletes do not count: if the
	 * next node of this client has the next number, and the directory is the same, nobody
	 * has come in between, so nobody is before it. That saves the listing.
	 * <p>
	 * Whoever shares a key with others would often have to list the queue after all, a
	 * round trip later. So after each disappointment it takes longer until that is
	 * expected again.
	 */
	public static final class QuietQueue {

		private final LongSupplier clock;

		// Until the directory is watched nothing is known of its past.
		private long directoryCreated = Long.MAX_VALUE;

		private boolean ended;

		// No number comes right after it.
		private long last = -2;

		private long lastCreated;

		private volatile long usedAt;

		private final AdaptiveGuess guess = new AdaptiveGuess();

		/**
		 * Create an instance.
		 * @param clock the clock, in nanoseconds
		 */
		QuietQueue(LongSupplier clock) {
			this.clock = clock;
			this.usedAt = clock.getAsLong();
		}

		/**
		 * The directory is watched from now on.
		 * @param transaction the one that created it
		 */
		synchronized void watched(long transaction) {
			this.directoryCreated = transaction;
		}

		/**
		 * The directory may have been deleted.
		 */
		synchronized void end() {
			this.ended = true;
		}

		/**
		 * A lock was given back.
		 * @param number the number of its node
		 * @param transaction the one that created it
		 * @param quiet whether nobody was before it, nor waits behind it as far as is
		 * known
		 */
		synchronized void departed(long number, long transaction, boolean quiet) {
			this.usedAt = this.clock.getAsLong();
			if (transaction <= this.lastCreated) {
				return;
			}
			this.guess.add(quiet && number == this.last + 1);
			this.last = number;
			this.lastCreated = transaction;
		}

		/**
		 * Return whether no lock was given back for long.
		 * @param now a reading of the clock
		 */
		boolean isUnused(long now) {
			return now - this.usedAt > LockSession.UNUSED;
		}

		/**
		 * Return what to expect of the next node, if there is reason to.
		 */
		synchronized @Nullable Expectation expect() {
			boolean same = !this.ended && this.lastCreated > this.directoryCreated;
			return (same && this.guess.isLikely()) ? new Expectation(this.last + 1) : null;
		}

		private synchronized boolean isMet(long expected, @Nullable QueueNode node) {
			boolean met = node != null && !node.isBeyondLimit() && node.sequence() == expected;
			if (!met) {
				this.guess.disappoint();
			}
			return met && !this.ended;
		}

		/**
		 * That nobody is before the next node.
		 */
		public final class Expectation {

			private final long number;

			private Expectation(long number) {
				this.number = number;
			}

			/**
			 * Return whether it is so. To be asked when the server's answer is taken on
			 * the client's event thread: whatever happened to the directory before was
			 * told before.
			 * @param path the path of the node
			 */
			public boolean isMet(String path) {
				return QuietQueue.this.isMet(this.number, QueueNode.ofPath(path));
			}

		}

	}

}
