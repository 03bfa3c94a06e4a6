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

package io.github.zklock.simulation;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The nodes that somebody has deleted by hand. Whoever returns such a lock last is told
 * of the loss, unless the node has outlived the return: as a cached one, for a time, or
 * for another holder of the process.
 */
final class HandDeletes {

	/** How many tokens there are for one node. */
	private static final int TOKENS = 1 << 12;

	private final Judge judge;

	private final Set<Long> deleted = new HashSet<>();

	private final Map<Long, Hold> last = new LinkedHashMap<>();

	HandDeletes(Judge judge) {
		this.judge = judge;
	}

	private static long node(Hold hold) {
		return hold.token() / TOKENS;
	}

	void deleted(long czxid) {
		this.deleted.add(czxid);
	}

	boolean isDeleted(Hold hold) {
		return this.deleted.contains(node(hold));
	}

	/**
	 * Somebody returns a lock.
	 */
	void left(Hold hold) {
		if (isDeleted(hold)) {
			this.last.put(node(hold), hold);
		}
	}

	/**
	 * All locks are returned, and nothing but nodes was taken away.
	 */
	void requireAllTold() {
		this.last.forEach((node, hold) -> {
			boolean kept = hold.request().cache() || !hold.request().atLeast().isZero();
			if (!kept && !hold.isLost()) {
				throw this.judge.violated("loss",
						hold + " was returned after its node was deleted, and is " + hold.handle().state(), null);
			}
		});
	}

}
