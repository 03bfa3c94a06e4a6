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

import org.jspecify.annotations.Nullable;

/**
 * Those who wait behind whoever is first in a queue, or next, as it saw them. Nobody is
 * let in before it leaves, so they are likely to be still the same when it does.
 *
 * @param next who comes after it, if anybody
 * @param beforeLast who came last but one, or last, if there is only one
 * @param last who came last, if anybody behind it
 * @param size how many they are: none if it is next, and whoever is before it was alone
 */
record QueueTail(QueueNode next, QueueNode beforeLast, QueueNode last, int size) {

	/**
	 * Return who waits behind the contender, if others have to be reckoned with and all
	 * that counts is the order in which they came.
	 */
	static @Nullable QueueTail of(QueueListing queue) {
		QueueNode own = queue.own();
		boolean beside = queue.isNext() || (queue.ahead().isEmpty() && !queue.behind().isEmpty());
		if (own == null || !beside || !queue.isPlain() || own.leavesStamp() || !queue.stamps().isEmpty()) {
			return null;
		}
		return queue.behind().isEmpty() ? new QueueTail(own, own, own, 0) : of(queue.behind());
	}

	private static @Nullable QueueTail of(List<QueueNode> behind) {
		int size = behind.size();
		QueueTail tail = new QueueTail(behind.get(0), behind.get(Math.max(size - 2, 0)), behind.get(size - 1), size);
		return (tail.next.permits() == 1 && tail.last.permits() == 1) ? tail : null;
	}

	/**
	 * Return whom to watch for a node that was created afterwards, if they are known well
	 * enough. Each node that is created in a directory counts, and deletes do not; one
	 * that nobody has seen is likely to be that of whoever was before the contender.
	 * @param path the path of that node
	 * @see QueueListing#nearestAhead()
	 */
	@Nullable QueueNode nearestBefore(String path) {
		QueueNode node = QueueNode.ofPath(path);
		if (node == null || node.isBeyondLimit() || this.size == 0) {
			return null;
		}
		long unseen = node.sequence() - this.last.sequence() - 1;
		boolean few = this.size + unseen <= QueueListing.FEW;
		if (unseen == 0) {
			return few ? this.beforeLast : this.last;
		}
		return (unseen == 1 && few) ? this.last : null;
	}

}
