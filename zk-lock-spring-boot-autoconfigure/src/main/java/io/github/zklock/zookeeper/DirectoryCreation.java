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

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntConsumer;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.CreateOptions;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
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

	private final LockEngine engine;

	private final LockSession session;

	private final String directory;

	private final String key;

	private final QueueContender owner;

	private int rounds;

	private boolean directoryIsNew;

	private boolean rootMissing;

	private boolean chrootMissing;

	private int refusal;

	DirectoryCreation(LockEngine engine, LockSession session, String directory, String key, QueueContender owner) {
		this.engine = engine;
		this.session = session;
		this.directory = directory;
		this.key = key;
		this.owner = owner;
	}

	/**
	 * Return a request for the directory, which may exist.
	 * @param expectedNew whether it is expected not to
	 */
	DirectoryRequest request(boolean expectedNew) {
		return new DirectoryRequest(this.directory, storedKey(), this.engine.acl(this.directory),
				(rc) -> this.owner.reply(() -> asked(rc, expectedNew)));
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
			List<String> ancestors = this.engine.paths().ancestors();
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
			.create(ancestor, new byte[0], this.engine.acl(ancestor), CreateMode.PERSISTENT,
					(int rc, String asked, Object context, @Nullable String created, @Nullable Stat stat) -> this.owner
						.reply(() -> replied(rc, topmost)),
					null);
	}

	private void asked(int rc, boolean expected) {
		boolean isNew = ReplyCode.of(rc) == ReplyCode.OK;
		this.directoryIsNew |= isNew;
		if (isNew || ReplyCode.of(rc) == ReplyCode.REFUSED || rc == Code.NODEEXISTS.intValue()) {
			this.engine.directories().created().asked(expected, isNew);
		}
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

	/**
	 * A request to create the directory of a key.
	 */
	static final class DirectoryRequest extends CombinableRequest {

		private static final int OVERHEAD = 128;

		private final byte[] data;

		private final List<ACL> acl;

		private final IntConsumer created;

		/**
		 * Create a request.
		 * @param created is given the code that it is answered by
		 */
		DirectoryRequest(String directory, byte[] data, List<ACL> acl, IntConsumer created) {
			super(directory);
			this.data = data;
			this.acl = acl;
			this.created = created;
			// The server refuses it.
			if (acl.isEmpty()) {
				alone();
			}
		}

		@Override
		int size() {
			return directory().length() + this.data.length + OVERHEAD * (1 + this.acl.size());
		}

		@Override
		boolean isWrite() {
			return true;
		}

		@Override
		Op write() {
			return Op.create(directory(), this.data, CreateOptions.newBuilder(this.acl, CreateMode.CONTAINER).build());
		}

		@Override
		void send(ZooKeeper zooKeeper, Runnable answered) {
			zooKeeper.create(directory(), this.data, this.acl, CreateMode.CONTAINER,
					(int rc, String asked, Object context, @Nullable String path, @Nullable Stat stat) -> {
						try {
							this.created.accept(rc);
						}
						finally {
							answered.run();
						}
					}, null);
		}

		@Override
		void fail(int rc) {
			this.created.accept(rc);
		}

		@Override
		void written(int rc, @Nullable OpResult result) {
			this.created.accept(rc);
		}

	}

}
