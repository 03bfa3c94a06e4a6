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
import java.time.Instant;
import java.util.List;

import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockMode;
import org.jspecify.annotations.Nullable;

/**
 * The queue of a key as ZooKeeper had it at one moment. Applications read this record and
 * its parts, and do not create them: a later version may add components.
 *
 * @param key the key; if its name in ZooKeeper was cut, since it is long, that name
 * @param path the path of its node, as the client sees it without a namespace
 * @param size how many contenders there are
 * @param contenders the first of them, in the order of the queue. Requests of one process
 * that wait for the key in one mode stand behind one contender
 * @param kept what keeps the key for a time, whether or not it is held
 * @since 0.1.0
 * @see ZooKeeperLockInspector
 */
public record ZooKeeperLockQueue(String key, String path, int size, List<Contender> contenders, List<Kept> kept) {

	/**
	 * A place in the queue.
	 *
	 * @param node the name of its node
	 * @param mode the mode
	 * @param permits how many may hold the key at once, in the eyes of the contender
	 * @param holds whether it holds the lock
	 * @param foreign whether it belongs to a plain Curator recipe
	 * @param cached whether its process may keep the lock although no holder uses it
	 * @param owner the client, as far as its data show it. When a lock passes from thread
	 * to thread within a process, thread and name stay the values of the first
	 * @param since when the node was created, by the clock of the servers
	 * @param fencingToken the fencing token of the first holder with this node, its czxid
	 * times 4,096; the next holders in the same process have the next tokens
	 * @param session the mark of its session, see {@link ZooKeeperLockStatus.Session};
	 * {@code null} if the node has none
	 */
	public record Contender(String node, LockMode mode, int permits, boolean holds, boolean foreign, boolean cached,
			LockHolder owner, Instant since, long fencingToken, @Nullable String session) {

	}

	/**
	 * What keeps a key for a minimum time ({@code lockAtLeastFor}), even when its holder
	 * is gone.
	 *
	 * @param readersMayEnter whether it keeps only writers out
	 * @param lockAtLeastFor how long it keeps the key
	 * @param since from about when, by the clock of the servers
	 */
	public record Kept(boolean readersMayEnter, Duration lockAtLeastFor, Instant since) {

	}

	/**
	 * A page of the keys that ZooKeeper has, with their queues.
	 *
	 * @param pattern the requested pattern
	 * @param page the number of the page, from 0
	 * @param size how many keys a page has at most
	 * @param matching how many keys match the pattern
	 * @param keys how many keys there are, those without a contender included: ZooKeeper
	 * deletes their nodes after a while
	 * @param queues the queues of the page, in the order of the keys
	 */
	public record Page(String pattern, int page, int size, int matching, int keys, List<ZooKeeperLockQueue> queues) {

	}

}
