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

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import io.github.zklock.core.LockState;

/**
 * How long the locks of a session are surely held, by the clock of this process and
 * without asking anybody: until shortly before ZooKeeper could end the session at the
 * earliest. Writes that ZooKeeper has confirmed extend it. Neither a connection nor an
 * answered ping or read does: a server that was cut off from the others still gives them,
 * while the others have ended the session already. Times are nanoseconds since the lease
 * was made.
 */
final class SessionLease {

	private static final long NEVER = -1;

	private static final int SILENT_INTERVALS = 2;

	private final LongSupplier clock;

	private final long origin;

	private final ReentrantLock lock = new ReentrantLock();

	private final LeaseHistory history = new LeaseHistory();

	private volatile LeaseTerms terms;

	private volatile boolean kept;

	// Since when the leader has surely heard of the session.
	private volatile long base = Long.MIN_VALUE;

	private volatile long confirmedWrite = NEVER;

	private volatile long heartbeat = NEVER;

	private volatile long answer = NEVER;

	private volatile long interruption = NEVER;

	SessionLease(LeaseTerms terms, LongSupplier clock) {
		this.terms = terms;
		this.clock = clock;
		this.origin = clock.getAsLong();
		// The session was created by the leader.
		this.history.heard(0, -terms.halfTick(), terms);
	}

	long now() {
		return this.clock.getAsLong() - this.origin;
	}

	/**
	 * Return the time of a reading of the clock.
	 */
	long at(long reading) {
		return reading - this.origin;
	}

	LeaseTerms terms() {
		return this.terms;
	}

	/**
	 * Return whether the session timeout leaves a lease. If not, nothing ends by this
	 * clock.
	 */
	boolean isPossible() {
		return this.terms.leaveALease();
	}

	/**
	 * Take note of the terms of a new connection, which may be others. What was promised
	 * before must still be true.
	 */
	void renegotiated(LeaseTerms changed) {
		if (changed.timeout() < this.terms.timeout()) {
			this.terms = changed;
		}
	}

	/**
	 * A request that is no write was answered.
	 */
	void heard(long sent) {
		long now = now();
		this.lock.lock();
		try {
			this.history.heard(sent, now, this.terms);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * The connection was interrupted, so it needs a write to be sure again.
	 */
	void interrupted() {
		this.interruption = now();
	}

	/**
	 * The creation of a node is confirmed. While heartbeats are sent they alone extend
	 * the lease, because only they can tell of delays.
	 */
	void created(long sent) {
		this.lock.lock();
		try {
			this.confirmedWrite = Math.max(this.confirmedWrite, sent);
			if (!this.kept) {
				this.base = Math.max(this.base, this.history.assumed(sent, this.terms));
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * A creation was answered, perhaps late.
	 */
	void answered(long sent) {
		long now = now();
		this.lock.lock();
		try {
			this.history.answered(sent, now, this.terms);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * A lock is held, so heartbeats follow.
	 */
	void keep() {
		this.lock.lock();
		try {
			this.kept = true;
			this.answer = now();
			this.heartbeat = Math.max(this.confirmedWrite, 0);
			this.history.begin(this.heartbeat, this.answer);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * No lock is held any more.
	 */
	void drop() {
		this.kept = false;
	}

	/**
	 * Return whether heartbeats extend the lease, because a lock is held.
	 */
	boolean isKept() {
		return this.kept;
	}

	/**
	 * A heartbeat was answered.
	 */
	void beaten(long sent) {
		this.lock.lock();
		try {
			this.answer = now();
			this.heartbeat = Math.max(this.heartbeat, sent);
			this.confirmedWrite = Math.max(this.confirmedWrite, sent);
			this.base = Math.max(this.base, this.history.add(sent, this.answer, this.terms));
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Return when the next heartbeat is to be sent: often enough that one may be late.
	 */
	long due() {
		long last = this.heartbeat;
		return last + Math.min(this.terms.interval(), Math.max(validUntil() - last, 0) / 2);
	}

	long remaining() {
		return validUntil() - now();
	}

	boolean isOver() {
		return isPossible() && remaining() <= 0;
	}

	/**
	 * Return whether there was a confirmed write since the last interruption.
	 */
	boolean isConfirmed() {
		return !isPossible() || this.confirmedWrite > this.interruption;
	}

	boolean isUninterruptedSince(long sent) {
		return sent > this.interruption;
	}

	/**
	 * Return whether a lock can be granted without another write.
	 */
	boolean isFresh() {
		return isFresh(this.clock.getAsLong());
	}

	/**
	 * Return whether a lock can be granted without another write.
	 * @param reading a reading of the clock
	 */
	boolean isFresh(long reading) {
		return !isPossible() || (isConfirmed() && validUntil() - at(reading) >= this.terms.interval() / 2);
	}

	/**
	 * Return what the clock says of a lock that is held.
	 */
	LockState state() {
		if (!isPossible()) {
			return LockState.HELD;
		}
		long now = now();
		if (now >= validUntil()) {
			return LockState.LOST;
		}
		boolean silent = now - this.answer > SILENT_INTERVALS * this.terms.interval();
		return (silent || !isConfirmed()) ? LockState.UNCERTAIN : LockState.HELD;
	}

	private long validUntil() {
		long since = this.base;
		return (since != Long.MIN_VALUE) ? since + this.terms.length() : 0;
	}

}
