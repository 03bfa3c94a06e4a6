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

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The times of a lease by the session timeout. ZooKeeper ends a session only when its
 * timeout has passed since the leader last heard of it. The leader hears of the clients
 * of other servers only every half tick, and an idle client sends something only every
 * third of the timeout.
 *
 * @param timeout the session timeout that the server has granted, in nanoseconds
 * @param tick the tick of the servers, in nanoseconds
 */
public record LeaseTerms(long timeout, long tick) {

	private static final int BEATS = 6;

	private static final int IDLE_PINGS = 3;

	private static final int MARGIN_PART = 20;

	private static final long LEAST_MARGIN = TimeUnit.MILLISECONDS.toNanos(500);

	public static LeaseTerms of(Duration timeout, Duration tick) {
		return new LeaseTerms(timeout.toNanos(), tick.toNanos());
	}

	public long timeoutMillis() {
		return TimeUnit.NANOSECONDS.toMillis(this.timeout);
	}

	/**
	 * Return the time between two heartbeats.
	 */
	long interval() {
		return this.timeout / BEATS;
	}

	/**
	 * Return how long the leader may not have heard of a session when it sends its first
	 * write.
	 */
	long silenceBeforeFirstWrite() {
		return this.timeout / IDLE_PINGS + halfTick();
	}

	long halfTick() {
		return this.tick / 2;
	}

	/**
	 * Return how long a lease lasts from when the leader had surely heard of the session.
	 * A margin allows for different rates of clocks.
	 */
	long length() {
		return this.timeout - margin();
	}

	/**
	 * Return how long a lease lasts from the first write, negative if there is none.
	 */
	long firstLease() {
		return length() - silenceBeforeFirstWrite();
	}

	/**
	 * Return whether a lease can be kept up.
	 */
	boolean leaveALease() {
		return firstLease() >= interval();
	}

	/**
	 * Return the shortest session timeout, in milliseconds, that would leave a lease.
	 */
	long leastTimeoutMillis() {
		// Solved for the timeout: first with the least margin, then with a part of it.
		long leastMargin = this.tick + 2 * LEAST_MARGIN;
		long partOfIt = this.tick * 10 / 9;
		return TimeUnit.NANOSECONDS.toMillis(Math.max(leastMargin, partOfIt)) + 1;
	}

	private long margin() {
		return Math.max(LEAST_MARGIN, this.timeout / MARGIN_PART);
	}

}
