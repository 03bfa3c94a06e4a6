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
 * Grants the lock to those who wait in a local queue, by the node that is first in
 * ZooKeeper. Guarded by the lock of the queue.
 */
final class LocalGrants {

	private final LockEngine engine;

	private final HeldLocks held;

	private final LocalQueue queue;

	private final Waiters waiters;

	private final boolean shared;

	private @Nullable Tenure tenure;

	private @Nullable LockAttempt holder;

	LocalGrants(LockEngine engine, HeldLocks held, LocalQueue queue, Waiters waiters, boolean shared) {
		this.engine = engine;
		this.held = held;
		this.queue = queue;
		this.waiters = waiters;
		this.shared = shared;
	}

	/**
	 * A node is first: grant the lock by it to the first who waits, and to others who may
	 * hold it together.
	 */
	void begin(Tenure first) {
		this.tenure = first;
		grant(first);
		join();
		prepare();
	}

	/**
	 * Find out in time whether the lock can be handed on to those who wait.
	 */
	void prepare() {
		Tenure current = this.tenure;
		if (current != null && !current.isKnown() && !this.waiters.isEmpty()) {
			ask(current);
		}
	}

	/**
	 * Let those who wait hold the lock together with those who hold it.
	 */
	void join() {
		Tenure current = this.tenure;
		if (!this.shared || current == null || this.waiters.isEmpty()) {
			return;
		}
		if (!current.isKnown()) {
			ask(current);
		}
		while (isNext(current)) {
			grant(current);
		}
	}

	/**
	 * A lock is released: hand it on to whoever may hold it next by the same node, now or
	 * when it is known who else waits.
	 * @return whether the node is still needed; otherwise it has to go
	 */
	boolean handOn(Tenure left) {
		if (left.release()) {
			return true;
		}
		if (left == this.tenure && left.isUsable() && !left.isKnown() && !this.waiters.isEmpty()) {
			ask(left);
		}
		else if (left == this.tenure && isNext(left)) {
			grant(left);
		}
		else {
			end(left);
			return false;
		}
		return true;
	}

	private void ask(Tenure current) {
		current.ask(() -> {
			if (current == this.tenure) {
				answered(current);
			}
		});
	}

	private void answered(Tenure current) {
		join();
		if (current.holders() == 0 && isNext(current)) {
			grant(current);
		}
		if (current.holders() == 0) {
			end(current);
			LockNode node = current.node();
			this.engine.janitor().remove(node.directory(), node.contender(), node.path());
		}
		this.queue.proceed();
	}

	/**
	 * A node is gone, or going.
	 */
	void end(Tenure left) {
		left.end();
		if (left == this.tenure) {
			this.tenure = null;
			this.holder = null;
		}
	}

	/**
	 * Return whether somebody here holds the lock, unless it is about to be handed over
	 * to another node.
	 */
	boolean isActive() {
		return this.tenure != null;
	}

	/**
	 * Return whether nobody who comes now can be let in, so that ZooKeeper has to be
	 * asked.
	 */
	boolean isClosed() {
		return this.tenure == null || (this.shared && !this.tenure.isAsking());
	}

	/**
	 * Return who holds the lock, here or elsewhere.
	 * @param loser the place in the queue that knows who is first, if there is one
	 */
	CompletableFuture<Optional<LockHolder>> holder(@Nullable QueueContender loser) {
		if (this.holder == null && loser != null) {
			return HolderLookup.of(loser);
		}
		return CompletableFuture.completedFuture(Optional.ofNullable(this.holder).map(LockAttempt::asHolder));
	}

	int withoutNode() {
		return (this.tenure != null) ? this.tenure.holders() - 1 : 0;
	}

	private boolean isNext(Tenure current) {
		return !this.waiters.isEmpty() && current.admits(this.waiters.first().start());
	}

	private void grant(Tenure current) {
		LockAttempt next = this.waiters.removeFirst();
		this.holder = next;
		ZooKeeperLockHandle handle = new ZooKeeperLockHandle(this.engine, next.request(), current, this.queue,
				this.held);
		handle.begin();
		next.granted(handle);
	}

}
