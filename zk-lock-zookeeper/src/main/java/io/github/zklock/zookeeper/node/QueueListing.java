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
import java.util.List;
import java.util.function.Predicate;

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * The queue of a key as one contender sees it. Names that no contender has, such as what
 * another recipe left behind, are not part of it.
 * <p>
 * The first in the queue decides how many permits the key has. A later contender with
 * another number has to leave, and those behind it wait until it has: it may become the
 * first before it notices.
 *
 * @param own the node of the contender, if it is there
 * @param firstOther the first of the other nodes, behind its own node or ahead of it
 * @param mismatch the earlier node with another number of permits that makes this one
 * leave, if there is one
 * @param ahead the nodes that have to go before it, all but some of them, the first of
 * them first
 * @param allowed how many of them may stay
 * @param stamps the stamps that others have left
 * @param areOthersBehind whether some of those behind it wait for it
 */
public record QueueListing(@Nullable QueueNode own, @Nullable QueueNode firstOther, @Nullable QueueNode mismatch,
		List<QueueNode> ahead, int allowed, List<AtLeastStamp> stamps, boolean areOthersBehind) {

	private static final Comparator<QueueNode> IN_ORDER = Comparator.comparingLong(QueueNode::sequence);

	/**
	 * Return the queue as a contender sees it that would enter it now.
	 */
	public static QueueListing before(LockRequest request, List<String> children) {
		// No node has this name.
		QueueNode newcomer = new QueueNode("/", request.mode(), request.permits(), Long.MAX_VALUE);
		return of(children, newcomer.name(), newcomer, (stamp) -> false);
	}

	/**
	 * Return the queue as a contender sees it. It knows its own nodes by their exact
	 * names. Other nodes with the same beginning are the nodes of others.
	 * @param children the names of all nodes of the key
	 * @param name the name of its own node
	 * @param own whether a stamp of this name is its own
	 */
	public static QueueListing of(List<String> children, String name, Predicate<String> own) {
		return of(children, name, null, own);
	}

	private static QueueListing of(List<String> children, String name, @Nullable QueueNode newcomer,
			Predicate<String> own) {
		// As a rule the contender is alone.
		if (children.size() == 1 && children.get(0).equals(name)) {
			return of(QueueNode.parse(name), List.of(), List.of());
		}
		QueueNode found = newcomer;
		List<QueueNode> others = new ArrayList<>(children.size());
		List<AtLeastStamp> stamps = new ArrayList<>(0);
		for (String child : children) {
			if (child.equals(name)) {
				found = QueueNode.parse(child);
				continue;
			}
			QueueNode node = QueueNode.parse(child);
			AtLeastStamp stamp = (node != null) ? null : AtLeastStamp.parse(child);
			if (node != null) {
				others.add(node);
			}
			else if (stamp != null && !own.test(child)) {
				stamps.add(stamp);
			}
		}
		others.sort(IN_ORDER);
		return of(found, others, stamps);
	}

	private static QueueListing of(@Nullable QueueNode own, List<QueueNode> others, List<AtLeastStamp> stamps) {
		QueueNode firstOther = others.isEmpty() ? null : others.get(0);
		if (own == null || firstOther == null) {
			return new QueueListing(own, firstOther, null, List.of(), (own != null) ? own.permits() - 1 : 0, stamps,
					false);
		}
		boolean areOthersBehind = false;
		QueueNode mismatch = null;
		List<QueueNode> ahead = new ArrayList<>(0);
		int undecided = 0;
		for (QueueNode other : others) {
			if (other.sequence() >= own.sequence()) {
				areOthersBehind |= !own.isCompatibleWith(other);
				continue;
			}
			if (!own.isCompatibleWith(other)) {
				ahead.add(other);
			}
			if (other.permits() != own.permits()) {
				undecided = ahead.size();
				if (mismatch == null && (other == firstOther || !ContenderNames.isContender(other.name()))) {
					mismatch = other;
				}
			}
		}
		return (own.permits() > 1 && undecided > 0)
				? new QueueListing(own, firstOther, mismatch, ahead.subList(0, undecided), 0, stamps, areOthersBehind)
				: new QueueListing(own, firstOther, mismatch, ahead, own.permits() - 1, stamps, areOthersBehind);
	}

	/**
	 * Return whether only one node is in the way. The contender holds the lock as soon as
	 * this node is gone, since no other node can take its place.
	 */
	public boolean isOneAhead() {
		return this.ahead.size() == 1 && this.allowed == 0 && this.mismatch == null && this.stamps.isEmpty()
				&& isLastOfItsHolder(this.ahead.get(0));
	}

	// The holder of Curator's write lock may take its read lock, with a node of the same
	// number. Then it may release the write lock.
	private static boolean isLastOfItsHolder(QueueNode node) {
		boolean mayBecomeReader = node.mode() == LockMode.WRITE && !ContenderNames.isContender(node.name());
		return node.permits() == 1 && !node.leavesStamp() && !mayBecomeReader;
	}

	/**
	 * Return the nodes to watch. Any set of so many nodes ahead contains one that leaves
	 * before it is this contender's turn, and the last of them leave last.
	 */
	public List<QueueNode> nearestAhead() {
		int size = this.ahead.size();
		return (size > this.allowed) ? this.ahead.subList(size - this.allowed - 1, size) : List.of();
	}

}
