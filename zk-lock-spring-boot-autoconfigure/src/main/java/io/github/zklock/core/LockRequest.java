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

package io.github.zklock.core;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A request to a {@link LockProvider}. Immutable; the {@code with} methods return a
 * changed copy.
 *
 * @param key the key: any text that is not blank, has no control characters, no unpaired
 * surrogate and at most {@value #MAX_KEY_LENGTH} characters. Keys are compared exactly:
 * no trimming, no case folding, no Unicode normalisation
 * @param mode the mode
 * @param waitTime how long to wait for the lock: {@link Duration#ZERO} for one try,
 * {@link #FOREVER} for no bound
 * @param name the low-cardinality name of the lock for logs and metrics
 * @param owner the owner of the lock, compared by {@code equals}: an owner that holds the
 * key re-enters until all of its handles are released. {@code null} means no owner for
 * {@link LockProvider#acquireAsync}, and the calling thread for
 * {@link LockProvider#acquire}, but only as long as no other thread uses the handle or
 * releases it: give a handle that goes to another thread an owner of its own
 * @param reentrant whether the owner of the key may acquire it again
 * @param permits how many may hold the key at once: more than one only in
 * {@link LockMode#EXCLUSIVE}. All requests for a key have to give the same number
 * @param atLeast how long the key stays taken at least, counted from the grant: also when
 * the lock is released earlier, and when the process of its holder ends.
 * {@link Duration#ZERO} for no longer than the lock is held. Not with more than one
 * permit; of nested requests the outermost decides. A {@link LockMode#READ} lock keeps
 * only writers out
 * @param onLost what happens to the body when the lock is lost, see
 * {@link LockOperations}
 * @param cache whether the process may cache the key for its own next request after the
 * release, until another process requests it or it is idle for a while. A backend that
 * cannot do so ignores it. Not with more than one permit, and not with {@code atLeast}
 * @param tick the planned run of a job that the lock is for, or {@code null} if it is for
 * none: a run that has happened is refused, see {@link LockTick}. Only in
 * {@link LockMode#EXCLUSIVE} or {@link LockMode#WRITE}, with one permit, without
 * {@code cache} and without {@code atLeast}; of nested requests the outermost decides
 * @param client the name of the client of the lock, when an application has several (that
 * is, several ensembles of ZooKeeper): the same key of another client is another lock
 * @since 0.1.0
 */
public record LockRequest(String key, LockMode mode, Duration waitTime, String name, @Nullable Object owner,
		boolean reentrant, int permits, Duration atLeast, LossPolicy onLost, boolean cache, @Nullable LockTick tick,
		String client) {

	/**
	 * The time to wait that has no bound.
	 */
	public static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

	/**
	 * The time to wait unless another is given: 10 seconds.
	 */
	public static final Duration DEFAULT_WAIT = Duration.ofSeconds(10);

	/**
	 * The greatest length of a key, in characters.
	 */
	public static final int MAX_KEY_LENGTH = 65536;

	/**
	 * The name of the client of a request that names no other.
	 */
	public static final String DEFAULT_CLIENT = "default";

	static final String UNNAMED = "default";

	/**
	 * The longest time to keep a key taken at least: 366 days.
	 */
	public static final Duration LONGEST_AT_LEAST = Duration.ofDays(366);

	/**
	 * Check the values.
	 * @throws LockKeyException if the key is not allowed
	 * @throws IllegalArgumentException if the wait is negative, the name, or that of the
	 * client, blank or with control characters, the number of permits not possible or
	 * {@code atLeast} negative, longer than 366 days or together with more than one
	 * permit, {@code cache} together with one of them, or {@code tick} together with one
	 * of these or {@link LockMode#READ}
	 */
	public LockRequest {
		LockKeys.check(key);
		Objects.requireNonNull(mode, "mode must not be null");
		Objects.requireNonNull(waitTime, "waitTime must not be null");
		if (waitTime.isNegative()) {
			throw new IllegalArgumentException("Lock '" + LockKeys.abbreviate(key) + "': the time to wait is "
					+ waitTime + "; use zero for one try or LockRequest.FOREVER for no bound");
		}
		LockKeys.checkName(key, "name", name);
		LockKeys.checkName(key, "name of the client", client);
		if (permits < 1 || (permits > 1 && mode != LockMode.EXCLUSIVE)) {
			throw new IllegalArgumentException("Lock '" + LockKeys.abbreviate(key) + "': " + permits
					+ " permits in mode " + mode + "; use 1 or more, and more than 1 only in mode EXCLUSIVE");
		}
		Objects.requireNonNull(onLost, "onLost must not be null");
		Objects.requireNonNull(atLeast, "atLeast must not be null");
		if (atLeast.isNegative() || atLeast.compareTo(LONGEST_AT_LEAST) > 0) {
			throw new IllegalArgumentException("Lock '" + LockKeys.abbreviate(key) + "': the time to keep it is "
					+ atLeast + "; use zero for no longer than it is held, and at most " + LONGEST_AT_LEAST);
		}
		if (permits > 1 && !atLeast.isZero()) {
			throw new IllegalArgumentException("Lock '" + LockKeys.abbreviate(key) + "': " + permits
					+ " permits and a time to keep it cannot be combined; use 1 permit, or no such time");
		}
		if (cache && (permits > 1 || !atLeast.isZero())) {
			throw new IllegalArgumentException("Lock '" + LockKeys.abbreviate(key) + "': caching and "
					+ ((permits > 1) ? permits + " permits" : "a time to keep it")
					+ " cannot be combined; use only one");
		}
		String obstacle = (tick != null) ? tickObstacle(mode, permits, atLeast, cache) : null;
		if (obstacle != null) {
			throw new IllegalArgumentException("Lock '" + LockKeys.abbreviate(key) + "': " + tick + " and " + obstacle
					+ " cannot be combined; use only one");
		}
	}

	private static @Nullable String tickObstacle(LockMode mode, int permits, Duration atLeast, boolean cache) {
		if (mode == LockMode.READ) {
			return "mode READ";
		}
		if (permits > 1) {
			return permits + " permits";
		}
		if (!atLeast.isZero()) {
			return "a time to keep the lock";
		}
		return cache ? "caching" : null;
	}

	/**
	 * Create a request for an {@link LockMode#EXCLUSIVE}, re-entrant lock that waits
	 * {@link #DEFAULT_WAIT}.
	 * @param key the key
	 * @return the request
	 * @throws LockKeyException if the key is not allowed
	 */
	public static LockRequest of(String key) {
		return new LockRequest(key, LockMode.EXCLUSIVE, DEFAULT_WAIT, UNNAMED, null, true, 1, Duration.ZERO,
				LossPolicy.FAIL_AT_EXIT, false, null, DEFAULT_CLIENT);
	}

	/**
	 * Return a copy with another mode.
	 * @param mode the mode. The default is {@link LockMode#EXCLUSIVE}
	 * @return the copy
	 */
	public LockRequest withMode(LockMode mode) {
		return new LockRequest(this.key, mode, this.waitTime, this.name, this.owner, this.reentrant, this.permits,
				this.atLeast, this.onLost, this.cache, this.tick, this.client);
	}

	/**
	 * Return a copy with another time to wait.
	 * @param wait the time to wait. The default is {@link #DEFAULT_WAIT}
	 * @return the copy
	 * @throws IllegalArgumentException if it is negative
	 */
	public LockRequest withWait(Duration wait) {
		return new LockRequest(this.key, this.mode, wait, this.name, this.owner, this.reentrant, this.permits,
				this.atLeast, this.onLost, this.cache, this.tick, this.client);
	}

	/**
	 * Return a copy with another name.
	 * @param name the name. The default is {@code "default"}
	 * @return the copy
	 * @throws IllegalArgumentException if it is blank or has control characters
	 */
	public LockRequest withName(String name) {
		return new LockRequest(this.key, this.mode, this.waitTime, name, this.owner, this.reentrant, this.permits,
				this.atLeast, this.onLost, this.cache, this.tick, this.client);
	}

	/**
	 * Return a copy with another owner.
	 * @param owner the owner. The default is {@code null}
	 * @return the copy
	 */
	public LockRequest withOwner(@Nullable Object owner) {
		return new LockRequest(this.key, this.mode, this.waitTime, this.name, owner, this.reentrant, this.permits,
				this.atLeast, this.onLost, this.cache, this.tick, this.client);
	}

	/**
	 * Return a copy that may or may not be nested in a lock of the same owner and key.
	 * @param reentrant whether it may. The default is {@code true}
	 * @return the copy
	 */
	public LockRequest withReentrant(boolean reentrant) {
		return new LockRequest(this.key, this.mode, this.waitTime, this.name, this.owner, reentrant, this.permits,
				this.atLeast, this.onLost, this.cache, this.tick, this.client);
	}

	/**
	 * Return a copy with another number of permits.
	 * @param permits how many may hold the key at once. The default is 1
	 * @return the copy
	 * @throws IllegalArgumentException if it is less than 1, or more than 1 in a mode
	 * other than {@link LockMode#EXCLUSIVE} or with a time to keep the key taken
	 */
	public LockRequest withPermits(int permits) {
		return new LockRequest(this.key, this.mode, this.waitTime, this.name, this.owner, this.reentrant, permits,
				this.atLeast, this.onLost, this.cache, this.tick, this.client);
	}

	/**
	 * Return a copy with another time to keep the key taken.
	 * @param atLeast the time, counted from the grant. The default is
	 * {@link Duration#ZERO}
	 * @return the copy
	 * @throws IllegalArgumentException if it is negative, longer than 366 days or
	 * together with more than one permit
	 */
	public LockRequest withAtLeast(Duration atLeast) {
		return new LockRequest(this.key, this.mode, this.waitTime, this.name, this.owner, this.reentrant, this.permits,
				atLeast, this.onLost, this.cache, this.tick, this.client);
	}

	/**
	 * Return a copy with another action for the loss of the lock.
	 * @param onLost what happens to the body. The default is
	 * {@link LossPolicy#FAIL_AT_EXIT}
	 * @return the copy
	 */
	public LockRequest withOnLost(LossPolicy onLost) {
		return new LockRequest(this.key, this.mode, this.waitTime, this.name, this.owner, this.reentrant, this.permits,
				this.atLeast, onLost, this.cache, this.tick, this.client);
	}

	/**
	 * Return a copy that may or may not be cached for the next request of this process.
	 * @param cache whether it may. The default is {@code false}
	 * @return the copy
	 * @throws IllegalArgumentException if it may, together with more than one permit or a
	 * time to keep the key taken
	 */
	public LockRequest withCache(boolean cache) {
		return new LockRequest(this.key, this.mode, this.waitTime, this.name, this.owner, this.reentrant, this.permits,
				this.atLeast, this.onLost, cache, this.tick, this.client);
	}

	/**
	 * Return a copy for a planned run of a job, or for none.
	 * @param tick the run, or {@code null}. The default is {@code null}
	 * @return the copy
	 * @throws IllegalArgumentException if there is one, and the mode is
	 * {@link LockMode#READ}, or there is more than one permit, a time to keep the key
	 * taken, or a cache
	 */
	public LockRequest withTick(@Nullable LockTick tick) {
		return new LockRequest(this.key, this.mode, this.waitTime, this.name, this.owner, this.reentrant, this.permits,
				this.atLeast, this.onLost, this.cache, tick, this.client);
	}

	/**
	 * Return a copy for another client.
	 * @param client the name of the client. The default is {@link #DEFAULT_CLIENT}
	 * @return the copy
	 * @throws IllegalArgumentException if it is blank or has control characters
	 */
	public LockRequest withClient(String client) {
		return new LockRequest(this.key, this.mode, this.waitTime, this.name, this.owner, this.reentrant, this.permits,
				this.atLeast, this.onLost, this.cache, this.tick, client);
	}

	/**
	 * Return the time to wait in nanoseconds; what does not fit is
	 * {@link Long#MAX_VALUE}.
	 * @return the nanoseconds
	 */
	public long waitNanos() {
		return (this.waitTime.getSeconds() >= Long.MAX_VALUE / 1_000_000_000L) ? Long.MAX_VALUE
				: this.waitTime.toNanos();
	}

	/**
	 * Return the request in the words of a message.
	 */
	@Override
	public String toString() {
		return LockException.describe(this) + " named '" + LockKeys.abbreviate(this.name) + "', waits for "
				+ DurationText.of(this.waitTime);
	}

}
