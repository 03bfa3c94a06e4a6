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
 * Only writes that ZooKeeper has confirmed extend the lease, and only as far as earlier
 * exchanges with the leader prove. A connection or an answered ping or read does not. A
 * server that is cut off from the others still answers when the others have ended the
 * session. Times are nanoseconds since the lease was created.
 */
public final class SessionLease {

	private static final long NEVER = -1;

	private static final int SILENT_INTERVALS = 2;

	private static final int REMEMBERED = 16;

	private static final int REMEMBERED_PER_HALF_TICK = 8;

	private final LongSupplier clock;

	private final IntSupplier granted;

	private final long origin;

	// The latest ones with the leader, in their order.
	private final Deque<Exchange> exchanges = new ArrayDeque<>();

	private volatile Terms terms;

	// As the terms say. It is asked several times for each lock.
	private volatile boolean possible;

	private volatile boolean kept;

	// Since when the leader has certainly heard of the session. It is assumed at first.
	private volatile long base;

	private volatile long confirmedWrite = NEVER;

	private volatile long heartbeat = NEVER;

	private volatile long answer = NEVER;

	private volatile long interruption = NEVER;

	/**
	 * Create a lease.
	 * @param granted returns the session timeout of the last connection in milliseconds
	 */
	SessionLease(Terms terms, LongSupplier clock, IntSupplier granted) {
		this.terms = terms;
		this.possible = terms.leaveALease();
		this.clock = clock;
		this.granted = granted;
		this.origin = clock.getAsLong();
		// As of an idle client, since the client learns of a new session late.
		this.base = -terms.silence();
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
		return (timeout > 0 && timeout < known.timeout()) ? shorten(timeout) : known;
	}

	private synchronized Terms shorten(long timeout) {
		if (timeout < this.terms.timeout()) {
			this.terms = new Terms(timeout, this.terms.tick());
			this.possible = this.terms.leaveALease();
		}
		return this.terms;
	}

	/**
	 * Return whether the session timeout leaves a lease. If not, no lock ends by this
	 * clock.
	 */
	public boolean isPossible() {
		terms();
		return this.possible;
	}

	/**
	 * Called when the leader has answered a request. An exchange alone does not extend
	 * the lease, since a leader that was replaced may answer too.
	 */
	synchronized void exchanged(long sent) {
		remember(new Exchange(sent, now()));
	}

	// Of those close to each other only the last one stays, or they would push out those
	// that they are compared with.
	private void remember(Exchange exchange) {
		Exchange last = this.exchanges.pollLast();
		if (last != null && (this.exchanges.isEmpty() || last.sent - this.exchanges.getLast().sent >= apart())) {
			this.exchanges.add(last);
		}
		this.exchanges.add(exchange);
		if (this.exchanges.size() > REMEMBERED) {
			this.exchanges.removeFirst();
		}
	}

	private long apart() {
		return terms().halfTick() / REMEMBERED_PER_HALF_TICK;
	}

	/**
	 * Require another write. Called when the connection was interrupted.
	 */
	void interrupted() {
		this.interruption = now();
	}

	/**
	 * Extend the lease. Called when the creation of a node was confirmed.
	 */
	public synchronized void nodeCreated(long sent) {
		this.confirmedWrite = Math.max(this.confirmedWrite, sent);
		this.base = Math.max(this.base, proved(sent));
	}

	/**
	 * Require heartbeats. Called when the first lock is held.
	 */
	synchronized void keep() {
		this.kept = true;
		this.answer = now();
		this.heartbeat = Math.max(this.confirmedWrite, 0);
	}

	/**
	 * Called when no lock is held any more.
	 */
	void drop() {
		this.kept = false;
	}

	/**
	 * Return whether heartbeats are sent, because a lock is held.
	 */
	public boolean isKept() {
		return this.kept;
	}

	/**
	 * Extend the lease. Called when a heartbeat was confirmed.
	 */
	synchronized void beaten(long sent) {
		this.answer = now();
		this.heartbeat = Math.max(this.heartbeat, sent);
		nodeCreated(sent);
		exchanged(sent);
	}

	/**
	 * Return since when the leader has certainly heard of the session at the time of a
	 * write. The leader asks its servers for their clients every half tick. The answer to
	 * a later exchange comes to the server after that question, and a later write comes
	 * to the leader after the server's answer. So the leader has heard of the session
	 * since it was sent the last exchange that was answered half a tick earlier.
	 * @param sent when a write was sent that is confirmed now
	 * @return {@link Long#MIN_VALUE} if that is not known
	 */
	private long proved(long sent) {
		Exchange witness = null;
		for (Iterator<Exchange> latest = this.exchanges.descendingIterator(); latest.hasNext();) {
			Exchange earlier = latest.next();
			if (witness == null) {
				witness = (earlier.answered <= sent) ? earlier : null;
			}
			else if (earlier.answered <= witness.sent - terms().question()) {
				return earlier.sent;
			}
		}
		return Long.MIN_VALUE;
	}

	/**
	 * Return when the next heartbeat is due. It is early enough that one may be late. It
	 * is soon after an interruption, so that the lease is whole before another one.
	 */
	long due() {
		long last = this.heartbeat;
		boolean old = this.interruption != NEVER && this.base <= this.interruption;
		long pause = old ? Math.min(terms().proof(), terms().interval()) : terms().interval();
		return last + Math.min(pause, Math.max(validUntil() - last, 0) / 2);
	}

	/**
	 * Return whether there was no exchange since the last interruption.
	 */
	synchronized boolean isUnheard() {
		return this.interruption != NEVER
				&& (this.exchanges.isEmpty() || this.exchanges.getLast().sent <= this.interruption);
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
	 * Return whether a lock can be granted without another write. In a new session and
	 * after an interruption, enough of the lease must be left until exchanges can prove
	 * something.
	 */
	public boolean isFresh() {
		long from = Math.max(now(), heardSince() + terms().proof());
		return !isPossible() || (isConfirmed() && validUntil() - from >= terms().interval() / 2);
	}

	// Since when exchanges follow each other: since the begin, or the last interruption.
	private long heardSince() {
		long interrupted = this.interruption;
		return (interrupted == NEVER || this.base > interrupted) ? 0 : heardSince(interrupted);
	}

	private synchronized long heardSince(long interrupted) {
		return this.exchanges.stream()
			.filter((exchange) -> exchange.sent > interrupted)
			.findFirst()
			.map(Exchange::answered)
			.orElseGet(this::now);
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
		return this.base + terms().length();
	}

	private record Exchange(long sent, long answered) {

	}

	/**
	 * The times of a lease by the session timeout. ZooKeeper ends a session only when its
	 * timeout has passed since the leader last heard of it. The leader hears of the
	 * clients of other servers only every half tick.
	 *
	 * @param timeout the session timeout that the server has granted, in nanoseconds
	 * @param tick the tick of the servers, in nanoseconds
	 */
	public record Terms(long timeout, long tick) {

		private static final int BEATS = 6;

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
		 * Return for how long it may not be known that the leader has heard of a session
		 * when an idle client sends a write.
		 */
		long silence() {
			return 2 * interval() + question();
		}

		long halfTick() {
			return this.tick / 2;
		}

		/**
		 * Return within which time the leader certainly asks a server for its clients. A
		 * busy leader may ask a little late.
		 */
		long question() {
			return halfTick() + halfTick() / 4;
		}

		/**
		 * Return the time between two heartbeats that prove something, with enough time
		 * for the answer.
		 */
		long proof() {
			return question() + halfTick() / 4;
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
			return length() - silence() >= interval();
		}

		/**
		 * Return the shortest session timeout, in milliseconds, that would leave a lease.
		 */
		long leastTimeoutMillis() {
			// Solved for the timeout: first with the least margin, then with a part.
			long leastMargin = 2 * (question() + LEAST_MARGIN);
			long partOfIt = question() * 20 / 9;
			return TimeUnit.NANOSECONDS.toMillis(Math.max(leastMargin, partOfIt)) + 1;
		}

	}

}
