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

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
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
public final class SessionLease {

	private static final long NEVER = -1;

	private static final int SILENT_INTERVALS = 2;

	private final LongSupplier clock;

	private final IntSupplier granted;

	private final long origin;

	private final LeaseHistory history = new LeaseHistory();

	private volatile LeaseTerms terms;

	private volatile boolean kept;

	// Since when the leader has surely heard of the session.
	private volatile long base = Long.MIN_VALUE;

	private volatile long confirmedWrite = NEVER;

	private volatile long heartbeat = NEVER;

	private volatile long answer = NEVER;

	private volatile long interruption = NEVER;

	/**
	 * Create a lease.
	 * @param granted returns the session timeout of the last connection in milliseconds
	 */
	SessionLease(LeaseTerms terms, LongSupplier clock, IntSupplier granted) {
		this.terms = terms;
		this.clock = clock;
		this.granted = granted;
		this.origin = clock.getAsLong();
		// The session was created by the leader.
		this.history.heard(0, -terms.halfTick(), terms);
	}

	public long now() {
		return this.clock.getAsLong() - this.origin;
	}

	/**
	 * Return the time of a reading of the clock.
	 */
	public long at(long reading) {
		return reading - this.origin;
	}

	/**
	 * Return the terms of the shortest timeout so far. Another server may grant less than
	 * the one before, and its word counts before Curator tells of the connection. What
	 * was promised before must still be true.
	 */
	public LeaseTerms terms() {
		LeaseTerms known = this.terms;
		long timeout = TimeUnit.MILLISECONDS.toNanos(this.granted.getAsInt());
		if (timeout > 0 && timeout < known.timeout()) {
			known = new LeaseTerms(timeout, known.tick());
			this.terms = known;
		}
		return known;
	}

	/**
	 * Return whether the session timeout leaves a lease. If not, nothing ends by this
	 * clock.
	 */
	public boolean isPossible() {
		return terms().leaveALease();
	}

	/**
	 * A request that is no write was answered.
	 */
	synchronized void heard(long sent) {
		long now = now();
		this.history.heard(sent, now, terms());
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
	public synchronized void created(long sent) {
		this.confirmedWrite = Math.max(this.confirmedWrite, sent);
		if (!this.kept) {
			this.base = Math.max(this.base, this.history.assumed(sent, terms()));
		}
	}

	/**
	 * A creation was answered, perhaps late.
	 */
	public synchronized void answered(long sent) {
		long now = now();
		this.history.answered(sent, now, terms());
	}

	/**
	 * A lock is held, so heartbeats follow.
	 */
	synchronized void keep() {
		this.kept = true;
		this.answer = now();
		this.heartbeat = Math.max(this.confirmedWrite, 0);
		this.history.begin(this.heartbeat, this.answer);
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
	public boolean isKept() {
		return this.kept;
	}

	/**
	 * A heartbeat was answered.
	 */
	synchronized void beaten(long sent) {
		this.answer = now();
		this.heartbeat = Math.max(this.heartbeat, sent);
		this.confirmedWrite = Math.max(this.confirmedWrite, sent);
		this.base = Math.max(this.base, this.history.add(sent, this.answer, terms()));
	}

	/**
	 * Return when the next heartbeat is to be sent: often enough that one may be late.
	 */
	long due() {
		long last = this.heartbeat;
		return last + Math.min(terms().interval(), Math.max(validUntil() - last, 0) / 2);
	}

	public long remaining() {
		return validUntil() - now();
	}

	public boolean isOver() {
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
	public boolean isFresh() {
		return isFresh(this.clock.getAsLong());
	}

	/**
	 * Return whether a lock can be granted without another write.
	 * @param reading a reading of the clock
	 */
	public boolean isFresh(long reading) {
		return !isPossible() || (isConfirmed() && validUntil() - at(reading) >= terms().interval() / 2);
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
		boolean silent = now - this.answer > SILENT_INTERVALS * terms().interval();
		return (silent || !isConfirmed()) ? LockState.UNCERTAIN : LockState.HELD;
	}

	private long validUntil() {
		long since = this.base;
		return (since != Long.MIN_VALUE) ? since + terms().length() : 0;
	}

	/**
	 * The heartbeats of late, and since when the leader of the servers has surely heard
	 * of the session. A heartbeat that was answered shows that the leader has received it
	 * and all that its server had sent to the leader before. A server tells the leader of
	 * its clients when the leader asks, every half tick; the answer to an earlier
	 * heartbeat came on the same way as the leader's question, after it. Therefore: of
	 * two answered heartbeats, the earlier one proves that the leader has heard of the
	 * session since the last write that was answered half a tick before it was sent.
	 */
	private static final class LeaseHistory {

		private static final int KEPT = 16;

		private static final int KEPT_PER_HALF_TICK = 8;

		private final Deque<Write> writes = new ArrayDeque<>();

		// What shows that a server has heard of the session: the pings of ZooKeeper's
		// client
		// are not told.
		private final Deque<Write> signs = new ArrayDeque<>();

		// When an answer was late for the last time.
		private long late = Long.MIN_VALUE;

		void begin(long sent, long now) {
			this.writes.clear();
			this.writes.add(new Write(sent, now));
		}

		/**
		 * A request was answered, so a server has heard of the session since that was
		 * sent.
		 */
		void heard(long sent, long answered, LeaseTerms terms) {
			addIfApart(this.signs, new Write(sent, answered), terms);
		}

		/**
		 * A write was answered, perhaps late.
		 */
		void answered(long sent, long answered, LeaseTerms terms) {
			if (answered - sent > terms.halfTick()) {
				this.late = Math.max(this.late, answered);
			}
			heard(sent, answered, terms);
		}

		/**
		 * Return since when the leader has heard of the session at the time of a write,
		 * provided that it has asked for the clients of the server in time. Without a
		 * late answer since then there is no reason to assume that it has not. It cannot
		 * have heard of a client that stood still.
		 * @return {@link Long#MIN_VALUE} if that cannot be assumed
		 */
		long assumed(long sent, LeaseTerms terms) {
			long since = sent - terms.silenceBeforeFirstWrite();
			return (since > this.late && isHeard(since, sent - terms.halfTick())) ? since : Long.MIN_VALUE;
		}

		private boolean isHeard(long since, long until) {
			for (Write sign : this.signs) {
				if (sign.sent >= since && sign.answered <= until) {
					return true;
				}
			}
			return false;
		}

		/**
		 * Add an answered heartbeat.
		 * @return since when the leader has surely heard of the session, or
		 * {@link Long#MIN_VALUE} if that is not known
		 */
		long add(long sent, long answered, LeaseTerms terms) {
			answered(sent, answered, terms);
			long proved = proved(sent, terms.halfTick());
			long assumed = assumed(sent, terms);
			addIfApart(this.writes, new Write(sent, answered), terms);
			return Math.max(proved, assumed);
		}

		// Those close behind others would drive out what they could be compared with.
		private static void addIfApart(Deque<Write> latest, Write write, LeaseTerms terms) {
			if (latest.isEmpty() || write.sent - latest.getLast().sent >= terms.halfTick() / KEPT_PER_HALF_TICK) {
				latest.add(write);
			}
			if (latest.size() > KEPT) {
				latest.removeFirst();
			}
		}

		private long proved(long sent, long halfTick) {
			Write witness = null;
			for (Iterator<Write> latest = this.writes.descendingIterator(); latest.hasNext();) {
				Write write = latest.next();
				if (witness == null) {
					witness = (write.answered <= sent) ? write : null;
				}
				else if (write.answered <= witness.sent - halfTick) {
					return write.sent;
				}
			}
			return Long.MIN_VALUE;
		}

		private record Write(long sent, long answered) {
		}

	}

}
