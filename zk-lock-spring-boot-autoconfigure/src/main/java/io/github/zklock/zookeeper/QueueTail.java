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

import io.github.zklock.core.LockMode;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait behind the first in a queue, as it saw them. Nobody is let in before it
 * leaves, so they are likely to be still the same when it does.
 *
 * @param next who comes after it
 * @param last who came last
 */
record QueueTail(QueueNode next, QueueNode last) {

	/**
	 * Return who waits behind the first, if all that counts is the order in which they
	 * came.
	 */
	static @Nullable QueueTail of(QueueView queue) {
		QueueNode own = queue.own();
		QueueNode next = queue.holder();
		QueueNode last = queue.last();
		if (own == null || next == null || last == null || next.sequence() < own.sequence()) {
			return null;
		}
		boolean plain = own.mode() != LockMode.READ && !own.leavesStamp() && queue.stamps().isEmpty();
		boolean one = own.permits() == 1 && next.permits() == 1 && last.permits() == 1;
		return (plain && one) ? new QueueTail(next, last) : null;
	}

	/**
	 * Return whether nobody can have come between the last of them and a node that was
	 * created afterwards: each node that is created in a directory counts, and deletes do
	 * not.
	 * @param path the path of that node
	 */
	boolean isRightBefore(String path) {
		QueueNode node = QueueNode.ofPath(path);
		return node != null && !node.isBeyondLimit() && node.sequence() == this.last.sequence() + 1;
	}

}
