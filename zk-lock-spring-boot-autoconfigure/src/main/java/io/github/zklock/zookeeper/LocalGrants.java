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

import io.github.zklock.core.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * Grants the lock to those who wait in a local queue, by the node that is first in
 * ZooKeeper. Guarded by the lock of the queue.
 */
final class LocalGrants {

	private final LockEngine engine;

	private final LocalQueue queue;

	private final LocalHandles handles;

	private final AttemptLock lock;

	private final Waiters waiters;

	private final boolean shared;

	private @Nullable Tenure tenure;

	// Its holder is about to enter the queue again for others, and knows who is there.
	private @Nullable Tenure leaving;

	private boolean givenUp;

	LocalGrants(LockEngine engine, HeldLocks held, LocalQueue queue, AttemptLock lock, Waiters waiters,
			boolean shared) {
		this.engine = engine;
		this.queue = queue;
		this.handles = new LocalHandles(engine, held, queue);
		this.lock = lock;
		this.waiters = waiters;
		this.shared = shared;
	}

	/**
	 * A node is first: grant the lock by it to the first who waits, and to others who may
	 * hold it together.
	 */
	void begin(Tenure first) {
		this.tenure = first;
		first.followers().whenChanged(() -> changed(first));
		grant(first);
		join();
		prepare();
	}

	/** Find out in time whether the lock can be handed on to those who wait. */
	void prepare() {
		Tenure current = this.tenure;
		if (current != null && !current.followers().isKnown() && !this.waiters.isEmpty()) {
			ask(current);
		}
	}

	/**
	 * Let those who wait hold the lock together with those who hold it, or by a node that
	 * is kept. If they cannot, it has to go.
	 */
	void join() {
		Tenure current = this.tenure;
		if (current == null || this.waiters.isEmpty() || !(this.shared || current.isIdle())) {
			return;
		}
		if (!current.followers().isKnown()) {
			ask(current);
		}
		if (current.isToAskAgain()) {
			current.followers().list(() -> giveBackIfWanted(current));
		}
		while ((this.shared || current.isIdle()) && isNext(current)) {
			grant(current);
		}
		if (current.isIdle() && !current.followers().isAsking()) {
			giveBack(current);
		}
	}

	/**
	 * Let whoever comes now hold the lock by the node that is kept, unless somebody has
	 * to be asked or waited for.
	 */
	@Nullable ZooKeeperLockHandle grantAtOnce(LockRequest request, OwnerData owner) {
		return this.lock.get(() -> {
			Tenure current = this.tenure;
			long now = this.engine.nanoTime();
			if (current == null || !this.waiters.isEmpty() || this.engine.keptNodes().isClosed()
					|| !current.admitsAtOnce(now)) {
				return null;
			}
			ZooKeeperLockHandle handle = this.handles.grant(current, new PromptHolder(request, owner.of(request), now));
			this.handles.delivered();
			return handle;
		});
	}

	/**
	 * A lock is released: hand it on to whoever may hold it next by the same node, now or
	 * when it is known who else waits, or keep the node for whoever comes.
	 * @return whether the node is still needed; otherwise it has to go
	 */
	boolean handOn(Tenure left) {
		if (this.givenUp ? this.handles.areHeldBy(left) : left.release()) {
			return true;
		}
		if (left == this.tenure && !this.waiters.isEmpty() && !left.followers().isKnown() && left.isUsable()) {
			ask(left);
		}
		else if (left == this.tenure && isNext(left)) {
			grant(left);
		}
		else if (left != this.tenure || !this.waiters.isEmpty() || !keep(left)) {
			end(left);
			this.leaving = (left.tail() != null) ? left : null;
			return false;
		}
		return true;
	}

	// It is not known that nobody else waits before there is a watch.
	private boolean keep(Tenure current) {
		long now = this.engine.nanoTime();
		if (!this.handles.isCached() || !current.isKeepable(now) || this.engine.keptNodes().isClosed()) {
			return false;
		}
		current.idle(now, () -> new KeptNode(this.engine, current, this, this.shared));
		if (current == this.tenure && !current.followers().isKnown()) {
			ask(current);
		}
		return true;
	}

	private void ask(Tenure current) {
		current.followers().ask(() -> {
			if (current == this.tenure) {
				answered(current);
			}
		});
	}

	private void answered(Tenure current) {
		join();
		if (current == this.tenure && current.isIdle() && !keep(current)) {
			giveBack(current);
		}
		this.queue.proceed();
	}

	// While readers hold a lock others may come and go beside them. Nobody else does that
	// without being in the way, so there is no need to ask who it is.
	private void changed(Tenure current) {
		if (this.shared || !current.isKeepable(this.engine.nanoTime())) {
			current.followers().list(() -> giveBackIfWanted(current));
		}
		else {
			current.followers().expect();
			giveBackIfWanted(current);
		}
	}

	private void giveBackIfWanted(Tenure current) {
		if (!current.isKeepable(this.engine.nanoTime())) {
			giveBackIfIdle(current);
		}
	}

	/** A node is not to be kept; if somebody holds the lock by it, it goes later. */
	void giveBackIfIdle(Tenure current) {
		this.lock.run(() -> {
			if (current == this.tenure && current.isIdle()) {
				giveBack(current);
				this.queue.proceed();
			}
		});
	}

	private void giveBack(Tenure current) {
		end(current);
		LockNode node = current.node();
		this.engine.janitor().remove(node.directory(), node.contender(), node.path());
	}

	/**
	 * Nothing is relied on any more but who holds the lock: the node stays as long as
	 * somebody does, and has to go then.
	 */
	void giveUp() {
		this.givenUp = true;
		this.handles.giveUp();
		Tenure current = this.tenure;
		if (current != null && !this.handles.areHeldBy(current)) {
			LockNode node = current.node();
			this.engine.janitor().remove(node.directory(), node.contender(), node.path());
			if (current.keep() != null) {
				current.keep().over();
			}
			current.end();
		}
		this.tenure = null;
	}

	/** A node is gone, or going. */
	void end(Tenure left) {
		left.end();
		this.leaving = null;
		if (left == this.tenure) {
			this.tenure = null;
			this.handles.end();
		}
	}

	/** Return whether there is a node by which the lock is held or may be. */
	boolean isActive() {
		return this.tenure != null;
	}

	/** Return whether somebody here holds the lock by that node. */
	boolean isHeld() {
		return this.tenure != null && !this.tenure.isIdle();
	}

	/** Return whether ZooKeeper has to be asked for whoever comes now. */
	boolean isClosed() {
		return (this.tenure == null) ? this.leaving == null : this.shared && !this.tenure.followers().isAsking();
	}

	LocalHandles handles() {
		return this.handles;
	}

	int withoutNode() {
		return (this.tenure != null) ? Math.max(this.tenure.holders() - 1, 0) : 0;
	}

	private boolean isNext(Tenure current) {
		return !this.waiters.isEmpty() && current.admits(this.waiters.first().start());
	}

	private void grant(Tenure current) {
		LockAttempt next = this.waiters.first();
		ZooKeeperLockHandle handle = this.handles.grant(current, next);
		this.lock.afterwards(() -> next.granted(handle));
		this.waiters.remove(next);
		this.handles.delivered();
	}

}
