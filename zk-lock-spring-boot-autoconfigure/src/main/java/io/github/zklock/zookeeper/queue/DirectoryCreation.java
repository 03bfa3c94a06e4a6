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

import io.github.zklock.zookeeper.node.ReplyCode;
import io.github.zklock.zookeeper.session.LockSession;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The creation of a key's directory, and of what is above it, for a contender that does
 * not know it, or found it missing. A parent that may not be created is no error as long
 * as it exists: the server checks the permission first.
 */
final class DirectoryCreation {

	private static final int MAX_STORED_KEY = 1024;

	private static final int ROUNDS_AT_ONCE = 3;

	private final Contenders shared;

	private final LockSession session;

	private final String directory;

	private final String key;

	private final QueueContender owner;

	private int rounds;

	private boolean directoryIsNew;

	private boolean rootMissing;

	private boolean chrootMissing;

	private int refusal;

	DirectoryCreation(Contenders shared, LockSession session, String directory, String key, QueueContender owner) {
		this.shared = shared;
		this.session = session;
		this.directory = directory;
		this.key = key;
		this.owner = owner;
	}

	/**
	 * Ask for the directory, which may exist.
	 */
	void start() {
		this.session.zooKeeper()
			.create(this.directory, storedKey(), this.shared.paths().acl(this.directory), CreateMode.CONTAINER,
					(int rc, String asked, Object context, @Nullable String created, @Nullable Stat stat) -> this.owner
						.reply(() -> asked(rc)),
					null);
	}

	/**
	 * Send what is needed to create above the directory, then let the contender try
	 * again, which begins with the directory.
	 */
	void createThen(Runnable again) {
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
				create(ancestor, ancestor.equals(ancestors.get(0)));
			}
		}
		if (this.rounds++ < ROUNDS_AT_ONCE) {
			again.run();
		}
		else {
			this.owner.pause(again);
		}
	}

	/**
	 * Return whether this has created the directory.
	 */
	boolean isDirectoryNew() {
		return this.directoryIsNew;
	}

	private void create(String ancestor, boolean topmost) {
		this.session.zooKeeper()
			.create(ancestor, new byte[0], this.shared.paths().acl(ancestor), CreateMode.PERSISTENT,
					(int rc, String asked, Object context, @Nullable String created, @Nullable Stat stat) -> this.owner
						.reply(() -> replied(rc, topmost)),
					null);
	}

	private void asked(int rc) {
		this.directoryIsNew |= ReplyCode.of(rc) == ReplyCode.OK;
		replied(rc, false);
	}

	private void replied(int rc, boolean topmost) {
		switch (ReplyCode.of(rc)) {
			case REFUSED -> remember(rc);
			case NO_NODE -> missing(topmost);
			default -> {
			}
		}
	}

	private void remember(int rc) {
		this.refusal = rc;
	}

	private void missing(boolean topmost) {
		this.rootMissing = true;
		this.chrootMissing |= topmost;
	}

	private byte[] storedKey() {
		byte[] bytes = this.key.getBytes(StandardCharsets.UTF_8);
		return (bytes.length <= MAX_STORED_KEY) ? bytes : new byte[0];
	}

}
