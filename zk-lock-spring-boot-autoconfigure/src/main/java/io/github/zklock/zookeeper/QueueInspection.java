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

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.github.zklock.core.LockMode;
import io.github.zklock.zookeeper.NodeReads.Content;
import io.github.zklock.zookeeper.ZooKeeperLockQueue.Contender;
import io.github.zklock.zookeeper.ZooKeeperLockQueue.Kept;
import io.github.zklock.zookeeper.local.Turn;
import io.github.zklock.zookeeper.node.AtLeastStamp;
import io.github.zklock.zookeeper.node.ContenderNames;
import io.github.zklock.zookeeper.node.OwnerData;
import io.github.zklock.zookeeper.node.QueueListing;
import io.github.zklock.zookeeper.node.QueueNode;
import io.github.zklock.zookeeper.session.LockSession;

/**
 * Reads the queue of one key: who is in it, and by the rules of the engine who of them
 * holds the lock.
 *
 * @param session the session in which to read
 * @param reads what reads
 * @param key the key, for the answer
 * @param directory the path of the key
 * @param most how many contenders to read, from the first
 */
record QueueInspection(LockSession session, NodeReads reads, String key, String directory, int most) {

	private static final int MOST_STAMPS = 10;

	// The longest one is a record of a run.
	private static final int LONGEST_NODE = 124;

	CompletableFuture<ZooKeeperLockQueue> queue() {
		return this.reads.children(this.directory, LONGEST_NODE).thenCompose((children) -> {
			List<QueueNode> nodes = nodes(children);
			CompletableFuture<List<Kept>> kept = present(stamps(children).map(this::kept));
			return contenders(children, nodes).thenCombine(kept,
					(found, stamps) -> new ZooKeeperLockQueue(this.key, this.directory, nodes.size(), found, stamps));
		});
	}

	private static List<QueueNode> nodes(List<String> children) {
		return children.stream()
			.map(QueueNode::parse)
			.filter(Objects::nonNull)
			.sorted(Comparator.comparingLong(QueueNode::sequence))
			.toList();
	}

	private static Stream<AtLeastStamp> stamps(List<String> children) {
		return children.stream()
			.filter((child) -> QueueNode.parse(child) == null)
			.map(AtLeastStamp::parse)
			.filter(Objects::nonNull)
			.limit(MOST_STAMPS);
	}

	// Whoever comes after one that waits waits as well.
	private CompletableFuture<List<Contender>> contenders(List<String> children, List<QueueNode> nodes) {
		List<CompletableFuture<Optional<Contender>>> contenders = new ArrayList<>();
		boolean holds = true;
		for (QueueNode node : nodes.subList(0, Math.min(this.most, nodes.size()))) {
			boolean first = holds && holds(children, node);
			holds = first;
			contenders.add(content(node.name()).thenApply((content) -> contender(node, first, content)));
		}
		return present(contenders.stream());
	}

	private static boolean holds(List<String> children, QueueNode node) {
		QueueListing listing = QueueListing.of(children, unique(node.name()));
		return listing.own() != null && listing.mismatch() == null && listing.nearestAhead().isEmpty()
				&& listing.stamps().stream().noneMatch((stamp) -> stamp.excludes(node.mode()));
	}

	// The stamp of a contender begins with its unique name too, and is not in its way.
	private static String unique(String node) {
		int process = ContenderNames.isContender(node) ? node.indexOf('-') : -1;
		int number = (process >= 0) ? node.indexOf('-', process + 1) : -1;
		return (number >= 0) ? node.substring(0, number + 1) : node;
	}

	private CompletableFuture<Content> content(String node) {
		return this.reads.content(this.directory + "/" + node);
	}

	private Optional<Contender> contender(QueueNode node, boolean holds, Content content) {
		if (!content.exists()) {
			return Optional.empty();
		}
		long createdAt = content.stat().getCtime();
		return Optional.of(new Contender(node.name(), node.mode(), node.permits(), holds,
				!ContenderNames.isContender(node.name()), QueueNode.isCacheable(node.name()),
				OwnerData.read(content.data(), this.session.clock().since(createdAt)), Instant.ofEpochMilli(createdAt),
				content.stat().getCzxid() * Turn.MAX_GRANTS, content.stat().getEphemeralOwner()));
	}

	private CompletableFuture<Optional<Kept>> kept(AtLeastStamp stamp) {
		return content(stamp.name())
			.thenApply((content) -> content.exists() ? Optional.of(new Kept(!stamp.excludes(LockMode.READ),
					stamp.atLeast(), Instant.ofEpochMilli(content.stat().getCtime()))) : Optional.empty());
	}

	private static <T> CompletableFuture<List<T>> present(Stream<CompletableFuture<Optional<T>>> answers) {
		List<CompletableFuture<Optional<T>>> each = answers.toList();
		return CompletableFuture.allOf(each.toArray(CompletableFuture[]::new))
			.thenApply((done) -> each.stream().map(CompletableFuture::join).flatMap(Optional::stream).toList());
	}

}
