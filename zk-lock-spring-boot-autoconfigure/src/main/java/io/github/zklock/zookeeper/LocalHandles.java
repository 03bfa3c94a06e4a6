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

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockHolder;
import org.jspecify.annotations.Nullable;

/**
 * The handles of those who hold a lock here, together or one after another, and who got
 * the last of them. Guarded by the lock of the queue.
 */
final class LocalHandles {

	private final LockEngine engine;

	private final HeldLocks held;

	private final LocalQueue queue;

	private @Nullable LocalHolder last;

	// Nobody has got it yet.
	private @Nullable ZooKeeperLockHandle unfinished;

	LocalHandles(LockEngine engine, HeldLocks held, LocalQueue queue) {
		this.engine = engine;
		this.held = held;
		this.queue = queue;
	}

	ZooKeeperLockHandle grant(Turn turn, LocalHolder holder) {
		this.last = holder;
		ZooKeeperLockHandle handle = new ZooKeeperLockHandle(this.engine, holder.request(), turn, this.queue,
				this.held);
		this.unfinished = handle;
		handle.begin();
		return handle;
	}

	/** The handle that was made last is on its way to its holder. */
	void delivered() {
		this.unfinished = null;
	}

	/** Take away what nobody has got. */
	void giveUp() {
		if (this.unfinished != null) {
			this.unfinished.takeBack();
			this.unfinished = null;
		}
	}

	/** Return whether somebody holds the lock, without relying on any count. */
	boolean areHeldBy(Turn turn) {
		return this.held.areHeldBy(turn);
	}

	/** Nobody holds the lock here any more. */
	void end() {
		this.last = null;
	}

	/** Return whether the last one wants the lock to be kept for the next. */
	boolean isCached() {
		return this.last != null && this.last.request().cache();
	}

	/**
	 * Return who holds the lock, here or elsewhere.
	 * @param loser the place in the queue that knows who is first, if there is one
	 */
	CompletableFuture<Optional<LockHolder>> holder(@Nullable QueueContender loser) {
		if (this.last == null && loser != null) {
			return HolderLookup.of(this.engine, loser);
		}
		return CompletableFuture
			.completedFuture(Optional.ofNullable(this.last).map((holder) -> holder.asHolder(this.engine.nanoTime())));
	}

}
