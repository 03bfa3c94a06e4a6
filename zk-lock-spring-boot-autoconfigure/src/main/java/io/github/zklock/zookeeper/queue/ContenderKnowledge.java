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

package io.github.zklock.zookeeper.queue;

import java.util.concurrent.TimeUnit;

import io.github.zklock.zookeeper.node.AtLeastStamp;
import io.github.zklock.zookeeper.node.QueueListing;
import io.github.zklock.zookeeper.node.QueueListing.Tail;
import io.github.zklock.zookeeper.node.QueueNode;
import io.github.zklock.zookeeper.tasks.MendedTasks;
import org.jspecify.annotations.Nullable;

/**
 * What a contender knows of its queue. Guarded by the lock of the contender.
 */
public final class ContenderKnowledge {

	private static final long LONGEST = TimeUnit.SECONDS.toNanos(1);

	private final MendedTasks tasks;

	private final String directory;

	private final AtLeastGate gate;

	private @Nullable QueueNode holder;

	private @Nullable Tail before;

	private @Nullable Tail tail;

	private int waitersBehind;

	private boolean back;

	private boolean remembered;

	private long rememberedAt;

	public ContenderKnowledge(MendedTasks tasks, String directory, AtLeastGate gate) {
		this.tasks = tasks;
		this.directory = directory;
		this.gate = gate;
	}

	/**
	 * The contender comes, perhaps right after a lock that its own process has left.
	 * @param tail who waited behind that lock, if there was one and that is known
	 * @param besideOthers whether others wanted the key besides it
	 * @return whether it may turn out without a listing who is before the contender
	 */
	boolean after(@Nullable Tail tail, boolean besideOthers) {
		this.back = besideOthers;
		this.before = tail;
		return this.before != null;
	}

	/**
	 * Return whether nobody is before the node that was created.
	 * @param path its path
	 */
	boolean isFirst(String path) {
		QueueNode node = QueueNode.ofPath(path);
		return node != null && node.sequence() == 0;
	}

	/**
	 * Return whom the node that was created has to watch, if that is known.
	 * @param path its path
	 */
	@Nullable QueueNode before(String path) {
		QueueNode nearest = (this.before != null) ? this.before.nearestBefore(path) : null;
		if (this.before != null && nearest != null) {
			this.holder = this.before.next();
			this.back = false;
			this.remembered = true;
			this.rememberedAt = this.tasks.nanoTime();
		}
		return nearest;
	}

	/**
	 * The queue was listed.
	 * @return whether somebody or something is in the way
	 */
	boolean look(QueueListing queue) {
		this.holder = queue.nearestAhead().isEmpty() ? null : queue.holder();
		this.tail = Tail.of(queue);
		this.waitersBehind = queue.waitersBehind();
		this.remembered = false;
		this.back &= this.holder == null;
		this.gate.look(queue.stamps());
		return this.holder != null || keeping() != null;
	}

	/**
	 * The only one that was before the contender is gone, though perhaps back behind it.
	 */
	void expectWaiterBehind() {
		this.waitersBehind++;
	}

	/**
	 * Forget, once, what is remembered for too long: a listing finds more than who is
	 * right before.
	 * @return whether the queue has to be listed
	 */
	boolean forget() {
		boolean old = this.remembered && this.tasks.nanoTime() - this.rememberedAt > LONGEST;
		this.remembered &= !old;
		return old;
	}

	/**
	 * Return whether the lock goes to the process that had it last, although others
	 * wanted it.
	 */
	public boolean isBack() {
		return this.back;
	}

	/**
	 * Return the stamp that is in the way, if there is one.
	 */
	public @Nullable AtLeastStamp keeping() {
		return this.gate.keeping();
	}

	/**
	 * Return the path of what is known to be in the way: a holder, or its stamp.
	 */
	public @Nullable String holderPath() {
		return (this.holder != null) ? this.directory + "/" + this.holder.name() : this.gate.blockingPath();
	}

	/**
	 * Return who waits behind the contender, if it was first or next when the queue was
	 * listed.
	 */
	public @Nullable Tail tail() {
		return this.tail;
	}

	/**
	 * Return how many wait behind the contender.
	 */
	public int waitersBehind() {
		return this.waitersBehind;
	}

}
