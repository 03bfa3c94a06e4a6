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

package io.github.zklock.zookeeper.node;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.zklock.core.LockMode;

/**
 * The queue of a key as a spectator sees it: which nodes hold the lock, by the rules of
 * {@link QueueListing}. Each name is parsed once, and all holders are found in one pass,
 * since a queue may have very many nodes.
 *
 * @param nodes the nodes of contenders, in the order of the queue
 * @param holders how many of them hold the lock, from the first
 * @param stamps the stamps that keep the key
 */
public record QueueHolders(List<QueueNode> nodes, int holders, List<AtLeastStamp> stamps) {

	/**
	 * Return the queue of a key.
	 * @param children the names of all nodes of the key
	 */
	public static QueueHolders of(List<String> children) {
		List<QueueNode> nodes = new ArrayList<>(children.size());
		List<AtLeastStamp> stamps = new ArrayList<>();
		for (String child : children) {
			QueueNode node = QueueNode.parse(child);
			AtLeastStamp stamp = (node != null) ? null : AtLeastStamp.parse(child);
			if (node != null) {
				nodes.add(node);
			}
			else if (stamp != null) {
				stamps.add(stamp);
			}
		}
		nodes.sort(Comparator.comparingLong(QueueNode::sequence));
		return new QueueHolders(nodes, holders(nodes, new Stamps(stamps)), stamps);
	}

	// Those behind a contender that waits wait as well.
	private static int holders(List<QueueNode> nodes, Stamps stamps) {
		int permits = nodes.isEmpty() ? 0 : nodes.get(0).permits();
		int[] ahead = new int[LockMode.values().length];
		int counted = 0;
		for (int i = 0; i < nodes.size(); i++) {
			QueueNode node = nodes.get(i);
			// Nodes of one number do not wait for each other.
			for (; nodes.get(counted).sequence() < node.sequence(); counted++) {
				ahead[nodes.get(counted).mode().ordinal()]++;
			}
			if (node.permits() != permits || waitsFor(ahead, node.mode()) >= permits || stamps.exclude(node)) {
				return i;
			}
		}
		return nodes.size();
	}

	private static int waitsFor(int[] ahead, LockMode mode) {
		int incompatible = 0;
		for (LockMode other : LockMode.values()) {
			incompatible += mode.isCompatibleWith(other) ? 0 : ahead[other.ordinal()];
		}
		return incompatible;
	}

	/**
	 * The numbers of stamps, of all contenders and of each.
	 */
	private static final class Stamps {

		private final Count all = new Count();

		private final Map<String, Count> own = new HashMap<>();

		Stamps(List<AtLeastStamp> stamps) {
			for (AtLeastStamp stamp : stamps) {
				this.all.add(stamp);
				this.own.computeIfAbsent(ContenderNames.of(stamp.name()), (name) -> new Count()).add(stamp);
			}
		}

		// The stamp of a contender is not in its own way.
		boolean exclude(QueueNode node) {
			Count own = this.own.getOrDefault(ContenderNames.of(node.name()), new Count());
			boolean reader = node.mode() == LockMode.READ;
			return (reader ? this.all.readers - own.readers : this.all.writers - own.writers) > 0;
		}

	}

	/**
	 * How many stamps keep readers out, and how many keep others out.
	 */
	private static final class Count {

		private int readers;

		private int writers;

		void add(AtLeastStamp stamp) {
			this.readers += stamp.excludes(LockMode.READ) ? 1 : 0;
			this.writers += stamp.excludes(LockMode.WRITE) ? 1 : 0;
		}

	}

}
