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

import io.github.zklock.zookeeper.node.AtLeastStamp;
import io.github.zklock.zookeeper.node.QueueListing;
import io.github.zklock.zookeeper.node.QueueNode;
import org.jspecify.annotations.Nullable;

/**
 * What a contender knows of its queue. Guarded by the lock of the contender.
 */
public final class ContenderKnowledge {

	private final String directory;

	private final AtLeastGate gate;

	private @Nullable QueueNode holder;

	private boolean othersBehind;

	public ContenderKnowledge(String directory, AtLeastGate gate) {
		this.directory = directory;
		this.gate = gate;
	}

	/**
	 * The queue was listed.
	 * @return whether somebody or something is in the way
	 */
	boolean look(QueueListing queue) {
		this.holder = queue.nearestAhead().isEmpty() ? null : queue.holder();
		this.othersBehind = queue.areOthersBehind();
		this.gate.look(queue.stamps());
		return this.holder != null || keeping() != null;
	}

	/**
	 * The only one that was before the contender is gone, though perhaps back behind it.
	 */
	void expectOthersBehind() {
		this.othersBehind = true;
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
	 * Return whether others wait behind the contender, as far as is known.
	 */
	public boolean areOthersBehind() {
		return this.othersBehind;
	}

}
