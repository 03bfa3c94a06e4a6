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

package io.github.zklock.core.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import org.jspecify.annotations.Nullable;

/**
 * Several requests of one caller, one for each key. They are sorted by it, so that no two
 * callers wait for each other, and share one wait time.
 *
 * @param requests the requests in their order
 * @param waitTime the shortest of their timeouts
 */
record JointRequest(List<LockRequest> requests, Duration waitTime) {

	static JointRequest of(Collection<LockRequest> requests) {
		requireAny(requests);
		TreeMap<LockRequest, LockRequest> sorted = new TreeMap<>(Comparator.comparing(LockRequest::key));
		requests.forEach((request) -> sorted.merge(request, request, JointRequest::stronger));
		Duration waitTime = requests.stream().map(LockRequest::waitTime).min(Duration::compareTo).orElseThrow();
		return new JointRequest(withTickAtTheEnd(sorted.values(), tick(requests)), waitTime);
	}

	static void requireAny(Collection<LockRequest> requests) {
		if (requests.isEmpty()) {
			throw new IllegalArgumentException("There is no lock to acquire: give at least one request");
		}
	}

	private static @Nullable LockTick tick(Collection<LockRequest> requests) {
		LockTick tick = null;
		for (LockRequest request : requests) {
			LockTick other = request.tick();
			if (tick != null && other != null && !other.equals(tick)) {
				throw new IllegalArgumentException(
						"Locks are requested for " + tick + " and for " + other + " at once; use one tick");
			}
			tick = (other != null) ? other : tick;
		}
		return tick;
	}

	// A granted tick counts as run, so all other locks must be held before.
	private static List<LockRequest> withTickAtTheEnd(Collection<LockRequest> sorted, @Nullable LockTick tick) {
		// All must allow a tick, since any of them may be the last one.
		List<LockRequest> all = new ArrayList<>(sorted.stream().map((request) -> request.withTick(tick)).toList());
		all.subList(0, all.size() - 1).replaceAll((request) -> request.withTick(null));
		return List.copyOf(all);
	}

	private static LockRequest stronger(LockRequest first, LockRequest second) {
		if (first.permits() != second.permits()) {
			throw new IllegalArgumentException("Lock '" + LockKeys.abbreviate(first.key()) + "' is requested with "
					+ first.permits() + " and with " + second.permits() + " permits at once; use one number for a key");
		}
		LockRequest request = (first.mode() == LockMode.READ) ? second : first;
		Duration atLeast = (first.lockAtLeastFor().compareTo(second.lockAtLeastFor()) < 0) ? second.lockAtLeastFor()
				: first.lockAtLeastFor();
		return request.withTick(null)
			.withReentrant(first.reentrant() && second.reentrant())
			.withCache(first.cache() && second.cache())
			.withLockAtLeastFor(atLeast);
	}

	int size() {
		return this.requests.size();
	}

	/**
	 * Return the request at an index with what is left of the wait time.
	 * @param index the index
	 * @param elapsed how long the caller has waited
	 * @return the request
	 * @throws LockNotAcquiredException if nothing is left
	 */
	LockRequest request(int index, Duration elapsed) {
		LockRequest request = this.requests.get(index).withWait(this.waitTime);
		if (this.waitTime.isZero() || this.waitTime.equals(LockRequest.FOREVER)) {
			return request;
		}
		Duration left = this.waitTime.minus(elapsed);
		if (left.isNegative() || left.isZero()) {
			throw new LockNotAcquiredException(request, elapsed, null,
					"the wait time ended after " + index + " of " + size() + " keys");
		}
		return request.withWait(left);
	}

	/**
	 * Describe a refusal with the whole wait time, not with what was left of it.
	 * @param refusal why a request was refused
	 * @param index the index of that request
	 * @param elapsed how long the caller has waited
	 * @return the exception for the caller
	 */
	LockNotAcquiredException describe(LockNotAcquiredException refusal, int index, Duration elapsed) {
		if (index == 0 || refusal.getTick() != null || refusal.getClass() != LockNotAcquiredException.class) {
			return refusal;
		}
		LockNotAcquiredException whole = new LockNotAcquiredException(this.requests.get(index).withWait(this.waitTime),
				elapsed, refusal.getHolder(), "key " + (index + 1) + " of " + size());
		whole.addSuppressed(refusal);
		return whole;
	}

}
