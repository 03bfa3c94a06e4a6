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

import io.github.zklock.zookeeper.ZooKeeperLockQueue.Contender;
import org.jspecify.annotations.Nullable;

/**
 * What became of the attempt to take a lock away from its holder.
 *
 * @param outcome the outcome
 * @param contender whose it was, {@code null} if there was none
 * @since 0.1.0
 * @see ZooKeeperLockInspector#revoke
 */
public record ZooKeeperLockRevocation(Outcome outcome, @Nullable Contender contender) {

	/**
	 * An outcome.
	 *
	 * @since 0.1.0
	 */
	public enum Outcome {

		/** The node of the holder is deleted. */
		REVOKED,

		/** No contender of the key has the token. */
		NOT_FOUND,

		/** The contender waits and does not hold the lock, so its node was left alone. */
		WAITING,

		/** The node was gone, or changed, before it could be deleted. */
		CHANGED

	}

}
