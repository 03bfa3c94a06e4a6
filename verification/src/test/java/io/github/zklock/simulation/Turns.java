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

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.github.zklock.core.LockRequest;

/**
 * Who waits while another process has the key again and again, if nothing goes wrong. A
 * process hands a lock on to its own at most eight times once others wait.
 */
final class Turns {

	/** A request has reached the servers by then, and is seen by who holds the lock. */
	private static final long SEEN = TimeUnit.MILLISECONDS.toNanos(150);

	/** An event may be lost: then who has the lock looks once a second. */
	private static final long SEEN_WITHOUT_EVENT = TimeUnit.SECONDS.toNanos(1);

	private static final int MOST = 8;

	private final Judge judge;

	private final LongSupplier clock;

	private final Map<String, Waiter> waiters = new LinkedHashMap<>();

	Turns(Judge judge, LongSupplier clock) {
		this.judge = judge;
		this.clock = clock;
	}

	/**
	 * Somebody begins to wait for its turn.
	 * @param events whether no event is lost
	 */
	void asks(String caller, Participant process, LockRequest request, boolean events) {
		long seen = events ? SEEN : SEEN + SEEN_WITHOUT_EVENT;
		this.waiters.put(caller, new Waiter(process, request, this.clock.getAsLong() + seen));
	}

	/**
	 * Somebody waits no more.
	 */
	void leaves(String caller) {
		this.waiters.remove(caller);
	}

	/**
	 * Somebody was given a lock.
	 */
	void granted(Hold hold) {
		long now = this.clock.getAsLong();
		this.waiters.forEach((caller, waiter) -> {
			if (waiter.waitsFor(hold) && now - waiter.seen > 0 && waiter.passedBy(hold)) {
				throw this.judge.violated("turns",
						hold + " is number " + waiter.grants + " of its process in a row while " + caller + " waits",
						null);
			}
		});
	}

	private static final class Waiter {

		private final Participant process;

		private final LockRequest request;

		private final long seen;

		private String by = "";

		private int grants;

		Waiter(Participant process, LockRequest request, long seen) {
			this.process = process;
			this.request = request;
			this.seen = seen;
		}

		// A reader whose event was lost does not wait for other readers.
		boolean waitsFor(Hold hold) {
			return this.request.key().equals(hold.key())
					&& !this.request.mode().isCompatibleWith(hold.request().mode());
		}

		// The queues of a process for readers and for writers take their turns alone.
		boolean passedBy(Hold hold) {
			String one = hold.process().name() + " " + hold.request().mode();
			if (hold.process() == this.process || !one.equals(this.by)) {
				this.by = one;
				this.grants = 0;
			}
			this.grants++;
			return hold.process() != this.process && this.grants > MOST + 1;
		}

	}

}
