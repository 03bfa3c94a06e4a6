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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

import io.github.zklock.core.LockState;

/**
 * How long the locks of a session are certain to be held, using the clock of this process
 * alone. The lease ends shortly before ZooKeeper could end the session at the earliest.
 * Only writes that ZooKeeper has confirmed extend the lease. A connection or an answered
 * ping or read does not. A server that is cut off from the others still answers when the
 * others have ended the session. Times are nanoseconds since the lease was created.
 */
public final class SessionLease {

	private static final long NEVER = -1;

	private static final int SILENT_INTERVALS = 2;

	private static final int REMEMBERED = 16;

	private static final int REMEMBERED_PER_HALF_TICK = 8;

	private final LongSupplier clock;

	private final IntSupplier granted;

	private final long origin;

	private final Deque<Exchange> heartbeats = new ArrayDeque<>();

	// The latest answered requests. The pings of ZooKeeper's client are not reported.
	private final Deque<Exchange> signs = new ArrayDeque<>();

	private volatile Terms terms;

	private volatile boolean kept;

	// Since when the leader has certainly heard of the session.
	private volatile long base = Long.MIN_VALUE;

	private volatile long confirmedWrite = NEVER;

	private volatile long heartbeat = NEVER;

	private volatile long answer = NEVER;

	private volatile long interruption = NEVER;

	private long lateAnswer = Long.MIN_VALUE;

	/**
	 * Create a lease.
	 * @param granted returns the session timeout of the last connection in milliseconds
	 */
	SessionLease(Terms terms, LongSupplier clock, IntSupplier granted) {
		this.terms = terms;
		this.clock = clock;
		this.granted = granted;
		this.origin = clock.getAsLong();
		// The session was created by the leader.
		this.signs.add(new Exchange(0, -terms.halfTick()));
	}

	public long now() {
		return at(this.clock.getAsLong());
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
	public Terms terms() {
		Terms known = this.terms;
		long timeout = TimeUnit.MILLISECONDS.toNanos(this.granted.getAsInt());
		if (timeout > 0 && timeout < known.timeout()) {
			known = new Terms(timeout, known.tick());
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
	 * Called when a request was answered: a server has heard of the session since it was
	 * sent.
	 */
	synchronized void heard(long sent) {
		remember(this.signs, new Exchange(sent, now()));
	}

	/**
	 * Called when a write was answered, perhaps late.
	 */
	public synchronized void answered(long sent) {
		long now = now();
		if (now - sent > terms().halfTick()) {
			this.lateAnswer = now;
		}
		remember(this.signs, new Exchange(sent, now));
	}

	// Entries close to others would push out those that they are compared with.
	private void remember(Deque<Exchange> latest, Exchange exchange) {
		long apart = terms().halfTick() / REMEMBERED_PER_HALF_TICK;
		if (latest.isEmpty() || exchange.sent - latest.getLast().sent >= apart) {
			latest.add(exchange);
		}
		if (latest.size() > REMEMBERED) {
			latest.removeFirst();
		}
	}

	/**
	 * Require another write. Called when the connection was interrupted.
	 */
	void interrupted() {
		this.interruption = now();
	}

	/**
	 * Extend the lease with a confirmed creation of a node. While heartbeats are sent
	 * only they do that, because only they can show delays.
	 */
	public synchronized void created(long sent) {
		this.confirmedWrite = Math.max(this.confirmedWrite, sent);
		if (!this.kept) {
			this.base = Math.max(this.base, assumed(sent));
		}
	}

	/**
	 * Let heartbeats extend the lease. Called when the first lock is held.
	 */
	synchronized void keep() {
		this.kept = true;
		this.answer = now();
		this.heartbeat = Math.max(this.confirmedWrite, 0);
		this.heartbeats.clear();
		this.heartbeats.add(new Exchange(this.heartbeat, this.answer));
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
		answered(sent);
		this.answer = now();
		this.heartbeat = Math.max(this.heartbeat, sent);
		this.confirmedWrite = Math.max(this.confirmedWrite, sent);
		this.base = Math.max(this.base, Math.max(proved(sent), assumed(sent)));
		remember(this.heartbeats, new Exchange(sent, this.answer));
	}

	/**
	 * Return since when the leader has heard of the session at the time of a write. This
	 * requires that it has asked the server for its clients in time. That is assumed
	 * unless an answer was late since then, or the client stood still.
	 * @return {@link Long#MIN_VALUE} if that cannot be assumed
	 */
	private long assumed(long sent) {
		long since = sent - terms().silenceBeforeFirstWrite();
		return (since > this.lateAnswer && isHeard(since, sent - terms().halfTick())) ? since : Long.MIN_VALUE;
	}

	private boolean isHeard(long since, long until) {
		return this.signs.stream().anyMatch((sign) -> sign.sent >= since && sign.answered <= until);
	}

	/**
	 * Return since when the leader has certainly heard of the session. An answered
	 * heartbeat shows that the leader has received it and all that its server had sent
	 * before. Every half tick the leader asks its servers for their clients, and the
	 * answer to a later write comes to the server after that question. So the earlier of
	 * two answered heartbeats proves that the leader has heard of the session. It has
	 * done so since the last heartbeat that was answered half a tick before the earlier
	 * one was sent.
	 * @return {@link Long#MIN_VALUE} if that is not known
	 */
	private long proved(long sent) {
		Exchange witness = null;
		for (Iterator<Exchange> latest = this.heartbeats.descendingIterator(); latest.hasNext();) {
			Exchange earlier = latest.next();
			if (witness == null) {
				witness = (earlier.answered <= sent) ? earlier : null;
			}
			else if (earlier.answered <= witness.sent - terms().halfTick()) {
				return earlier.sent;
			}
		}
		return Long.MIN_VALUE;
	}

	/**
	 * Return when the next heartbeat is due. It is early enough that one may be late, and
	 * soon after an interruption, so that another one finds a whole lease.
	 */
	long due() {
		long last = this.heartbeat;
		boolean old = this.interruption != NEVER && this.base <= this.interruption;
		long pause = old ? Math.min(terms().proof(), terms().interval()) : terms().interval();
		return last + Math.min(pause, Math.max(validUntil() - last, 0) / 2);
	}

	/**
	 * Return whether no request that was sent after the last interruption was answered.
	 */
	synchronized boolean isUnheard() {
		return this.interruption != NEVER && this.signs.getLast().sent <= this.interruption;
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
		return !isPossible() || (isConfirmed() && validUntil() - now() >= terms().interval() / 2);
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

	private record Exchange(long sent, long answered) {

	}

	/**
	 * The times of a lease by the session timeout. ZooKeeper ends a session only when its
	 * timeout has passed since the leader last heard of it. The leader hears of the
	 * clients of other servers only every half tick, and an idle client sends something
	 * only every third of the timeout.
	 *
	 * @param timeout the session timeout that the server has granted, in nanoseconds
	 * @param tick the tick of the servers, in nanoseconds
	 */
	public record Terms(long timeout, long tick) {

		private static final int BEATS = 6;

		private static final int IDLE_PINGS = 3;

		private static final int MARGIN_PART = 20;

		private static final long LEAST_MARGIN = TimeUnit.MILLISECONDS.toNanos(500);

		public static Terms of(Duration timeout, Duration tick) {
			return new Terms(timeout.toNanos(), tick.toNanos());
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
		 * Return how long the leader may not have heard of a session when it sends its
		 * first write.
		 */
		long silenceBeforeFirstWrite() {
			return this.timeout / IDLE_PINGS + halfTick();
		}

		long halfTick() {
			return this.tick / 2;
		}

		/**
		 * Return the time between two heartbeats that prove something, with enough time
		 * for the answer.
		 */
		long proof() {
			return halfTick() + halfTick() / 4;
		}

		/**
		 * Return how long a lease lasts from when the leader had certainly heard of the
		 * session. A margin allows for different rates of clocks.
		 */
		long length() {
			return this.timeout - Math.max(LEAST_MARGIN, this.timeout / MARGIN_PART);
		}

		/**
		 * Return whether a lease can be kept up: the first write leaves enough of it for
		 * a heartbeat.
		 */
		boolean leaveALease() {
			return length() - silenceBeforeFirstWrite() >= interval();
		}

		/**
		 * Return the shortest session timeout, in milliseconds, that would leave a lease.
		 */
		long leastTimeoutMillis() {
			// Solved for the timeout: first with the least margin, then with a part.
			long leastMargin = this.tick + 2 * LEAST_MARGIN;
			long partOfIt = this.tick * 10 / 9;
			return TimeUnit.NANOSECONDS.toMillis(Math.max(leastMargin, partOfIt)) + 1;
		}

	}

}
