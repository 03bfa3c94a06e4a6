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

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * The queue of a key as one contender sees it. Names that are not those of a contender,
 * such as what another recipe left behind, are not part of it.
 *
 * @param own the node of the contender, if it is there
 * @param holder the node that holds the lock, if it is not its own
 * @param ahead the nodes that must go before it, the first of them first
 */
record QueueView(@Nullable QueueNode own, @Nullable QueueNode holder, List<QueueNode> ahead) {

	static QueueView of(List<String> children, String contender) {
		QueueNode own = null;
		List<QueueNode> others = new ArrayList<>(children.size());
		for (String child : children) {
			QueueNode node = QueueNode.parse(child);
			if (node != null && child.startsWith(contender)) {
				own = node;
			}
			else if (node != null) {
				others.add(node);
			}
		}
		others.sort(Comparator.comparingLong(QueueNode::sequence));
		List<QueueNode> ahead = new ArrayList<>();
		for (QueueNode other : others) {
			if (own != null && own.mustWaitFor(other)) {
				ahead.add(other);
			}
		}
		return new QueueView(own, others.isEmpty() ? null : others.get(0), ahead);
	}

	/**
	 * Return the node to watch.
	 */
	@Nullable QueueNode nearestAhead() {
		return this.ahead.isEmpty() ? null : this.ahead.get(this.ahead.size() - 1);
	}

	List<QueueNode> ahead(Predicate<QueueNode> condition) {
		return this.ahead.stream().filter(condition).toList();
	}

}
