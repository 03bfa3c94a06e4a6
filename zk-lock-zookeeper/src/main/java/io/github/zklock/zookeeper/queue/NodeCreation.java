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

import io.github.zklock.zookeeper.node.QueueNode;
import io.github.zklock.zookeeper.node.ReplyCode;
import io.github.zklock.zookeeper.request.CombinableRequest;
import io.github.zklock.zookeeper.session.LockNode;
import io.github.zklock.zookeeper.session.LockSession;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Creates the node of a place, until the outcome is known. The creation is confirmed by
 * the reply, or the node is found by its unique name. If it is proved not to have
 * happened, it is repeated. Missing parents are created as well.
 */
final class NodeCreation {

	private static final int MAX_STORED_KEY = 1024;

	private static final int ROUNDS_AT_ONCE = 3;

	// With a sign, if the numbers of a directory are used up.
	private static final int MOST_DIGITS = 11;

	private final Place place;

	private final Services services;

	private final LockSession session;

	private final String directory;

	private long sentAt;

	private int rounds;

	private boolean directoryIsNew;

	private boolean rootMissing;

	private boolean chrootMissing;

	private int refusal;

	NodeCreation(Place place) {
		this.place = place;
		this.services = place.services;
		this.session = place.session;
		this.directory = place.directory;
	}

	/** Create the node, and its directory unless that is known to exist. */
	void start() {
		if (!this.place.checkListable()) {
			return;
		}
		String refusal = this.services.janitor().refusal(this.directory);
		if (refusal != null) {
			this.place.schedule(() -> this.place.refuse((failures) -> failures.undeleted(refusal)), 0);
			return;
		}
		if (!this.services.directories().isKnown(this.directory)) {
			byte[] key = this.services.paths().shown(this.place.request.key()).getBytes(StandardCharsets.UTF_8);
			createParent(this.directory, (key.length <= MAX_STORED_KEY) ? key : new byte[0],
					this.place.acls.directory(), CreateMode.CONTAINER, false);
		}
		// Before it is sent, since a closed client answers at once.
		this.place.to(PlaceState.CREATING);
		this.sentAt = this.services.tasks().nanoTime();
		this.session.requests().send(entry());
	}

	private CombinableRequest entry() {
		String prefix = this.directory + "/" + this.place.name + QueueNode.infix(this.place.request);
		return CombinableRequest.entry(this.directory, prefix, this.place.data, this.place.acls.nodes(),
				this.session.replies()
					.created((int rc, String asked, Object context, @Nullable String created,
							@Nullable Stat stat) -> receiveReply(rc, created, stat)),
				this.session.replies().children(this.place.ahead()::listed));
	}

	private void receiveReply(int rc, @Nullable String created, @Nullable Stat stat) {
		if (this.place.mutex.isBroken() && created != null) {
			// It may have been sent after NodeJanitor.removeBroken has looked for it.
			removeIfCreated(rc, created);
		}
		this.place.mutex.runReply(() -> onReplyToCreate(rc, created, stat));
	}

	private void createParent(String path, byte[] data, List<ACL> acl, CreateMode mode, boolean topmost) {
		this.place.session.create(path, data, acl, mode, (rc) -> this.place.mutex.runReply(() -> {
			switch (ReplyCode.of(rc)) {
				case OK -> {
					this.directoryIsNew |= path.equals(this.directory);
				}
				case REFUSED -> {
					this.refusal = rc;
				}
				case NO_NODE -> {
					this.rootMissing = true;
					this.chrootMissing |= topmost;
				}
				case SESSION_ENDED -> {
				}
				case UNKNOWN -> {
					if (rc == Code.NODEEXISTS.intValue() && path.equals(this.directory)) {
						this.services.found().accept(this.session, path);
					}
				}
			}
		}));
	}

	// A refused parent counts only if the directory is missing as well. The server checks
	// the permission before it checks whether the node exists.
	private void createParents() {
		if (this.refusal != 0) {
			this.place.refuse(this.refusal);
			return;
		}
		if (this.chrootMissing) {
			this.place.refuse(AttemptFailures::noChroot);
			return;
		}
		if (this.rootMissing) {
			List<String> ancestors = this.services.paths().ancestors();
			for (String ancestor : ancestors) {
				createParent(ancestor, new byte[0], this.services.paths().acl(ancestor), CreateMode.PERSISTENT,
						ancestor.equals(ancestors.get(0)));
			}
		}
		if (this.rounds++ < ROUNDS_AT_ONCE) {
			start();
		}
		else {
			this.place.resumeLater(this::start);
		}
	}

	/** Delete the node, now or when the reply comes. */
	void discard(PlaceState known) {
		switch (known) {
			case QUEUED -> this.services.janitor().remove(this.place.node());
			case UNKNOWN -> this.services.janitor().removeByName(this.session, this.directory, this.place.name);
			case NEW, LOOKING, ABSENT -> neverCreated();
			case CREATING, HELD, CACHED, HELD_AGAIN, LOST, LEFT, RELEASED -> {
			}
		}
	}

	// The servers do not delete a directory that never had a node.
	private void neverCreated() {
		this.services.names().forget(this.place.name);
		if (this.directoryIsNew) {
			this.services.directories().removeEmpty(List.of(this.directory));
		}
	}

	// The place was left before this reply, so no other object deletes the node.
	private void removeIfCreated(int rc, @Nullable String created) {
		switch (ReplyCode.of(rc)) {
			case OK -> this.services.janitor().remove(this.directory, this.place.name, String.valueOf(created));
			case NO_NODE, REFUSED -> neverCreated();
			case SESSION_ENDED, UNKNOWN ->
				this.services.janitor().removeByName(this.session, this.directory, this.place.name);
		}
	}

	// A request that may not have been sent can be answered twice. The first answer
	// starts a search; the second one makes sure that the queue is listed.
	private void onReplyToCreate(int rc, @Nullable String created, @Nullable Stat stat) {
		switch (this.place.state()) {
			case CREATING -> onFirstReply(rc, created, stat);
			case QUEUED -> this.place.list();
			case LEFT -> removeIfCreated(rc, created);
			default -> {
			}
		}
	}

	private void onFirstReply(int rc, @Nullable String created, @Nullable Stat stat) {
		switch (ReplyCode.of(rc)) {
			case OK -> {
				if (stat != null) {
					confirmed(created, stat);
				}
				else {
					this.place.to(PlaceState.UNKNOWN);
					adopt(List.of(String.valueOf(created)));
				}
			}
			case NO_NODE -> {
				this.place.to(PlaceState.ABSENT);
				this.services.directories().gone(this.directory);
				createParents();
			}
			case SESSION_ENDED -> {
				this.place.to(PlaceState.UNKNOWN);
				this.place.vanish();
			}
			case REFUSED -> {
				this.place.to(PlaceState.ABSENT);
				this.place.refuse(rc);
			}
			case UNKNOWN -> reconcile();
		}
	}

	private void confirmed(@Nullable String path, Stat stat) {
		this.session.clock().read(stat.getCtime());
		this.services.directories().used(this.directory, this.directoryIsNew);
		this.place.nodeCreated(new LockNode(this.session, this.directory, this.place.name,
				Objects.requireNonNull(path, "A confirmed node has a path"), stat.getCzxid(), this.sentAt));
	}

	// Without a write the search could miss the node, because the server lags behind or
	// the creation is not committed yet.
	private void reconcile() {
		this.place.to(PlaceState.UNKNOWN);
		this.place.resumeLater(() -> this.session.afterEarlierWrites(this.directory, this.place.name,
				(rc) -> this.place.runReply(() -> onReply(rc, this::find))));
	}

	private void find() {
		if (!this.place.checkListable()) {
			return;
		}
		this.session.requests().guard(this.directory);
		this.session.zooKeeper()
			.getChildren(this.directory, false,
					this.session.replies()
						.children((rc, listed, context, children) -> this.place
							.runReply(() -> onReply(rc, () -> found(children)))),
					null);
	}

	// Others may have forged nodes with the same beginning.
	private void found(List<String> children) {
		String prefix = this.place.name + QueueNode.infix(this.place.request);
		adopt(children.stream()
			.filter((child) -> child.startsWith(prefix) && child.length() <= prefix.length() + MOST_DIGITS)
			.map(this.place::path)
			.toList());
	}

	/** Take the first of these nodes that lives in this session, or create one. */
	private void adopt(List<String> paths) {
		if (paths.isEmpty()) {
			start();
			return;
		}
		List<String> others = paths.subList(1, paths.size());
		this.session.zooKeeper()
			.exists(paths.get(0), false,
					this.session.replies()
						.stat((int rc, String asked, Object context, @Nullable Stat stat) -> this.place
							.runReply(() -> this.place.onReply(rc, () -> {
								if (stat == null || stat.getEphemeralOwner() != this.session.id()) {
									adopt(others);
									return;
								}
								confirmed(paths.get(0), stat);
								this.place.list();
							}, () -> adopt(others), this::reconcile))),
					null);
	}

	private void onReply(int rc, Runnable onOk) {
		this.place.onReply(rc, onOk, this::start, this::reconcile);
	}

}
