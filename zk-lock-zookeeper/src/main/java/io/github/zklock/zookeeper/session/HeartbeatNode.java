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

package io.github.zklock.zookeeper.session;

import java.util.function.Consumer;

import io.github.zklock.zookeeper.node.LockPaths;
import io.github.zklock.zookeeper.node.ReplyCode;
import io.github.zklock.zookeeper.tasks.EngineTasks;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The ephemeral node to which a session writes its heartbeats, created by the first of
 * them.
 */
final class HeartbeatNode {

	private static final byte[] NOTHING = new byte[0];

	private final EngineTasks tasks;

	private final LockPaths paths;

	private final LockSession session;

	private final String path;

	private volatile boolean exists;

	private volatile boolean refused;

	private volatile boolean unwanted;

	private volatile long writtenAt;

	HeartbeatNode(LockSession session, EngineTasks tasks, LockPaths paths) {
		this.tasks = tasks;
		this.session = session;
		this.paths = paths;
		this.path = paths.session(session.id());
		this.writtenAt = tasks.nanoTime();
	}

	/** Return when a heartbeat was sent last, by the clock of the engine. */
	long writtenAt() {
		return this.writtenAt;
	}

	/**
	 * Send a heartbeat, and create the node if it is missing.
	 * @param outcome takes the outcome: {@link ReplyCode#OK} if a majority of the servers
	 * has agreed to the write
	 */
	void write(Consumer<ReplyCode> outcome) {
		this.writtenAt = this.tasks.nanoTime();
		if (this.refused) {
			check(outcome);
		}
		else if (this.exists) {
			this.session.zooKeeper()
				.setData(this.path, NOTHING, -1,
						this.session.replies()
							.stat((int rc, String written, Object context, @Nullable Stat stat) -> this.tasks
								.runReply(() -> onWriteReply(rc, outcome))),
						null);
		}
		else {
			create(outcome, true);
		}
	}

	/**
	 * Delete the node, now or when its creation is confirmed. Called at shutdown.
	 */
	void deleteForGood() {
		// In this order, so that a creation that is confirmed meanwhile is not missed.
		this.unwanted = true;
		if (this.exists) {
			this.unwanted = false;
			delete();
		}
	}

	/**
	 * Delete the node if there is one, without waiting. The next write succeeds whether
	 * or not the node exists.
	 */
	void delete() {
		if (this.exists && this.session.isUsable()) {
			this.exists = false;
			this.session.zooKeeper().delete(this.path, -1, (rc, deleted, context) -> {
				ReplyCode reply = ReplyCode.of(rc);
				if (reply != ReplyCode.OK && reply != ReplyCode.NO_NODE) {
					this.exists = true;
				}
			}, null);
		}
	}

	private void onWriteReply(int rc, Consumer<ReplyCode> outcome) {
		if (ReplyCode.of(rc) == ReplyCode.NO_NODE) {
			this.exists = false;
			create(outcome, true);
		}
		else {
			report(rc, outcome);
		}
	}

	private void create(Consumer<ReplyCode> outcome, boolean parentIsExpected) {
		this.session.zooKeeper()
			.create(this.path, NOTHING, this.paths.aclOfSessions(), CreateMode.EPHEMERAL,
					this.session.replies()
						.created((int rc, String asked, Object context, @Nullable String created,
								@Nullable Stat stat) -> this.tasks
									.runReply(() -> onCreateReply(rc, outcome, parentIsExpected))),
					null);
	}

	private void onCreateReply(int rc, Consumer<ReplyCode> outcome, boolean parentIsExpected) {
		if (ReplyCode.of(rc) == ReplyCode.NO_NODE && parentIsExpected) {
			String directory = this.paths.sessions();
			this.session.zooKeeper()
				.create(directory, NOTHING, this.paths.acl(directory), CreateMode.CONTAINER,
						(int parentRc, String asked, Object context, @Nullable String created, @Nullable Stat stat) -> {
						}, null);
			create(outcome, false);
			return;
		}
		boolean there = rc == Code.OK.intValue() || rc == Code.NODEEXISTS.intValue();
		// If it may exist, it has to be deleted later.
		this.exists = there || ReplyCode.of(rc) == ReplyCode.UNKNOWN;
		if (this.unwanted) {
			this.unwanted = false;
			delete();
		}
		report(there ? Code.OK.intValue() : rc, outcome);
	}

	// Any server may refuse a client by itself, without permission
	// (zookeeper.enableEagerACLCheck) or in a local session. Which answers the leader
	// alone gives differs between versions, so each refusal leads to a question to it.
	private void report(int rc, Consumer<ReplyCode> outcome) {
		ReplyCode reply = ReplyCode.of(rc);
		if (reply == ReplyCode.REFUSED) {
			// An ACL that is not known yet is asked for again.
			this.refused = rc != Code.INVALIDACL.intValue();
			check(outcome);
		}
		else {
			outcome.accept((reply == ReplyCode.NO_NODE) ? ReplyCode.OK : reply);
		}
	}

	// Only the leader answers a transaction, though it changes nothing.
	private void check(Consumer<ReplyCode> outcome) {
		this.session.check(this.path, (rc) -> this.tasks.runReply(() -> outcome.accept(agreed(rc))));
	}

	// A request that the leader refuses is a transaction too, which is answered only
	// after a majority has agreed to it.
	private static ReplyCode agreed(int rc) {
		boolean refusedByLeader = rc == Code.NOAUTH.intValue() || rc == Code.NONODE.intValue();
		return refusedByLeader ? ReplyCode.OK : ReplyCode.of(rc);
	}

}
