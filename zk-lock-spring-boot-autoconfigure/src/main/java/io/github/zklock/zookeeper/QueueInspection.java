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

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.github.zklock.core.LockMode;
import io.github.zklock.zookeeper.ZooKeeperLockQueue.Contender;
import io.github.zklock.zookeeper.ZooKeeperLockQueue.Kept;
import io.github.zklock.zookeeper.local.Turn;
import io.github.zklock.zookeeper.node.AtLeastStamp;
import io.github.zklock.zookeeper.node.ContenderNames;
import io.github.zklock.zookeeper.node.OwnerData;
import io.github.zklock.zookeeper.node.QueueListing;
import io.github.zklock.zookeeper.node.QueueNode;
import io.github.zklock.zookeeper.node.ReplyCode;
import io.github.zklock.zookeeper.session.LockSession;
import org.apache.zookeeper.AsyncCallback.ChildrenCallback;
import org.apache.zookeeper.AsyncCallback.DataCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * One inspection of queues, in one session and within one bound: reads the contenders of
 * a key, and tells by the rules of the engine which of them hold the lock.
 */
final class QueueInspection {

	private static final int MOST_STAMPS = 10;

	// The longest one is a record of a run.
	private static final int LONGEST_NODE = 124;

	private static final int LONGEST_HEAD = 1024;

	private final LockSession session;

	private final ZooKeeper zooKeeper;

	private final Duration bound;

	private final long start;

	QueueInspection(LockSession session, Duration bound) {
		this.session = session;
		this.zooKeeper = session.zooKeeper();
		this.start = session.nanoTime();
		this.bound = bound;
	}

	/**
	 * Read the queue of a key.
	 * @param key the key, for the answer
	 * @param directory the path of the key
	 * @param most how many contenders to read, from the first
	 */
	CompletableFuture<ZooKeeperLockQueue> queue(String key, String directory, int most) {
		return children(directory, LONGEST_NODE).thenCompose((children) -> {
			List<QueueNode> nodes = children.stream()
				.map(QueueNode::parse)
				.filter(Objects::nonNull)
				.sorted(Comparator.comparingLong(QueueNode::sequence))
				.toList();
			List<QueueNode> first = nodes.subList(0, Math.min(most, nodes.size()));
			return contenders(directory, children, first).thenCombine(kept(directory, children),
					(contenders, kept) -> new ZooKeeperLockQueue(key, directory, nodes.size(), contenders, kept));
		});
	}

	// Those behind a contender that waits wait as well.
	private CompletableFuture<List<Contender>> contenders(String directory, List<String> children,
			List<QueueNode> nodes) {
		List<CompletableFuture<Optional<Contender>>> contenders = new ArrayList<>();
		boolean before = true;
		for (QueueNode node : nodes) {
			boolean holds = before && holds(children, node);
			before = holds;
			contenders.add(content(directory + "/" + node.name())
				.thenApply((found) -> found.exists() ? Optional.of(contender(node, holds, found)) : Optional.empty()));
		}
		return present(contenders);
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

	private Contender contender(QueueNode node, boolean holds, Content content) {
		Stat stat = content.stat();
		return new Contender(node.name(), node.mode(), node.permits(), holds, !ContenderNames.isContender(node.name()),
				QueueNode.isCacheable(node.name()),
				OwnerData.read(content.data(), this.session.clock().since(stat.getCtime())),
				Instant.ofEpochMilli(stat.getCtime()), stat.getCzxid() * Turn.MAX_GRANTS,
				SessionMark.of(stat.getEphemeralOwner()));
	}

	private CompletableFuture<List<Kept>> kept(String directory, List<String> children) {
		return present(children.stream()
			.filter((child) -> QueueNode.parse(child) == null)
			.map(AtLeastStamp::parse)
			.filter(Objects::nonNull)
			.limit(MOST_STAMPS)
			.map((stamp) -> content(directory + "/" + stamp.name())
				.thenApply((found) -> found.exists() ? Optional.of(kept(stamp, found)) : Optional.<Kept>empty()))
			.toList());
	}

	private static Kept kept(AtLeastStamp stamp, Content content) {
		return new Kept(!stamp.excludes(LockMode.READ), stamp.atLeast(),
				Instant.ofEpochMilli(content.stat().getCtime()));
	}

	private static <T> CompletableFuture<List<T>> present(List<CompletableFuture<Optional<T>>> answers) {
		return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
			.thenApply((done) -> answers.stream().map(CompletableFuture::join).flatMap(Optional::stream).toList());
	}

	/**
	 * Read the names of the children of a node, unless the reply might be longer than
	 * this client accepts, which would end its connection.
	 * @param longest how many bytes a name takes at most
	 * @return the names, none if there is no such node
	 */
	CompletableFuture<List<String>> children(String path, int longest) {
		return content(path).thenCompose((parent) -> {
			int room = this.zooKeeper.getClientConfig()
				.getInt(ZKClientConfig.JUTE_MAXBUFFER, ZKClientConfig.CLIENT_MAX_PACKET_LENGTH_DEFAULT);
			long nodes = parent.stat().getNumChildren();
			if (nodes * (longest + Integer.BYTES) + LONGEST_HEAD > room) {
				throw new ZooKeeperInspectionException(
						"there are " + nodes + " nodes at " + path + ", whose names may exceed the " + room
								+ " bytes that this client accepts in one reply (jute.maxbuffer), which would end its "
								+ "connection: give the client more room");
			}
			CompletableFuture<List<String>> answer = new CompletableFuture<>();
			ChildrenCallback callback = (int rc, String asked, Object context,
					@Nullable List<String> children) -> complete(answer, rc, path, List.of(), children);
			this.zooKeeper.getChildren(path, false, callback, null);
			return answer;
		});
	}

	private CompletableFuture<Content> content(String path) {
		CompletableFuture<Content> answer = new CompletableFuture<>();
		DataCallback callback = (int rc, String asked, Object context, byte @Nullable [] data,
				@Nullable Stat stat) -> complete(answer, rc, path, new Content(null, new Stat()),
						(stat != null) ? new Content(data, stat) : null);
		this.zooKeeper.getData(path, false, callback, null);
		return answer;
	}

	/**
	 * Delete a node, unless it has changed or is gone.
	 * @param transaction the transaction that has created it
	 * @return whether it was deleted
	 */
	CompletableFuture<Boolean> delete(String path, long transaction) {
		return content(path).thenCompose((content) -> {
			if (content.stat().getCzxid() != transaction) {
				return CompletableFuture.completedFuture(false);
			}
			CompletableFuture<Boolean> answer = new CompletableFuture<>();
			this.zooKeeper.delete(path, content.stat().getVersion(), (rc, asked, context) -> {
				boolean changed = rc == Code.BADVERSION.intValue();
				complete(answer, changed ? 0 : rc, path, false, !changed);
			}, null);
			return answer;
		});
	}

	private static <T> void complete(CompletableFuture<T> answer, int rc, String path, T none, @Nullable T found) {
		switch (ReplyCode.of(rc)) {
			case OK -> answer.complete((found != null) ? found : none);
			case NO_NODE -> answer.complete(none);
			default -> answer.completeExceptionally(
					new ZooKeeperInspectionException("ZooKeeper answered " + ReplyCode.text(rc) + " at " + path));
		}
	}

	/**
	 * Wait for an answer as long as the bound allows.
	 * @throws ZooKeeperInspectionException if there is none
	 */
	<T> T await(CompletableFuture<T> answer) {
		try {
			return answer.get(Math.max(remaining(), 0), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			throw new ZooKeeperInspectionException("ZooKeeper has not answered within " + this.bound.toMillis() + "ms");
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new ZooKeeperInspectionException("interrupted while waiting for ZooKeeper");
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof ZooKeeperInspectionException refused) {
				throw refused;
			}
			throw new IllegalStateException("The answer of ZooKeeper could not be read", ex.getCause());
		}
	}

	/**
	 * Check that the bound is not over, in a task that takes long without waiting.
	 * @param what the task, for the message
	 * @throws ZooKeeperInspectionException if it is
	 */
	void checkTime(String what) {
		if (remaining() <= 0) {
			throw new ZooKeeperInspectionException(what + " took longer than " + this.bound.toMillis() + "ms");
		}
	}

	private long remaining() {
		return this.bound.toNanos() - (this.session.nanoTime() - this.start);
	}

	/**
	 * A node.
	 *
	 * @param data its data, {@code null} for none
	 * @param stat what ZooKeeper knows of it, of transaction 0 if there is no such node
	 */
	private record Content(byte @Nullable [] data, Stat stat) {

		boolean exists() {
			return this.stat.getCzxid() != 0;
		}

	}

}
