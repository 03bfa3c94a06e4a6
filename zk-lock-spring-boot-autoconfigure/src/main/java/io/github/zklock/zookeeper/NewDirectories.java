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

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What becomes of the directories that this process has created, once they are empty. The
 * servers delete empty ones, but only so many a minute: a process that uses new keys
 * faster than that deletes its own, or they would pile up without end.
 */
final class NewDirectories {

	/**
	 * How many this process leaves to the servers, all at once or in the course of a
	 * minute. By default the servers delete 10,000 a minute, for all processes.
	 */
	static final int LEFT_PER_MINUTE = 5000;

	private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

	private final KnownDirectories known;

	// The servers have caught up by then.
	private final AtomicLong caughtUp = new AtomicLong(System.nanoTime());

	NewDirectories(KnownDirectories known) {
		this.known = known;
	}

	/**
	 * A node is gone. If its directory was created for it, delete that too unless it is
	 * left to the servers. Nobody waits for it, and it fails if somebody else is there.
	 */
	void left(LockNode node) {
		if (node.inNewDirectory() && !isLeftToServers(System.nanoTime())) {
			this.known.remove(node.directory());
			node.session().zooKeeper().delete(node.directory(), -1, (rc, asked, context) -> {
			}, null);
		}
	}

	boolean isLeftToServers(long now) {
		while (true) {
			long before = this.caughtUp.get();
			long start = (before - now > 0) ? before : now;
			if (start - now >= MINUTE) {
				return false;
			}
			if (this.caughtUp.compareAndSet(before, start + MINUTE / LEFT_PER_MINUTE)) {
				return true;
			}
		}
	}

}
