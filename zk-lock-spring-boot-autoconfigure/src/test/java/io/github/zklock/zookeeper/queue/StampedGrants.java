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

import io.github.zklock.core.LockRequest;
import io.github.zklock.zookeeper.node.AtLeastStamp;
import io.github.zklock.zookeeper.queue.MinimumHolds.MinimumHold;
import io.github.zklock.zookeeper.queue.QueueContender.Grant;

/**
 * Places in the queue whose locks keep their key for a time.
 */
public final class StampedGrants {

	private StampedGrants() {
	}

	/**
	 * Return a place with the minimum time of a request.
	 */
	public static Grant of(MinimumHolds holds, Grant grant, LockRequest request) {
		AtLeastStamp stamp = AtLeastStamp.of(grant.node().contender(), 1, request, 100);
		return new Grant(grant.node(), holds.of(grant.node(), stamp, 0), null, false);
	}

	/**
	 * Return whether the time has begun and is not over.
	 */
	public static boolean isRunning(MinimumHold time) {
		return time.isRunning();
	}

}
