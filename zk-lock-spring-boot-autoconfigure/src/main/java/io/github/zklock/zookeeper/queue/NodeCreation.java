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

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.IntConsumer;

import io.github.zklock.zookeeper.node.QueuePlace;
import io.github.zklock.zookeeper.node.ReplyCode;
import io.github.zklock.zookeeper.request.CombinableRequest;
import io.github.zklock.zookeeper.request.Replies;
import io.github.zklock.zookeeper.session.LockNode;
import io.github.zklock.zookeeper.session.LockSession;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Creates the node of a contender, until the outcome is known: confirmed by the reply,
 * found by its unique name, or proved not to have happened, in which case it is repeated.
 * Missing parents are created as well.
 */
final class NodeCreation {

	private static final int MAX_STORED_KEY = 1024;

	private static final int ROUNDS_AT_ONCE = 3;

	private final Contenders shared;

	private final LockSession session;

	private final String directory;

	private final String contender;

	private final QueuePlace place;

	private final QueueContender owner;

	private final QueueMutex lock;

	private State state = State.ABSENT;

	private @Nullable LockNode node;

	private long sentAt;

	// Later than that if other requests had to be sent first.
	private volatile long leftAt;

	private int rounds;

	private boolean directoryIsNew;

	private boolean rootMissing;

	private boolean chrootMissing;

	private int refusal;

	NodeCreation(Contenders shared, LockSession session, String directory, String contender, QueuePlace place,
			QueueContender owner, QueueMutex lock) {
		this.shared = shared;
		this.session = session;
		this.directory = directory;
		this.contender = contender;
		this.place = place;
		this.owner = owner;
		this.lock = lock;
	}

	/** Create the node, and its directory unless that is known to exist. */
	void start() {
		if (!this.shared.directories().contains(this.directory)) {
			createDirectory();
		}
		this.state = State.IN_FLIGHT;
		this.sentAt = this.shared.tasks().nanoTime();
		this.leftAt = this.sentAt;
		this.session.requests().send(entry());
	}

	private CombinableRequest entry() {
		String prefix = this.directory + "/" + this.contender + this.place.infix();
		return CombinableRequest.entry(this.directory, prefix, this.place.data(), this.shared.paths().acl(prefix),
				() -> this.leftAt = this.shared.tasks().nanoTime(), replies()
					.created((int rc, String asked, Object context, @Nullable String created, @Nullable Stat stat) -> {
						answered(ReplyCode.of(rc));
						this.lock.reply(() -> replied(rc, created, stat));
					}),
				replies().children(this.owner::listed));
	}

	// The delay tells of the way to the leader, even if the node is not needed.
	private void answered(ReplyCode reply) {
		if (reply.isOfServer()) {
			this.session.lease().answered(this.session.lease().at(this.leftAt));
		}
	}

	private void createDirectory() {
		byte[] key = this.place.key().getBytes(StandardCharsets.UTF_8);
		create(this.directory, (key.length <= MAX_STORED_KEY) ? key : new byte[0], CreateMode.CONTAINER, (rc) -> {
			this.directoryIsNew |= ReplyCode.of(rc) == ReplyCode.OK;
			parentReplied(rc, false);
		});
	}

	// A refused parent counts only if the directory is missing as well, because the
	// server checks the permission before it checks whether the node exists.
	private void createParents() {
		if (this.refusal != 0) {
			this.owner.refuse(this.refusal);
			return;
		}
		if (this.chrootMissing) {
			this.owner.refuse(AttemptFailures::noChroot);
			return;
		}
		if (this.rootMissing) {
			List<String> ancestors = this.shared.paths().ancestors();
			for (String ancestor : ancestors) {
				boolean topmost = ancestor.equals(ancestors.get(0));
				create(ancestor, new byte[0], CreateMode.PERSISTENT, (rc) -> parentReplied(rc, topmost));
			}
		}
		if (this.rounds++ < ROUNDS_AT_ONCE) {
			start();
		}
		else {
			this.owner.pause(this::start);
		}
	}

	private void create(String path, byte[] data, CreateMode mode, IntConsumer replied) {
		this.session.zooKeeper()
			.create(path, data, this.shared.paths().acl(path), mode,
					replies().created((int rc, String asked, Object context, @Nullable String created,
							@Nullable Stat stat) -> this.owner.reply(() -> replied.accept(rc))),
					null);
	}

	private void parentReplied(int rc, boolean topmost) {
		switch (ReplyCode.of(rc)) {
			case REFUSED -> {
				this.refusal = rc;
			}
			case NO_NODE -> {
				this.rootMissing = true;
				this.chrootMissing |= topmost;
			}
			default -> {
			}
		}
	}

	boolean isPending() {
		return this.state != State.CREATED;
	}

	LockNode node() {
		return Objects.requireNonNull(this.node, "The node was not created yet");
	}

	/** Delete the node, now or when the reply comes. */
	void discard() {
		switch (this.state) {
			case CREATED -> this.shared.janitor().remove(node());
			case UNKNOWN -> this.shared.janitor().sweep(this.directory, this.contender);
			case ABSENT -> neverCreated();
			case IN_FLIGHT, DISCARDED -> {
			}
		}
		this.state = State.DISCARDED;
	}

	/**
	 * Delete the node after a failed step. The request may or may not have been sent, so
	 * a reply may still come.
	 */
	void giveUp() {
		if (this.state == State.IN_FLIGHT) {
			this.state = State.UNKNOWN;
		}
		discard();
	}

	// The servers do not delete a directory that never had a node.
	private void neverCreated() {
		this.shared.names().forget(this.contender);
		if (this.directoryIsNew) {
			this.shared.janitor().removeDirectories(List.of(this.directory));
		}
	}

	private void discarded(int rc, @Nullable String created) {
		switch (ReplyCode.of(rc)) {
			case OK -> this.shared.janitor().remove(this.directory, this.contender, String.valueOf(created));
			case NO_NODE, REFUSED -> neverCreated();
			case SESSION_ENDED, UNKNOWN -> this.shared.janitor().sweep(this.directory, this.contender);
		}
	}

	// A request that may not have been sent can be answered twice. The first answer
	// starts a search; the second one makes sure that the queue is listed.
	private void replied(int rc, @Nullable String created, @Nullable Stat stat) {
		if (this.state == State.CREATED) {
			this.owner.list();
		}
		if (this.state != State.IN_FLIGHT && this.state != State.DISCARDED) {
			return;
		}
		if (this.state == State.DISCARDED) {
			discarded(rc, created);
			return;
		}
		switch (ReplyCode.of(rc)) {
			case OK -> {
				if (stat == null) {
					this.state = State.UNKNOWN;
					adopt(String.valueOf(created));
					return;
				}
				confirmed(created, stat);
			}
			case NO_NODE -> {
				this.state = State.ABSENT;
				this.shared.directories().remove(this.directory);
				createParents();
			}
			case SESSION_ENDED -> {
				this.state = State.UNKNOWN;
				this.owner.vanish();
			}
			case REFUSED -> {
				this.state = State.ABSENT;
				this.owner.refuse(rc);
			}
			case UNKNOWN -> reconcile();
		}
	}

	private void confirmed(@Nullable String path, Stat stat) {
		this.session.clock().read(stat.getCtime());
		this.shared.janitor().removeDirectories(this.shared.directories().add(this.directory, this.directoryIsNew));
		this.node = new LockNode(this.session, this.directory, this.contender,
				Objects.requireNonNull(path, "A confirmed node has a path"), stat.getCzxid(), this.sentAt);
		this.state = State.CREATED;
	}

	// Otherwise the search could miss the node, because the server lags behind or the
	// creation is not committed yet.
	private void reconcile() {
		this.state = State.UNKNOWN;
		this.owner.pause(() -> this.session.settle(this.directory, this.contender,
				(rc) -> this.owner.reply(() -> onReply(rc, this::find))));
	}

	private void find() {
		this.session.zooKeeper()
			.getChildren(this.directory, false, replies().children(
					(rc, listed, context, children) -> this.owner.reply(() -> onReply(rc, () -> found(children)))),
					null);
	}

	private void found(List<String> children) {
		for (String child : children) {
			if (child.startsWith(this.contender)) {
				adopt(this.directory + "/" + child);
				return;
			}
		}
		start();
	}

	private void adopt(String path) {
		this.session.zooKeeper()
			.exists(path, false,
					replies().stat((rc, checked, context, stat) -> this.owner.reply(() -> onReply(rc, () -> {
						confirmed(path, stat);
						this.owner.list();
					}))), null);
	}

	private Replies replies() {
		return this.session.replies();
	}

	private void onReply(int rc, Runnable onOk) {
		switch (ReplyCode.of(rc)) {
			case OK -> onOk.run();
			case NO_NODE -> start();
			case SESSION_ENDED -> this.owner.vanish();
			case REFUSED -> this.owner.refuse(rc);
			case UNKNOWN -> reconcile();
		}
	}

	private enum State {

		/** The reply has not come yet. */
		IN_FLIGHT,

		/** The node exists. */
		CREATED,

		/** The node may exist. */
		UNKNOWN,

		/** The node was not created. */
		ABSENT,

		/** The node is not needed any more. */
		DISCARDED

	}

}
