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

import java.util.List;
import java.util.Objects;

import io.github.zklock.zookeeper.node.QueuePlace;
import io.github.zklock.zookeeper.node.ReplyCode;
import io.github.zklock.zookeeper.request.EntryRequest;
import io.github.zklock.zookeeper.session.LockNode;
import io.github.zklock.zookeeper.session.LockSession;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The creation of a contender's node, until its outcome is known: confirmed by the reply,
 * or found under its unique name, or proved not to have happened, in which case it is
 * repeated.
 */
final class NodeCreation {

	private final Contenders shared;

	private final LockSession session;

	private final String directory;

	private final String contender;

	private final QueuePlace place;

	private final QueueContender owner;

	private final QueueMutex lock;

	private final DirectoryCreation parents;

	private State state = State.ABSENT;

	private @Nullable LockNode node;

	private long sentAt;

	// Later than that if the request had to wait for others.
	private volatile long leftAt;

	NodeCreation(Contenders shared, LockSession session, String directory, String contender, QueuePlace place,
			QueueContender owner, QueueMutex lock) {
		this.shared = shared;
		this.session = session;
		this.directory = directory;
		this.contender = contender;
		this.place = place;
		this.owner = owner;
		this.lock = lock;
		this.parents = new DirectoryCreation(shared, session, directory, place.key(), owner);
	}

	/** Create the node, and its directory unless that was there the last time. */
	void start() {
		if (!this.shared.directories().contains(this.directory)) {
			this.parents.start();
		}
		this.state = State.IN_FLIGHT;
		this.sentAt = this.shared.tasks().nanoTime();
		this.leftAt = this.sentAt;
		this.session.requests().send(entry());
	}

	private EntryRequest entry() {
		String prefix = this.directory + "/" + this.contender + this.place.infix();
		return new EntryRequest(this.directory, prefix, this.place.data(), this.shared.paths().acl(prefix),
				() -> this.leftAt = this.shared.tasks().nanoTime(),
				(int rc, String asked, Object context, @Nullable String created, @Nullable Stat stat) -> {
					answered(ReplyCode.of(rc));
					this.lock.reply(() -> replied(rc, created, stat));
				}, this.owner::listed);
	}

	// How long it took tells of the way to the leader, also when nobody waits for it.
	private void answered(ReplyCode reply) {
		if (reply.isOfServer()) {
			this.session.lease().answered(this.session.lease().at(this.leftAt));
		}
	}

	boolean isPending() {
		return this.state != State.CREATED;
	}

	LockNode node() {
		return Objects.requireNonNull(this.node, "The node was not created yet");
	}

	/** Make sure that there is no node, now or when the reply comes. */
	void discard() {
		switch (this.state) {
			case CREATED -> this.shared.janitor().remove(this.directory, this.contender, node().path());
			case UNKNOWN -> this.shared.janitor().sweep(this.directory, this.contender);
			case ABSENT -> neverCreated();
			case IN_FLIGHT, DISCARDED -> {
			}
		}
		this.state = State.DISCARDED;
	}

	/**
	 * Make sure of the same after a failure: it is not known whether the node was ever
	 * asked for. A reply may come nevertheless.
	 */
	void giveUp() {
		if (this.state == State.IN_FLIGHT) {
			this.state = State.UNKNOWN;
		}
		discard();
	}

	// The servers leave a directory alone in which there never was a node.
	private void neverCreated() {
		this.shared.names().forget(this.contender);
		if (this.parents.isDirectoryNew()) {
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

	// One of which it was not known whether it was sent is answered twice: it is looked
	// for since the first answer. If that was the reply, nothing may have been listed.
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
				this.parents.createThen(this::start);
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
		this.shared.janitor()
			.removeDirectories(this.shared.directories().add(this.directory, this.parents.isDirectoryNew()));
		this.node = new LockNode(this.session, this.directory, this.contender,
				Objects.requireNonNull(path, "A confirmed node has a path"), stat.getCzxid(), this.sentAt);
		this.state = State.CREATED;
	}

	// A server that lags behind, or has not committed yet, would hide a node that does
	// exist or will.
	private void reconcile() {
		this.state = State.UNKNOWN;
		this.owner.pause(() -> this.session.settle(this.directory, this.contender,
				(rc) -> this.owner.reply(() -> onReply(rc, this::find))));
	}

	private void find() {
		this.session.zooKeeper()
			.getChildren(this.directory, false,
					(rc, listed, context, children) -> this.owner.reply(() -> onReply(rc, () -> found(children))),
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
			.exists(path, false, (rc, checked, context, stat) -> this.owner.reply(() -> onReply(rc, () -> {
				confirmed(path, stat);
				this.owner.list();
			})), null);
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

		/** Nobody wants the node any more. */
		DISCARDED

	}

}
