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

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * The heartbeats of late, and since when the leader of the servers has surely heard of
 * the session. A heartbeat that was answered shows that the leader has received it and
 * all that its server had sent to the leader before. A server tells the leader of its
 * clients when the leader asks, every half tick; the answer to an earlier heartbeat came
 * on the same way as the leader's question, after it. Therefore: of two answered
 * heartbeats, the earlier one proves that the leader has heard of the session since the
 * last write that was answered half a tick before it was sent.
 */
final class LeaseHistory {

	private static final int KEPT = 16;

	private static final int KEPT_PER_HALF_TICK = 8;

	private final Deque<Write> writes = new ArrayDeque<>();

	// What shows that a server has heard of the session: the pings of ZooKeeper's client
	// are not told.
	private final Deque<Write> signs = new ArrayDeque<>();

	// When an answer was late for the last time.
	private long late = Long.MIN_VALUE;

	void begin(long sent, long now) {
		this.writes.clear();
		this.writes.add(new Write(sent, now));
	}

	/**
	 * A request was answered, so a server has heard of the session since that was sent.
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
	 * provided that it has asked for the clients of the server in time. Without a late
	 * answer since then there is no reason to assume that it has not. It cannot have
	 * heard of a client that stood still.
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
