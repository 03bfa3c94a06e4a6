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

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * The nodes that somebody has deleted by hand. Whoever returns such a lock last is told
 * of the loss, unless the node has outlived the return: as a cached one, for a time, or
 * for another holder of the process.
 */
final class HandDeletes {

	/** Who hands a lock on asks once a second who else is there. */
	private static final long NOTICED = TimeUnit.MILLISECONDS.toNanos(1500);

	private static final long LOOKED = TimeUnit.MILLISECONDS.toNanos(150);

	/** How many tokens there are for one node. */
	private static final int TOKENS = 1 << 12;

	private final Judge judge;

	private final Map<Long, Long> deleted = new HashMap<>();

	private final Map<Long, Hold> last = new LinkedHashMap<>();

	// Whether the request that was granted last asks for a cached node.
	private final Map<Long, Boolean> cached = new HashMap<>();

	// When each of them was used long after it was deleted, for the first time.
	private final Map<Long, Long> used = new HashMap<>();

	private @Nullable Hold late;

	HandDeletes(Judge judge) {
		this.judge = judge;
	}

	private static long node(Hold hold) {
		return hold.token() / TOKENS;
	}

	void deleted(long czxid, long now) {
		this.deleted.putIfAbsent(czxid, now);
	}

	boolean isDeleted(Hold hold) {
		return this.deleted.containsKey(node(hold));
	}

	/**
	 * Somebody was given a lock. Who is the first by its node has waited behind others,
	 * and may not have looked at it for longer. The first one after a long idle time
	 * makes its process look, and does not wait for that.
	 */
	void entered(Hold hold) {
		this.cached.put(node(hold), hold.request().cache());
		Long since = this.deleted.get(node(hold));
		boolean handedOn = hold.token() % TOKENS > 0;
		if (this.late == null && handedOn && since != null && hold.grantedAt() - since > NOTICED) {
			long first = this.used.computeIfAbsent(node(hold), (node) -> hold.grantedAt());
			if (hold.grantedAt() - first > LOOKED) {
				this.late = hold;
			}
		}
	}

	/**
	 * Nothing but nodes and events was taken away.
	 */
	void requireAllNoticed() {
		if (this.late != null) {
			throw this.judge.violated("gone", this.late + " was handed the lock on long after its node was deleted",
					null);
		}
	}

	/**
	 * Somebody returns a lock. While another caller of the process waits for it, it is to
	 * be handed on, and nobody waits for the answer of the servers.
	 */
	void left(Hold hold) {
		if (!isDeleted(hold)) {
			return;
		}
		if (hold.isHandedOn()) {
			this.last.remove(node(hold));
		}
		else {
			this.last.put(node(hold), hold);
		}
	}

	/**
	 * All locks are returned, and nothing but nodes was taken away.
	 */
	void requireAllTold() {
		this.last.forEach((node, hold) -> {
			boolean kept = this.cached.get(node) || !hold.request().lockAtLeastFor().isZero();
			if (!kept && !hold.isLost()) {
				throw this.judge.violated("loss",
						hold + " was returned after its node was deleted, and is " + hold.handle().state(), null);
			}
		});
	}

}
