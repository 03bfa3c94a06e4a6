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

import java.util.function.Consumer;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The ephemeral node to which a session writes its heartbeats, created by the first of
 * them.
 */
final class HeartbeatNode {

	private static final byte[] NOTHING = new byte[0];

	private final LockEngine engine;

	private final LockSession session;

	private final String directory;

	private final String path;

	private volatile boolean exists;

	private volatile long writtenAt;

	HeartbeatNode(LockEngine engine, LockSession session) {
		this.engine = engine;
		this.session = session;
		this.directory = engine.paths().sessions();
		this.path = this.directory + "/" + Long.toHexString(session.id());
		this.writtenAt = engine.nanoTime();
	}

	/**
	 * Send a write, and what else it needs to succeed.
	 * @param outcome is given the outcome: {@link ReplyCode#OK} if a majority of the
	 * servers has agreed to the write
	 */
	void write(Consumer<ReplyCode> outcome) {
		this.writtenAt = this.engine.nanoTime();
		if (this.exists) {
			zooKeeper().setData(this.path, NOTHING, -1, (int rc, String written, Object context,
					@Nullable Stat stat) -> reply(() -> written(rc, outcome), outcome), null);
		}
		else {
			create(outcome, true);
		}
	}

	/**
	 * Return whether there was no write for long.
	 * @param now a reading of the clock of the engine
	 */
	boolean isUnused(long now) {
		return now - this.writtenAt > LockSession.UNUSED;
	}

	/**
	 * Delete the node if there is one, without waiting for it. Whether it was there or
	 * not, the next write succeeds.
	 */
	void delete() {
		if (this.exists && this.session.isUsable()) {
			this.exists = false;
			zooKeeper().delete(this.path, -1, (rc, deleted, context) -> {
				ReplyCode reply = ReplyCode.of(rc);
				if (reply != ReplyCode.OK && reply != ReplyCode.NO_NODE) {
					this.exists = true;
				}
			}, null);
		}
	}

	private void written(int rc, Consumer<ReplyCode> outcome) {
		if (ReplyCode.of(rc) == ReplyCode.NO_NODE) {
			this.exists = false;
			create(outcome, true);
		}
		else {
			outcome.accept(agreed(rc));
		}
	}

	private void create(Consumer<ReplyCode> outcome, boolean parentIsExpected) {
		zooKeeper().create(this.path, NOTHING, this.engine.acl(this.path), CreateMode.EPHEMERAL,
				(int rc, String asked, Object context, @Nullable String created,
						@Nullable Stat stat) -> reply(() -> created(rc, outcome, parentIsExpected), outcome),
				null);
	}

	private void created(int rc, Consumer<ReplyCode> outcome, boolean parentIsExpected) {
		if (ReplyCode.of(rc) == ReplyCode.NO_NODE && parentIsExpected) {
			zooKeeper().create(this.directory, NOTHING, this.engine.acl(this.directory), CreateMode.CONTAINER,
					(int parentRc, String asked, Object context, @Nullable String created, @Nullable Stat stat) -> {
					}, null);
			create(outcome, false);
			return;
		}
		boolean there = rc == Code.OK.intValue() || rc == Code.NODEEXISTS.intValue();
		// If it may be there, it has to be deleted some time.
		this.exists = there || ReplyCode.of(rc) == ReplyCode.UNKNOWN;
		outcome.accept(there ? ReplyCode.OK : agreed(rc));
	}

	// A write that the leader refuses becomes a transaction like any other, to which a
	// majority has to agree before it is answered.
	private static ReplyCode agreed(int rc) {
		boolean refusedByLeader = rc == Code.NOAUTH.intValue() || rc == Code.QUOTAEXCEEDED.intValue()
				|| rc == Code.NONODE.intValue() || rc == Code.INVALIDACL.intValue();
		return refusedByLeader ? ReplyCode.OK : ReplyCode.of(rc);
	}

	private void reply(Runnable step, Consumer<ReplyCode> outcome) {
		this.engine.reply(() -> take(step, outcome));
	}

	// Nothing is known then, and there is a next time.
	private static void take(Runnable step, Consumer<ReplyCode> outcome) {
		try {
			step.run();
		}
		catch (Throwable ex) {
			Mender.log("The reply to a heartbeat could not be taken", ex);
			outcome.accept(ReplyCode.UNKNOWN);
		}
	}

	private ZooKeeper zooKeeper() {
		return this.session.zooKeeper();
	}

}
