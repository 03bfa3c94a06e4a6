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

package io.github.zklock.zookeeper.inspect.internal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

import io.github.zklock.core.LockMode;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockQueue;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockQueue.Contender;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockQueue.Kept;
import io.github.zklock.zookeeper.inspect.internal.BoundedReads.Content;
import io.github.zklock.zookeeper.node.AtLeastStamp;
import io.github.zklock.zookeeper.node.ContenderNames;
import io.github.zklock.zookeeper.node.OwnerData;
import io.github.zklock.zookeeper.node.QueueHolders;
import io.github.zklock.zookeeper.node.QueueNode;
import io.github.zklock.zookeeper.session.LockNode;
import io.github.zklock.zookeeper.session.LockSession;
import io.github.zklock.zookeeper.session.SessionMark;
import org.apache.zookeeper.data.Stat;

/**
 * One inspection of queues, in one session. It reads the contenders of keys, and applies
 * the rules of the engine to report which of them hold the lock. It runs on the thread of
 * its caller.
 */
final class QueueInspection implements AutoCloseable {

	private static final int MOST_STAMPS = 10;

	// The longest one is a record of a run.
	static final int LONGEST_NODE = 124;

	final BoundedReads reads;

	private final LockSession session;

	private final Runnable end;

	QueueInspection(LockSession session, BoundedReads reads, Runnable end) {
		this.session = session;
		this.reads = reads;
		this.end = end;
	}

	/**
	 * Read the queues of some keys.
	 * @param places the keys and their paths
	 * @param most how many contenders of each to read, from the first
	 */
	List<ZooKeeperLockQueue> queues(List<Place> places, int most) {
		List<String> paths = places.stream().map(Place::path).toList();
		List<QueueHolders> queues = new ArrayList<>(places.size());
		for (List<String> children : this.reads.children(paths, LONGEST_NODE)) {
			this.reads.checkTime("The inspection");
			queues.add(QueueHolders.of(children));
		}
		List<String> wanted = new ArrayList<>();
		for (int i = 0; i < places.size(); i++) {
			String path = paths.get(i) + "/";
			QueueHolders queue = queues.get(i);
			Stream
				.concat(first(queue.nodes(), most).stream().map(QueueNode::name),
						first(queue.stamps(), MOST_STAMPS).stream().map(AtLeastStamp::name))
				.forEach((name) -> wanted.add(path + name));
		}
		Iterator<Content> contents = this.reads.contents(wanted).iterator();
		List<ZooKeeperLockQueue> answers = new ArrayList<>(places.size());
		for (int i = 0; i < places.size(); i++) {
			answers.add(queue(places.get(i), queues.get(i), most, contents));
		}
		return answers;
	}

	private ZooKeeperLockQueue queue(Place place, QueueHolders queue, int most, Iterator<Content> contents) {
		List<Contender> contenders = new ArrayList<>();
		int number = 0;
		for (QueueNode node : first(queue.nodes(), most)) {
			Content content = contents.next();
			boolean holds = number++ < queue.holders();
			if (content.exists()) {
				contenders.add(contender(node, holds, content));
			}
		}
		List<Kept> kept = new ArrayList<>();
		for (AtLeastStamp stamp : first(queue.stamps(), MOST_STAMPS)) {
			Content content = contents.next();
			if (content.exists()) {
				kept.add(kept(stamp, content));
			}
		}
		return new ZooKeeperLockQueue(place.key(), place.path(), queue.nodes().size(), contenders, kept);
	}

	private Contender contender(QueueNode node, boolean holds, Content content) {
		Stat stat = content.stat();
		return new Contender(node.name(), node.mode(), node.permits(), holds, !ContenderNames.isContender(node.name()),
				QueueNode.isCacheable(node.name()),
				OwnerData.read(content.data(), this.session.clock().since(stat.getCtime())),
				Instant.ofEpochMilli(stat.getCtime()), Math.max(stat.getCzxid(), 0) * LockNode.MAX_GRANTS,
				SessionMark.of(stat.getEphemeralOwner()));
	}

	private static Kept kept(AtLeastStamp stamp, Content content) {
		return new Kept(!stamp.excludes(LockMode.READ), stamp.atLeast(),
				Instant.ofEpochMilli(content.stat().getCtime()));
	}

	private static <T> List<T> first(List<T> all, int most) {
		return all.subList(0, Math.min(most, all.size()));
	}

	/** End the inspection, so that another may begin. */
	@Override
	public void close() {
		this.end.run();
	}

	/**
	 * A key and where it is.
	 *
	 * @param key the key, for the answer
	 * @param path the path of its node
	 */
	record Place(String key, String path) {

	}

}
