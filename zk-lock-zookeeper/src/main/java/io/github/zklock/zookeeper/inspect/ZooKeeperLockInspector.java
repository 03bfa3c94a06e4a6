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

import io.github.zklock.zookeeper.inspect.ZooKeeperLockQueue.Contender;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the queues of the keys in ZooKeeper, for tools and people. The result
 * describes one moment, which may be over when it is read. Every method blocks, for no
 * longer than the bound that it is given. A provider inspects one question at a time:
 * another waits for it, within its own bound, and is refused if four wait already. All
 * requests of one process that wait for a key in one mode stand behind one node, so they
 * are one contender here.
 * {@link io.github.zklock.zookeeper.ZooKeeperLockProvider#snapshot()} lists them in that
 * process.
 * <p>
 * All names of a query come in one reply. A reply that might not fit into the buffer of
 * the client would end its connection, so such a query is refused before. The client that
 * zk-lock builds accepts 32 MB (164,000 keys of the longest names), unless the system
 * property {@code jute.maxbuffer} has another value. A client of the application with
 * ZooKeeper's default of 1 MB refuses queries beyond 5,100 keys. It also refuses the
 * queue of a key beyond 8,100 nodes (contenders, and stamps). Set {@code jute.maxbuffer}
 * on the {@code ZKClientConfig} of that client. At most 200 nodes are read at the same
 * time. Data of more than 4,096 bytes, or of a node that this client may not read, belong
 * to {@code another client}.
 *
 * @since 0.1.0
 * @see io.github.zklock.zookeeper.ZooKeeperLockProvider#inspector()
 */
public interface ZooKeeperLockInspector {

	/**
	 * How many keys a page has at most.
	 */
	int MAX_PAGE_SIZE = 100;

	/**
	 * Return the queue of a key, with its first 1,000 contenders. The names of all are
	 * read for that, in one reply.
	 * @param key the key
	 * @param bound how long this may take
	 * @return the queue, empty if no client wants the key
	 * @throws io.github.zklock.core.LockKeyException if the key is not allowed
	 * @throws ZooKeeperInspectionException if ZooKeeper cannot be asked, or does not
	 * answer
	 */
	ZooKeeperLockQueue queue(String key, Duration bound);

	/**
	 * Return the queues of the keys that match a pattern, a page of them, each with its
	 * first 10 contenders. The names of all keys are read for that, in one reply. If you
	 * know the key, {@link #queue} reads its directory alone. A key of more than about
	 * 200 characters is found by its shortened name. The comparison with a complex
	 * pattern stops at the bound as well.
	 * @param pattern the pattern, in which {@code *} stands for any text
	 * @param page the number of the page, from 0
	 * @param size how many keys a page has, at most {@value #MAX_PAGE_SIZE}
	 * @param bound how long this may take
	 * @return the page, empty beyond the last one
	 * @throws IllegalArgumentException if there cannot be such a page
	 * @throws ZooKeeperInspectionException if ZooKeeper cannot be asked, or does not
	 * answer
	 */
	ZooKeeperLockQueue.Page queues(String pattern, int page, int size, Duration bound);

	/**
	 * Delete the node of a held lock, so that the next contender gets the lock. Its
	 * holder is not asked, and continues until it notices. Meanwhile only the fencing
	 * token protects the locked resource.
	 * @param key the key
	 * @param fencingToken the token of the contender in its {@linkplain #queue queue}, or
	 * of a lock which this process holds at the moment
	 * @param bound how long this may take
	 * @return what became of it
	 * @throws io.github.zklock.core.LockKeyException if the key is not allowed
	 * @throws ZooKeeperInspectionException if ZooKeeper cannot be asked, or does not
	 * answer; then the node may be deleted or not
	 */
	Revocation revoke(String key, long fencingToken, Duration bound);

	/**
	 * What became of the attempt to take a lock away from its holder.
	 *
	 * @param outcome the outcome
	 * @param contender the contender with the fencing token, {@code null} if there was
	 * none
	 */
	record Revocation(Outcome outcome, @Nullable Contender contender) {

		/**
		 * An outcome.
		 */
		public enum Outcome {

			/** The node of the holder is deleted. */
			REVOKED,

			/** No contender of the key has the token. */
			NOT_FOUND,

			/**
			 * The contender waits and does not hold the lock, so its node was left alone.
			 */
			WAITING,

			/** The node was gone, or changed, before it could be deleted. */
			CHANGED

		}

	}

}
