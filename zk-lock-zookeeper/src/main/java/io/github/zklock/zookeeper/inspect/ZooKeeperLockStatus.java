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

package io.github.zklock.zookeeper.inspect;

import java.time.Duration;
import java.util.List;

import io.github.zklock.core.LockState;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link io.github.zklock.zookeeper.ZooKeeperLockProvider} knows at one moment,
 * without asking ZooKeeper. Applications read this record and its parts, and do not
 * create them: a later version may add components.
 *
 * @param connection the connection to ZooKeeper
 * @param server the server that the client is connected to, as {@code host:port};
 * {@code null} if there is none, or it is not known
 * @param session the session of the client, {@code null} if there is none
 * @param heldLocks how many locks are held, nested ones counted once
 * @param pendingDeletes how many nodes are not needed any more but not yet known to be
 * deleted
 * @param problem why no lock can be taken, as the end of a sentence: there is no
 * connection, or ZooKeeper has refused requests in the last minute. A refusal counts
 * until a lock is acquired; {@code null} if no problem is known
 * @param refused what ZooKeeper has refused last, as the end of a sentence, even if that
 * is longer ago; {@code null} if a lock was acquired since
 * @param exposed a sentence, without its end, about each node that other clients may
 * change although the ACL of the locks keeps them out
 * @since 0.1.0
 * @see io.github.zklock.zookeeper.ZooKeeperLockProvider#status()
 */
public record ZooKeeperLockStatus(Connection connection, @Nullable String server, @Nullable Session session,
		int heldLocks, int pendingDeletes, @Nullable String problem, @Nullable String refused, List<String> exposed) {

	/**
	 * A connection to ZooKeeper.
	 */
	public enum Connection {

		/** There was none yet, and the time to open one is not over. */
		CONNECTING,

		/** There is one, and locks can be taken. */
		CONNECTED,

		/** There is none, and the client tries to open one. */
		DISCONNECTED,

		/** The provider, or its client, is closed. */
		CLOSED

	}

	/**
	 * A session of the client.
	 *
	 * @param mark a short mark of the session, the same wherever the session is shown.
	 * The id itself is not shown, since a client that knows it can end the session
	 * @param timeout the session timeout that ZooKeeper has granted
	 * @param state what is known of locks that are held in the session
	 * @param leaseLeft how long the locks are certain to be held without a message of
	 * ZooKeeper; {@code null} without locks, or if the session timeout is too short
	 */
	public record Session(String mark, Duration timeout, LockState state, @Nullable Duration leaseLeft) {

	}

}
