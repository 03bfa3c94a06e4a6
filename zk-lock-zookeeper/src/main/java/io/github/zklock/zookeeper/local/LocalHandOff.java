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

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockLoss;
import io.github.zklock.core.LockRequest;
import io.github.zklock.zookeeper.local.LockAttempt.LocalHolder;
import io.github.zklock.zookeeper.queue.Place;
import io.github.zklock.zookeeper.queue.QueueMutex;
import io.github.zklock.zookeeper.queue.Services;
import io.github.zklock.zookeeper.session.NodeJanitor;
import io.github.zklock.zookeeper.tasks.EngineTasks;
import org.jspecify.annotations.Nullable;

/**
 * Grants the lock to the requests in a local queue with one node, which is first in
 * ZooKeeper's queue. Guarded by the lock of the local queue.
 */
final class LocalHandOff {

	private static final long LONGEST_LOOK_MS = 50;

	private final EngineTasks tasks;

	private final NodeJanitor janitor;

	private final HeldLocks held;

	private final QueueMutex lock;

	private final Waiters<LockAttempt> waiters;

	private final boolean shared;

	// Whether a writer of this process is in ZooKeeper's queue, for readers.
	private final BooleanSupplier writerIsQueued;

	private @Nullable Turn turn;

	// The latest holder in this process, until its node goes.
	private @Nullable LocalHolder last;

	LocalHandOff(Services services, HeldLocks held, QueueMutex lock, Waiters<LockAttempt> waiters, boolean shared,
			BooleanSupplier writerIsQueued) {
		this.tasks = services.tasks();
		this.janitor = services.janitor();
		this.held = held;
		this.lock = lock;
		this.waiters = waiters;
		this.shared = shared;
		this.writerIsQueued = writerIsQueued;
	}

	/** Take over a node that is first in ZooKeeper's queue. */
	void takeOver(Turn first) {
		if (this.turn != null && this.turn.isIdle()) {
			// No release would end it.
			giveBack(this.turn);
		}
		this.turn = first;
	}

	/**
	 * Grant the lock to the first waiting request, and to others that can hold it
	 * together.
	 * @param first the node that was taken over
	 */
	void grantFirst(Turn first) {
		first.remoteWaiters().whenChanged(() -> changed(first));
		first.relyOnLease();
		if (first == this.turn) {
			grant(first);
		}
		else {
			first.unused();
		}
		join();
		prepare();
	}

	/** List the queue early, so that the next release need not wait for the answer. */
	void prepare() {
		Turn current = this.turn;
		if (current != null && !current.remoteWaiters().isKnown() && !this.waiters.isEmpty()) {
			ask(current);
		}
	}

	/**
	 * Grant waiting requests the lock beside its readers, or with the cached node. A
	 * cached node that admits none of them is released.
	 */
	void join() {
		Turn current = this.turn;
		if (current == null || this.waiters.isEmpty() || !(this.shared || current.isIdle())) {
			return;
		}
		if (!current.remoteWaiters().isKnown()) {
			ask(current);
		}
		if (current.isToAskAgain()) {
			listAgain(current);
		}
		while ((this.shared || current.isIdle()) && mayGrantNext(current)) {
			grant(current);
		}
		if (current.isIdle() && !current.remoteWaiters().isAsking()) {
			giveBack(current);
		}
	}

	/**
	 * Grant the lock with the cached node, unless another request waits or the queue has
	 * to be listed.
	 */
	@Nullable ZooKeeperLockHandle grantAtOnce(LockRequest request, Supplier<byte[]> data) {
		return this.lock.get(() -> {
			Turn current = this.turn;
			if (current == null || !this.waiters.isEmpty() || !current.admitsAtOnce()
					|| this.writerIsQueued.getAsBoolean()) {
				return null;
			}
			return grant(current, new LocalHolder(request, data, this.tasks.nanoTime()));
		}, null);
	}

	/**
	 * Hand the lock on to the next waiting request, at once or after a listing, or cache
	 * the node. Called when a lock is released.
	 * @return whether the node is still needed, or the lock is lost after a failed step;
	 * otherwise the caller deletes the node
	 */
	boolean handOn(Turn current, ZooKeeperLockHandle released) {
		return this.lock.get(() -> current.release(released) || isHandedOn(current), true);
	}

	private boolean isHandedOn(Turn current) {
		boolean wanted = !this.waiters.isEmpty() || (this.last != null && this.last.request().cache());
		if (current == this.turn && current.hasRoomToAsk(wanted)) {
			if (current.isToAskAgain()) {
				listAgain(current);
			}
			if (!this.waiters.isEmpty() && !current.remoteWaiters().isKnown() && current.isUsable()) {
				ask(current);
				return true;
			}
			if (mayGrantNext(current)) {
				grant(current);
				return true;
			}
			if (this.waiters.isEmpty() && cache(current)) {
				return true;
			}
		}
		endTurn(current);
		return false;
	}

	// Only a listing with a watch shows that no other process waits.
	private boolean cache(Turn current) {
		if (this.last == null || !current.cacheFor(this.last.request())) {
			return false;
		}
		if (!current.remoteWaiters().isKnown()) {
			ask(current);
		}
		return true;
	}

	private void ask(Turn current) {
		current.remoteWaiters().ask(() -> {
			if (current == this.turn) {
				othersKnown(current);
			}
		});
	}

	private void othersKnown(Turn current) {
		join();
		if (current == this.turn && current.isIdle() && !cache(current)) {
			giveBack(current);
		}
		current.queue().proceed();
	}

	// A change behind a cached node means that another process waits. Readers come and go
	// without waiting, so only a listing shows them.
	private void changed(Turn current) {
		if (current != this.turn) {
			return;
		}
		if (this.shared || !current.mayBeCached()) {
			listAgain(current);
		}
		else {
			current.remoteWaiters().expect();
			giveBackIfWanted(current);
		}
	}

	private void listAgain(Turn current) {
		current.remoteWaiters().list(() -> giveBackIfWanted(current));
	}

	private void giveBackIfWanted(Turn current) {
		if (!current.mayBeCached()) {
			giveBackIfIdle(current);
		}
	}

	/** Release a node, unless a lock is held with it. */
	void giveBackIfIdle(Turn current) {
		this.lock.run(() -> {
			if (current == this.turn && current.isIdle()) {
				giveBack(current);
				current.queue().proceed();
			}
		});
	}

	/**
	 * Notify all holders of a lost turn before its node is deleted, because the lease may
	 * be valid again when they look. The session may still live, or a server may not know
	 * of its end yet, so they are given a moment to stop.
	 */
	void loseTurn(Turn current, LockLoss cause) {
		this.lock.run(() -> {
			if (!current.hasEnded()) {
				detach(current);
				current.holders().forEach((handle) -> handle.lost(cause));
				if (current.isIdle()) {
					this.janitor.remove(current.node());
				}
				else {
					this.janitor.removeSoon(current.node());
				}
				endTurn(current);
				current.queue().proceed();
			}
		});
	}

	// In this order, because a turn that has ended is not released again.
	private void giveBack(Turn current) {
		this.janitor.remove(current.node());
		endTurn(current);
	}

	/** End a turn. Called when its node is lost, deleted or about to be. */
	private void endTurn(Turn current) {
		current.retire();
		detach(current);
	}

	private void detach(Turn current) {
		if (current == this.turn) {
			this.turn = null;
			this.last = null;
		}
	}

	/** Return whether the lock is held, or can be held, with a node of this process. */
	boolean isActive() {
		return this.turn != null;
	}

	/** Return whether a request of this process holds the lock. */
	boolean isHeld() {
		return this.turn != null && !this.turn.isIdle();
	}

	/** Return whether requests that still wait have to enter ZooKeeper's queue. */
	boolean waitersMustEnter() {
		return this.turn == null || (this.shared && !this.turn.remoteWaiters().isAsking());
	}

	/**
	 * Return the holder of the lock, in this process or in another one.
	 * @param loser the place that knows the node of the holder, if there is one
	 */
	CompletableFuture<Optional<LockHolder>> holder(@Nullable Place loser) {
		String path = (this.last == null && loser != null) ? loser.obstacle() : null;
		if (loser != null && path != null) {
			return this.tasks.within(LONGEST_LOOK_MS, loser.session().ownerOf(path), Optional.empty());
		}
		return CompletableFuture
			.completedFuture(Optional.ofNullable(this.last).map((holder) -> holder.describe(this.tasks.nanoTime())));
	}

	int withoutNode() {
		return (this.turn != null) ? Math.max(this.turn.holders().size() - 1, 0) : 0;
	}

	// Whether the next waiting request may hold the lock with this node.
	private boolean mayGrantNext(Turn current) {
		LockAttempt next = this.waiters.first();
		return next != null && current.admits() && !overtakes(current, next);
	}

	// Readers that had waited when the turn began hold the lock together.
	private boolean overtakes(Turn current, LockAttempt next) {
		return current.hasBegunBefore(next) && this.writerIsQueued.getAsBoolean();
	}

	private void grant(Turn current) {
		LockAttempt next = Objects.requireNonNull(this.waiters.first(), "A request waits");
		ZooKeeperLockHandle handle = grant(current, next.asHolder());
		this.lock.afterwards(() -> next.granted(handle));
		this.waiters.remove(next);
		// Its place would leave only when it is first, which a lost event may hide.
		current.queue().abandonIfUnwanted();
	}

	private ZooKeeperLockHandle grant(Turn current, LocalHolder holder) {
		this.last = holder;
		ZooKeeperLockHandle handle = new ZooKeeperLockHandle(this.tasks, holder.request(), current, this.held);
		handle.begin();
		return handle;
	}

}
