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

import io.github.zklock.zookeeper.node.ReplyCode;
import io.github.zklock.zookeeper.session.LockSession.Member;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * A node that was created for a contender.
 *
 * @param session the session that it lives in
 * @param directory the path of the key
 * @param contender the unique beginning of its name
 * @param path its path
 * @param transaction the id of the transaction that created it
 * @param sentAt when this client asked for it, by the clock of the engine
 */
public record LockNode(LockSession session, String directory, String contender, String path, long transaction,
		long sentAt) {

	/**
	 * How many fencing tokens one node has. A transaction has 32 bits for the number of
	 * the leader, of which 19 are left: enough for one election every hour for 59 years.
	 */
	public static final int MAX_GRANTS = 1 << 12;

	/**
	 * Return a fencing token: the transaction, followed by 12 bits for the grant.
	 * @param grant how many locks were granted with this node before
	 */
	public long token(int grant) {
		return this.transaction * MAX_GRANTS + grant;
	}

	/**
	 * Return whether the tokens of this node are positive. Beyond that they would be less
	 * than the tokens of earlier nodes.
	 */
	public boolean hasTokens() {
		return this.transaction >= 0 && this.transaction <= Long.MAX_VALUE / MAX_GRANTS;
	}

	/**
	 * Return its name.
	 */
	public String name() {
		return this.path.substring(this.path.lastIndexOf('/') + 1);
	}

	/**
	 * A lock or cached turn: its node keeps its place in the queue while the lease of the
	 * session lasts.
	 */
	public interface Holder extends Member {

		LockNode node();

		/** Report the loss if the lease is over by the clock. */
		void loseIfOver();

		/**
		 * Check whether the node still exists, which the session alone does not show.
		 */
		default void verify() {
			LockSession session = node().session();
			session.zooKeeper()
				.exists(node().path(), false,
						session.replies().stat((int rc, String asked, Object context, @Nullable Stat stat) -> {
							if (ReplyCode.of(rc) == ReplyCode.NO_NODE) {
								lost();
							}
						}), null);
		}

	}

}
