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
 * How long the locks of a session are surely held, by the clock of this process alone:
 * until shortly before ZooKeeper could end the session at the earliest. Only writes that
 * ZooKeeper has confirmed extend the lease. A connection or an answered ping or read does
 * not: a server that is cut off from the others still answers when the others have ended
 * the session. Times are nanoseconds since the lease was created.
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
	 * Convert a reading of the clock to a time of this lease.
	 */
	public long at(long reading) {
		return reading - this.origin;
	}

	/**
	 * Return the terms of the shortest timeout so far. Another server may grant less than
	 * the one before, which counts even before Curator reports the connection. A longer
	 * timeout is never used, so that earlier leases stay valid.
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
	 * Return whether the session timeout leaves a lease. If not, no lock ends by this
	 * clock.
	 */
	public boolean isPossible() {
		return terms().leaveALease();
	}

	/**
	 * Called when a request other than a write was answered.
	 */
	synchronized void heard(long sent) {
		long now = now();
		this.history.heard(sent, now, terms());
	}

	/**
	 * Require another write. Called when the connection was interrupted.
	 */
	void interrupted() {
		this.interruption = now();
	}

	/**
	 * Extend the lease by a confirmed creation of a node. While heartbeats are sent only
	 * they do that, because only they can tell of delays.
	 */
	public synchronized void created(long sent) {
		this.confirmedWrite = Math.max(this.confirmedWrite, sent);
		if (!this.kept) {
			this.base = Math.max(this.base, this.history.assumed(sent, terms()));
		}
	}

	/**
	 * Called when a creation was answered, perhaps late.
	 */
	public synchronized void answered(long sent) {
		long now = now();
		this.history.answered(sent, now, terms());
	}

	/**
	 * Let heartbeats extend the lease. Called when the first lock is held.
	 */
	synchronized void keep() {
		this.kept = true;
		this.answer = now();
		this.heartbeat = Math.max(this.confirmedWrite, 0);
		this.history.begin(this.heartbeat, this.answer);
	}

	/**
	 * Called when no lock is held any more.
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
	 * Extend the lease. Called when a heartbeat was answered.
	 */
	synchronized void beaten(long sent) {
		this.answer = now();
		this.heartbeat = Math.max(this.heartbeat, sent);
		this.confirmedWrite = Math.max(this.confirmedWrite, sent);
		this.base = Math.max(this.base, this.history.add(sent, this.answer, terms()));
	}

	/**
	 * Return when the next heartbeat is due: early enough that one may be late.
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
	 * Return the state of a held lock by the clock.
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
	 * The latest heartbeats, which prove since when the leader has surely heard of the
	 * session. An answered heartbeat shows that the leader has received it and all that
	 * its server had sent before. Every half tick the leader asks its servers for their
	 * clients, and the answer to a later write comes to the server after that question.
	 * So of two answered heartbeats, the earlier one proves that the leader has heard of
	 * the session since the last write that was answered half a tick before it was sent.
	 */
	private static final class LeaseHistory {

		private static final int KEPT = 16;

		private static final int KEPT_PER_HALF_TICK = 8;

		private final Deque<Write> writes = new ArrayDeque<>();

		// Requests that a server has answered. The pings of ZooKeeper's client are not
		// reported.
		private final Deque<Write> signs = new ArrayDeque<>();

		// The time of the last late answer.
		private long late = Long.MIN_VALUE;

		void begin(long sent, long now) {
			this.writes.clear();
			this.writes.add(new Write(sent, now));
		}

		/**
		 * Add an answered request: a server has heard of the session since it was sent.
		 */
		void heard(long sent, long answered, LeaseTerms terms) {
			addIfApart(this.signs, new Write(sent, answered), terms);
		}

		/**
		 * Add an answered write, and note a late answer.
		 */
		void answered(long sent, long answered, LeaseTerms terms) {
			if (answered - sent > terms.halfTick()) {
				this.late = Math.max(this.late, answered);
			}
			heard(sent, answered, terms);
		}

		/**
		 * Return since when the leader has heard of the session at the time of a write,
		 * if it has asked the server for its clients in time. That is assumed unless an
		 * answer was late since then, or the client stood still.
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

		// Entries close to others would push out those that they are compared with.
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
