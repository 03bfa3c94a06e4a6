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

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.github.zklock.core.LockPermitsException;
import io.github.zklock.core.LockRequest;

/**
 * The numbers of permits with which keys are asked for. Never do more hold a key than
 * their number says, and whoever asks with another number than those who hold the key at
 * that time is refused, and does not wait for them.
 */
final class PermitBook {

	/** A request has reached the servers by then, and the refusal its caller. */
	private static final long REFUSED = TimeUnit.MILLISECONDS.toNanos(150);

	private final Judge judge;

	private final LongSupplier clock;

	private final Map<String, Set<Integer>> numbers = new HashMap<>();

	private final Map<String, Waiter> waiters = new LinkedHashMap<>();

	PermitBook(Judge judge, LongSupplier clock) {
		this.judge = judge;
		this.clock = clock;
	}

	/**
	 * Somebody begins to wait.
	 * @param calm whether nothing goes wrong, so that a refusal comes in time
	 */
	void asks(String caller, LockRequest request, boolean calm) {
		this.numbers.computeIfAbsent(request.key(), (key) -> new HashSet<>()).add(request.permits());
		if (calm) {
			this.waiters.put(caller, new Waiter(request, this.clock.getAsLong()));
		}
	}

	/**
	 * Somebody waits no more.
	 */
	void leaves(String caller) {
		this.waiters.remove(caller);
	}

	/**
	 * Return whether somebody has asked for the key with the number that is said to be in
	 * the way.
	 */
	boolean isAskedFor(LockPermitsException refusal) {
		return refusal.getPermits() != refusal.getPermitsInUse()
				&& this.numbers.getOrDefault(refusal.getKey(), Set.of()).contains(refusal.getPermitsInUse());
	}

	/**
	 * Somebody was given a lock.
	 * @param open what is held
	 */
	void granted(Hold hold, Collection<Hold> open) {
		int permits = hold.request().permits();
		if (permits > 1 && !hold.isExcused()) {
			List<Hold> holders = new ArrayList<>();
			for (Hold other : open) {
				if (other.key().equals(hold.key()) && !other.process().isPaused() && !other.isExcused()
						&& !other.isLost()) {
					holders.add(other);
				}
			}
			if (holders.size() >= permits) {
				throw this.judge.violated("I3", hold + " holds one of " + permits + " permits beside " + holders, null);
			}
		}
	}

	/**
	 * Somebody returns a lock.
	 */
	void left(Hold hold) {
		this.waiters.forEach((caller, waiter) -> {
			LockRequest request = waiter.request;
			long beside = this.clock.getAsLong() - waiter.since;
			// Who was granted the lock later may have come before a holder with the
			// number of
			// the other one was gone.
			if (request.key().equals(hold.key()) && request.permits() != hold.request().permits()
					&& waiter.since >= hold.grantedAt() && beside > REFUSED) {
				throw this.judge.violated("permits", caller + " waits with the number " + request.permits() + " beside "
						+ hold + " with the number " + hold.request().permits(), null);
			}
		});
	}

	private record Waiter(LockRequest request, long since) {

	}

}
