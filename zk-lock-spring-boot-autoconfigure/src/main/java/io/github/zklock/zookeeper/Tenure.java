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

import java.util.List;
import java.util.concurrent.TimeUnit;

import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The time for which a node is first in its queue: those of this process who hold the
 * lock by it, one after the other or, if they read, together. Guarded by the lock of the
 * local queue.
 */
final class Tenure {

	/**
	 * How many holders one node can tell apart in their fencing tokens.
	 */
	static final int MAX_GRANTS = 1 << 10;

	// Also if the event that tells of another process is late.
	private static final long LONGEST = TimeUnit.SECONDS.toNanos(1);

	private static final long LONGEST_BESIDE_OTHERS = TimeUnit.MILLISECONDS.toNanos(50);

	private static final int GRANTS_PER_OTHER = 2;

	private static final int MAX_GRANTS_BESIDE_OTHERS = 8;

	private final LockNode node;

	private final AttemptLock lock;

	private final @Nullable KeepTime keep;

	private final long begin = System.nanoTime();

	private int grants;

	private int holders;

	private boolean asking;

	private boolean alone;

	private boolean ended;

	// Once there were others it stays so: one that has gone may be back unnoticed.
	private int others;

	private long othersSince;

	Tenure(LockNode node, @Nullable KeepTime keep, int followers, AttemptLock lock) {
		this.node = node;
		this.keep = keep;
		this.lock = lock;
		seen(followers);
	}

	LockNode node() {
		return this.node;
	}

	@Nullable KeepTime keep() {
		return this.keep;
	}

	/**
	 * Count one more holder.
	 * @return its fencing token, which is greater than those before it and less than
	 * those of any later node
	 */
	long grant() {
		this.holders++;
		return this.node.transaction() * MAX_GRANTS + this.grants++;
	}

	/**
	 * Count one holder less.
	 * @return whether there are still others
	 */
	boolean release() {
		return --this.holders > 0;
	}

	int holders() {
		return this.holders;
	}

	/**
	 * Nobody holds the lock by this node any more, and nobody will.
	 */
	void end() {
		this.ended = true;
	}

	/**
	 * Return whether another lock could be granted by this node at all.
	 */
	boolean isUsable() {
		LockSession session = this.node.session();
		return session.isUsable() && session.lease().isFresh() && this.grants < MAX_GRANTS;
	}

	/**
	 * Return whether it is known who else waits.
	 */
	boolean isKnown() {
		return this.alone || this.others > 0;
	}

	boolean isAsking() {
		return this.asking;
	}

	/**
	 * Ask who else waits, and be told from then on.
	 * @param then runs once that is known
	 */
	void ask(Runnable then) {
		if (!this.asking) {
			this.asking = true;
			list(() -> {
				this.asking = false;
				then.run();
			});
		}
	}

	/**
	 * Return whether somebody of this process may hold the lock by this node next.
	 * @param enteredAt since when it waits, by {@link System#nanoTime()}
	 */
	boolean admits(long enteredAt) {
		if (!isKnown() || !isUsable()) {
			return false;
		}
		long now = System.nanoTime();
		if (this.others == 0) {
			return now - this.begin < LONGEST;
		}
		return enteredAt - this.othersSince < 0 && now - this.othersSince < LONGEST_BESIDE_OTHERS
				&& this.grants < Math.min(this.others * GRANTS_PER_OTHER, MAX_GRANTS_BESIDE_OTHERS);
	}

	// The delete of the node fires the watch, so none is left behind.
	private void list(Runnable then) {
		this.node.session()
			.zooKeeper()
			.getChildren(this.node.directory(), this::changed,
					(int rc, String asked, Object context, @Nullable List<String> children) -> this.lock.reply(() -> {
						listed(children);
						then.run();
					}), null);
	}

	private void changed(WatchedEvent event) {
		if (event.getType() == EventType.NodeChildrenChanged) {
			this.lock.reply(() -> {
				if (!this.ended && this.others == 0) {
					list(() -> {
					});
				}
			});
		}
	}

	private void listed(@Nullable List<String> children) {
		this.alone = true;
		seen((children != null) ? QueueView.of(children, this.node.contender()).followers() : 1);
	}

	private void seen(int followers) {
		if (followers > 0 && this.others == 0) {
			this.othersSince = System.nanoTime();
			this.others = followers;
		}
	}

}
