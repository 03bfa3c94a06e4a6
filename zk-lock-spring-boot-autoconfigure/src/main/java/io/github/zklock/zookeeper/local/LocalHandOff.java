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

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockLoss;
import io.github.zklock.core.LockRequest;
import io.github.zklock.zookeeper.node.OwnerData;
import io.github.zklock.zookeeper.queue.Contenders;
import io.github.zklock.zookeeper.queue.QueueContender;
import io.github.zklock.zookeeper.queue.QueueMutex;
import io.github.zklock.zookeeper.session.NodeJanitor;
import io.github.zklock.zookeeper.tasks.MendedTasks;
import org.jspecify.annotations.Nullable;

/**
 * Grants the lock to those who wait in a local queue, by the node that is first in
 * ZooKeeper. Guarded by the lock of the queue.
 */
final class LocalHandOff {

	private static final long LONGEST_LOOK_MS = 50;

	private final MendedTasks tasks;

	private final NodeJanitor janitor;

	private final HeldLocks held;

	private final QueueMutex lock;

	private final Set<LockAttempt> waiters;

	private final boolean shared;

	private @Nullable Turn turn;

	// Who got the lock last, as long as somebody here may hold it.
	private @Nullable Holder last;

	// Nobody has got this handle yet.
	private @Nullable ZooKeeperLockHandle unfinished;

	private boolean givenUp;

	LocalHandOff(Contenders contenders, HeldLocks held, QueueMutex lock, Set<LockAttempt> waiters, boolean shared) {
		this.tasks = contenders.tasks();
		this.janitor = contenders.janitor();
		this.held = held;
		this.lock = lock;
		this.waiters = waiters;
		this.shared = shared;
	}

	/**
	 * A node is first: grant the lock by it to the first who waits, and to others who may
	 * hold it together.
	 */
	void begin(Turn first) {
		this.turn = first;
		first.remoteWaiters().whenChanged(() -> changed(first));
		grant(first);
		join();
		prepare();
	}

	/** Find out in time whether the lock can be handed on to those who wait. */
	void prepare() {
		Turn current = this.turn;
		if (current != null && !current.remoteWaiters().isKnown() && !this.waiters.isEmpty()) {
			ask(current);
		}
	}

	/**
	 * Let those who wait hold the lock together with those who hold it, or by a node that
	 * is kept. If they cannot, it has to go.
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
			current.remoteWaiters().list(() -> giveBackIfWanted(current));
		}
		while ((this.shared || current.isIdle()) && isNext(current)) {
			grant(current);
		}
		if (current.isIdle() && !current.remoteWaiters().isAsking()) {
			giveBack(current);
		}
	}

	/**
	 * Let whoever comes now hold the lock by the node that is kept, unless somebody has
	 * to be asked or waited for.
	 */
	@Nullable ZooKeeperLockHandle grantAtOnce(LockRequest request, OwnerData owner) {
		return this.lock.get(() -> {
			Turn current = this.turn;
			long now = this.tasks.nanoTime();
			if (current == null || !this.waiters.isEmpty() || !current.admitsAtOnce(now)) {
				return null;
			}
			ZooKeeperLockHandle handle = grant(current, new Holder(request, owner.of(request), now));
			this.unfinished = null;
			return handle;
		});
	}

	/**
	 * A lock is released: hand it on to whoever may hold it next by the same node, now or
	 * when it is known who else waits, or keep the node for whoever comes.
	 * @return whether the node is still needed; otherwise it has to go
	 */
	boolean handOn(Turn left) {
		if (this.givenUp ? !this.held.heldBy(left).isEmpty() : left.release()) {
			return true;
		}
		if (left == this.turn && left.isToAskAgain()) {
			left.remoteWaiters().list(() -> giveBackIfWanted(left));
		}
		if (left == this.turn && !this.waiters.isEmpty() && !left.remoteWaiters().isKnown() && left.isUsable()) {
			ask(left);
		}
		else if (left == this.turn && isNext(left)) {
			grant(left);
		}
		else if (left != this.turn || !this.waiters.isEmpty() || !keep(left)) {
			end(left);
			return false;
		}
		return true;
	}

	// It is not known that nobody else waits before there is a watch.
	private boolean keep(Turn current) {
		if (this.last == null || !current.keep(this.last.request(), this.tasks.nanoTime())) {
			return false;
		}
		if (current == this.turn && !current.remoteWaiters().isKnown()) {
			ask(current);
		}
		return true;
	}

	private void ask(Turn current) {
		current.remoteWaiters().ask(() -> {
			if (current == this.turn) {
				answered(current);
			}
		});
	}

	private void answered(Turn current) {
		join();
		if (current == this.turn && current.isIdle() && !keep(current)) {
			giveBack(current);
		}
		current.queue().proceed();
	}

	// While readers hold a lock others may come and go beside them. Nobody else does that
	// without being in the way, so there is no need to ask who it is.
	private void changed(Turn current) {
		if (this.shared || !current.mayBeKept(this.tasks.nanoTime())) {
			current.remoteWaiters().list(() -> giveBackIfWanted(current));
		}
		else {
			current.remoteWaiters().expect();
			giveBackIfWanted(current);
		}
	}

	private void giveBackIfWanted(Turn current) {
		if (!current.mayBeKept(this.tasks.nanoTime())) {
			giveBackIfIdle(current);
		}
	}

	/** A node is not to be kept; if somebody holds the lock by it, it goes later. */
	void giveBackIfIdle(Turn current) {
		this.lock.run(() -> {
			if (current == this.turn && current.isIdle()) {
				giveBack(current);
				current.queue().proceed();
			}
		});
	}

	/** A node is lost: tell those who hold the lock by it. */
	void lost(Turn current) {
		this.lock.run(() -> {
			giveBackIfIdle(current);
			this.held.heldBy(current).forEach(ZooKeeperLockHandle::sessionLost);
		});
	}

	void tellHolders(Turn left, LockLoss cause) {
		this.held.heldBy(left).forEach((handle) -> handle.lost(cause));
	}

	void removeIfUnheld(Turn left) {
		if (left != this.turn && this.held.heldBy(left).isEmpty()) {
			giveBack(left);
		}
	}

	private void giveBack(Turn current) {
		end(current);
		this.janitor.remove(current.node());
	}

	/**
	 * Nothing is relied on any more but who holds the lock: the node stays as long as
	 * somebody does, and has to go then.
	 */
	void giveUp() {
		this.givenUp = true;
		if (this.unfinished != null) {
			this.unfinished.takeBack();
			this.unfinished = null;
		}
		Turn current = this.turn;
		if (current != null && this.held.heldBy(current).isEmpty()) {
			this.janitor.remove(current.node());
			if (current.atLeast() != null) {
				current.atLeast().over();
			}
			current.end();
		}
		this.turn = null;
	}

	/** A node is gone, or going. */
	void end(Turn left) {
		left.end();
		if (left == this.turn) {
			this.turn = null;
			this.last = null;
		}
	}

	/** Return whether there is a node by which the lock is held or may be. */
	boolean isActive() {
		return this.turn != null;
	}

	/** Return whether somebody here holds the lock by that node. */
	boolean isHeld() {
		return this.turn != null && !this.turn.isIdle();
	}

	/** Return whether ZooKeeper has to be asked for whoever comes now. */
	boolean isClosed() {
		return this.turn == null || (this.shared && !this.turn.remoteWaiters().isAsking());
	}

	/**
	 * Return who holds the lock, here or elsewhere.
	 * @param loser the place in the queue that knows who is first, if there is one
	 */
	CompletableFuture<Optional<LockHolder>> holder(@Nullable QueueContender loser) {
		String path = (this.last == null && loser != null) ? loser.obstacle() : null;
		if (loser != null && path != null) {
			return this.tasks.within(LONGEST_LOOK_MS, loser.session().ownerOf(path), Optional.empty());
		}
		return CompletableFuture
			.completedFuture(Optional.ofNullable(this.last).map((holder) -> holder.describe(this.tasks.nanoTime())));
	}

	int withoutNode() {
		return (this.turn != null) ? Math.max(this.turn.holders() - 1, 0) : 0;
	}

	private boolean isNext(Turn current) {
		return !this.waiters.isEmpty() && current.admits();
	}

	private void grant(Turn current) {
		LockAttempt next = this.waiters.iterator().next();
		ZooKeeperLockHandle handle = grant(current, next.asHolder());
		this.lock.afterwards(() -> next.granted(handle));
		this.waiters.remove(next);
		this.unfinished = null;
	}

	private ZooKeeperLockHandle grant(Turn current, Holder holder) {
		this.last = holder;
		ZooKeeperLockHandle handle = new ZooKeeperLockHandle(this.tasks, holder.request(), current, this.held);
		this.unfinished = handle;
		handle.begin();
		return handle;
	}

	/**
	 * A holder of the lock in this process.
	 *
	 * @param request what was asked
	 * @param data returns who asked, for others to read
	 * @param start since when, by the clock of the engine
	 */
	record Holder(LockRequest request, Supplier<byte[]> data, long start) {

		/**
		 * Return the same for the messages.
		 * @param now a reading of that clock
		 */
		LockHolder describe(long now) {
			return OwnerData.read(this.data.get(), Duration.ofNanos(now - this.start));
		}

	}

}
