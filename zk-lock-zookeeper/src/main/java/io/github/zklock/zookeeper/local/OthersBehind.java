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

package io.github.zklock.zookeeper.local;

import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.zklock.zookeeper.node.QueueListing;
import io.github.zklock.zookeeper.queue.QueueMutex;
import io.github.zklock.zookeeper.session.LockNode;
import io.github.zklock.zookeeper.session.LockSession;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * What is known of other contenders behind a node that is first in its queue. They are of
 * other processes, or of other queues of this one. Guarded by the mutex of the local
 * queue.
 */
final class OthersBehind implements Watcher {

	// Then the queue is listed again, since an event may be lost.
	private static final long OLDEST_LISTING = TimeUnit.SECONDS.toNanos(1);

	private final LockNode node;

	private final QueueMutex mutex;

	private Runnable onChange = () -> {
	};

	private Knowledge known = Knowledge.NOTHING;

	private boolean listing;

	private long listingSentAt;

	private boolean nodeIsGone;

	private long since;

	OthersBehind(LockNode node, boolean waiting, QueueMutex mutex) {
		this.node = node;
		this.mutex = mutex;
		if (waiting) {
			assumeWaiting();
		}
	}

	boolean areWaiting() {
		return this.known == Knowledge.OTHERS_WAIT;
	}

	/** Return since when others wait, by the clock of the engine. */
	long since() {
		return this.since;
	}

	/** Return whether it is known if others wait. */
	boolean isKnown() {
		return this.known != Knowledge.NOTHING;
	}

	boolean isListing() {
		return this.listing;
	}

	/** Return whether a listing has shown that the node itself is gone. */
	boolean isNodeGone() {
		return this.nodeIsGone;
	}

	/** Return whether the last empty listing is so old that an event may be lost. */
	boolean isListingOld() {
		return this.known == Knowledge.NONE_WAITED && !isRecent();
	}

	/**
	 * Return whether no other contender has waited by the last answer, and a listing was
	 * sent recently.
	 */
	boolean areNone() {
		return this.known == Knowledge.NONE_WAITED && isRecent();
	}

	private boolean isRecent() {
		return this.node.session().nanoTime() - this.listingSentAt <= OLDEST_LISTING;
	}

	/**
	 * List the queue and watch it, unless such a request is under way.
	 * @param then runs once that is known
	 */
	void listOnce(Runnable then) {
		if (!this.listing) {
			this.listing = true;
			list(() -> {
				this.listing = false;
				then.run();
			});
		}
	}

	/**
	 * List the queue and watch it. The delete of the node fires the watch, so none is
	 * left behind.
	 * @param then runs once that is known
	 */
	void list(Runnable then) {
		LockSession session = this.node.session();
		this.listingSentAt = session.nanoTime();
		if (session.requests().cuts().pause(this.node.directory()) > 0) {
			// A listing would cut the connection, so others are expected to wait.
			session.zooKeeper()
				.exists(this.node.path(), false,
						session.replies()
							.stat((int rc, String path, Object context, @Nullable Stat stat) -> onListing(null, then)),
						null);
			return;
		}
		session.requests().guard(this.node.directory());
		session.zooKeeper()
			.getChildren(this.node.directory(), this,
					session.replies()
						.children((int rc, String path, Object context,
								@Nullable List<String> children) -> onListing(children, then)),
					null);
	}

	private void onListing(@Nullable List<String> children, Runnable then) {
		this.mutex.runReply(() -> {
			listed(children);
			then.run();
		});
	}

	/**
	 * Set what runs on a change of the queue while no other contender is known to wait.
	 */
	void whenChanged(Runnable action) {
		this.onChange = action;
	}

	/** Assume that others wait, until the turn ends. */
	void assumeWaiting() {
		if (!areWaiting()) {
			this.since = this.node.session().nanoTime();
			this.known = Knowledge.OTHERS_WAIT;
		}
	}

	@Override
	public void process(WatchedEvent event) {
		if (event.getType() == EventType.NodeChildrenChanged) {
			this.mutex.runReply(() -> {
				if (!areWaiting()) {
					this.onChange.run();
				}
			});
		}
	}

	private void listed(@Nullable List<String> children) {
		QueueListing queue = (children != null) ? QueueListing.of(children, this.node.name(), (stamp) -> false) : null;
		if (queue != null) {
			this.nodeIsGone = queue.own() == null;
		}
		if (queue == null || queue.areOthersBehind()) {
			assumeWaiting();
		}
		else if (!areWaiting()) {
			this.known = Knowledge.NONE_WAITED;
		}
	}

	private enum Knowledge {

		/** No listing was answered. */
		NOTHING,

		/** The last listing has shown no other contender. */
		NONE_WAITED,

		/** Others wait. It stays so: a contender that has gone may be back unnoticed. */
		OTHERS_WAIT

	}

}
