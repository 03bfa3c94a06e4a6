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

import io.github.zklock.core.internal.DurationText;
import io.github.zklock.core.internal.LockKeys;
import org.jspecify.annotations.Nullable;

/**
 * A request for a lock. Immutable: the {@code with} methods return a changed copy. They
 * throw an {@link IllegalArgumentException} for a value that is not possible, or that
 * another value of the request excludes. A request has at most one of these: more than
 * one permit, a time to keep the key, a cache, and a tick.
 *
 * @since 0.1.0
 */
public final class LockRequest {

	/**
	 * The wait time without a bound.
	 */
	public static final Duration FOREVER = DurationText.FOREVER;

	/**
	 * The wait time unless the request or the configuration says another: 10 seconds.
	 */
	public static final Duration DEFAULT_WAIT = Duration.ofSeconds(10);

	/**
	 * The greatest length of a key, in characters. By default {@link LockLimits} allows
	 * 1,024.
	 */
	public static final int MAX_KEY_LENGTH = LockKeys.MAX_LENGTH;

	static final String UNNAMED = "default";

	/**
	 * The longest time to keep a key taken at least: 366 days.
	 */
	public static final Duration LONGEST_AT_LEAST = Duration.ofDays(366);

	private final String key;

	private final LockMode mode;

	private final @Nullable Duration waitTime;

	private final String name;

	private final @Nullable Object owner;

	private final boolean reentrant;

	private final int permits;

	private final Duration lockAtLeastFor;

	private final LossPolicy onLost;

	private final @Nullable Boolean cache;

	private final @Nullable LockTick tick;

	private LockRequest(String key, LockMode mode, @Nullable Duration waitTime, String name, @Nullable Object owner,
			boolean reentrant, int permits, Duration lockAtLeastFor, LossPolicy onLost, @Nullable Boolean cache,
			@Nullable LockTick tick) {
		LockKeys.check(key);
		Objects.requireNonNull(mode, "mode must not be null");
		Objects.requireNonNull(onLost, "onLost must not be null");
		if (waitTime != null && waitTime.isNegative()) {
			throw LockKeys.invalid(key,
					"the wait time is " + waitTime + "; use zero for one attempt or LockRequest.FOREVER for no bound");
		}
		if (permits < 1 || (permits > 1 && mode != LockMode.EXCLUSIVE)) {
			throw LockKeys.invalid(key,
					permits + " permits in mode " + mode + "; use 1 or more, and more than 1 only in mode EXCLUSIVE");
		}
		if (lockAtLeastFor.isNegative() || lockAtLeastFor.compareTo(LONGEST_AT_LEAST) > 0) {
			throw LockKeys.invalid(key, "the minimum hold time is " + lockAtLeastFor
					+ "; use zero for none, and at most " + LONGEST_AT_LEAST);
		}
		boolean shares = tick != null && mode == LockMode.READ && tick.shards() == 1;
		LockKeys.checkOneOf(key, tick, shares ? "mode READ" : null, Boolean.TRUE.equals(cache) ? "caching" : null,
				(permits > 1) ? permits + " permits" : null, lockAtLeastFor.isZero() ? null : "a minimum hold time");
		this.key = key;
		this.mode = mode;
		this.waitTime = waitTime;
		this.name = name;
		this.owner = owner;
		this.reentrant = reentrant;
		this.permits = permits;
		this.lockAtLeastFor = lockAtLeastFor;
		this.onLost = onLost;
		this.cache = cache;
		this.tick = tick;
	}

	/**
	 * Create a request with the default of each setting.
	 * @param key the key
	 * @return the request
	 * @throws LockKeyException if the key is not allowed
	 */
	public static LockRequest of(String key) {
		return new LockRequest(key, LockMode.EXCLUSIVE, null, UNNAMED, null, true, 1, Duration.ZERO,
				LossPolicy.FAIL_AT_EXIT, null, null);
	}

	/**
	 * Return a copy with another mode.
	 * @param mode the mode. The default is {@link LockMode#EXCLUSIVE}
	 * @return the copy
	 */
	public LockRequest withMode(LockMode mode) {
		return new LockRequest(this.key, mode, this.waitTime, this.name, this.owner, this.reentrant, this.permits,
				this.lockAtLeastFor, this.onLost, this.cache, this.tick);
	}

	/**
	 * Return a copy with another wait time.
	 * @param wait the wait time. The default is what the configuration says for the name,
	 * in general, or {@link #DEFAULT_WAIT}
	 * @return the copy
	 */
	public LockRequest withWait(Duration wait) {
		Objects.requireNonNull(wait, "wait must not be null");
		return new LockRequest(this.key, this.mode, wait, this.name, this.owner, this.reentrant, this.permits,
				this.lockAtLeastFor, this.onLost, this.cache, this.tick);
	}

	/**
	 * Return a copy with another name.
	 * @param name the name, which has a letter or a digit, and neither a dot nor a
	 * control character. The default is {@code "default"}
	 * @return the copy
	 */
	public LockRequest withName(String name) {
		String problem = LockKeys.nameProblem(Objects.requireNonNull(name, "name must not be null"));
		if (problem != null) {
			throw LockKeys.invalid(this.key, "the name '" + LockKeys.abbreviate(name) + "' " + problem
					+ "; use letters, digits and dashes, such as 'report-job'");
		}
		return new LockRequest(this.key, this.mode, this.waitTime, name, this.owner, this.reentrant, this.permits,
				this.lockAtLeastFor, this.onLost, this.cache, this.tick);
	}

	/**
	 * Return a copy with another owner.
	 * @param owner the owner. The default is {@code null}
	 * @return the copy
	 */
	public LockRequest withOwner(@Nullable Object owner) {
		return new LockRequest(this.key, this.mode, this.waitTime, this.name, owner, this.reentrant, this.permits,
				this.lockAtLeastFor, this.onLost, this.cache, this.tick);
	}

	/**
	 * Return a copy that may or may not be nested in a lock of the same owner and key.
	 * @param reentrant whether it may. The default is {@code true}
	 * @return the copy
	 */
	public LockRequest withReentrant(boolean reentrant) {
		return new LockRequest(this.key, this.mode, this.waitTime, this.name, this.owner, reentrant, this.permits,
				this.lockAtLeastFor, this.onLost, this.cache, this.tick);
	}

	/**
	 * Return a copy with another number of permits.
	 * @param permits how many may hold the key at once. The default is 1
	 * @return the copy
	 */
	public LockRequest withPermits(int permits) {
		return new LockRequest(this.key, this.mode, this.waitTime, this.name, this.owner, this.reentrant, permits,
				this.lockAtLeastFor, this.onLost, this.cache, this.tick);
	}

	/**
	 * Return a copy with another time to keep the key taken.
	 * @param lockAtLeastFor the time, counted from the grant. The default is zero
	 * @return the copy
	 */
	public LockRequest withLockAtLeastFor(Duration lockAtLeastFor) {
		return new LockRequest(this.key, this.mode, this.waitTime, this.name, this.owner, this.reentrant, this.permits,
				lockAtLeastFor, this.onLost, this.cache, this.tick);
	}

	/**
	 * Return a copy with another action for the loss of the lock.
	 * @param onLost the policy. The default is {@link LossPolicy#FAIL_AT_EXIT}
	 * @return the copy
	 */
	public LockRequest withOnLost(LossPolicy onLost) {
		return new LockRequest(this.key, this.mode, this.waitTime, this.name, this.owner, this.reentrant, this.permits,
				this.lockAtLeastFor, onLost, this.cache, this.tick);
	}

	/**
	 * Return a copy that may or may not be cached for the next request of this process.
	 * @param cache whether it may. The default is what the configuration says for the
	 * name, or {@code false}
	 * @return the copy
	 */
	public LockRequest withCache(boolean cache) {
		return new LockRequest(this.key, this.mode, this.waitTime, this.name, this.owner, this.reentrant, this.permits,
				this.lockAtLeastFor, this.onLost, cache, this.tick);
	}

	/**
	 * Return a copy for a planned run of a job, or for none. A run excludes mode
	 * {@link LockMode#READ}, except to {@linkplain LockTick#withShard split} its tick.
	 * @param tick the run, or {@code null}. The default is {@code null}
	 * @return the copy
	 */
	public LockRequest withTick(@Nullable LockTick tick) {
		return new LockRequest(this.key, this.mode, this.waitTime, this.name, this.owner, this.reentrant, this.permits,
				this.lockAtLeastFor, this.onLost, this.cache, tick);
	}

	/**
	 * Return the key.
	 * @return any text that is not blank, has no control characters, no unpaired
	 * surrogate and at most {@value #MAX_KEY_LENGTH} characters. Keys are compared
	 * exactly: no trimming, no case folding, no Unicode normalisation
	 */
	public String key() {
		return this.key;
	}

	/**
	 * Return the mode.
	 * @return the mode. The default is {@link LockMode#EXCLUSIVE}
	 */
	public LockMode mode() {
		return this.mode;
	}

	/**
	 * Return how long to wait for the lock.
	 * @return the time, {@link Duration#ZERO} for one try, {@link #FOREVER} for no bound
	 */
	public Duration waitTime() {
		return (this.waitTime != null) ? this.waitTime : DEFAULT_WAIT;
	}

	/**
	 * Return the low-cardinality name of the lock for logs and metrics.
	 * @return the name. The default is {@code "default"}
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Return the owner of the lock, compared with {@code equals}: an owner that holds the
	 * key re-enters until all of its handles are released.
	 * @return the owner; {@code null} for the calling thread, and for no owner in an
	 * asynchronous request
	 */
	public @Nullable Object owner() {
		return this.owner;
	}

	/**
	 * Return whether the owner of the key may acquire it again.
	 * @return whether it may. The default is {@code true}
	 */
	public boolean reentrant() {
		return this.reentrant;
	}

	/**
	 * Return how many may hold the key at once. All requests for a key must use the same
	 * number.
	 * @return the number, more than one only in {@link LockMode#EXCLUSIVE}
	 */
	public int permits() {
		return this.permits;
	}

	/**
	 * Return how long the key stays taken at least, counted from the grant. It stays
	 * taken even when the lock is released earlier, or the process of its holder ends. Of
	 * nested requests the outermost decides. A {@link LockMode#READ} lock keeps only
	 * writers out.
	 * @return the time, zero for no longer than the lock is held
	 */
	public Duration lockAtLeastFor() {
		return this.lockAtLeastFor;
	}

	/**
	 * Return what happens to the body when the lock is lost, see {@link LockOperations}.
	 * @return the policy. The default is {@link LossPolicy#FAIL_AT_EXIT}
	 */
	public LossPolicy onLost() {
		return this.onLost;
	}

	/**
	 * Return whether the process may cache the key for its own next request after the
	 * release. The cache ends when another process requests the key, or when the key is
	 * idle for a while. A backend that cannot do so ignores it.
	 * @return whether it may
	 */
	public boolean cache() {
		return Boolean.TRUE.equals(this.cache);
	}

	/**
	 * Return the planned run of a job that the lock is for: a run that has happened is
	 * refused, see {@link LockTick}. Of nested requests the outermost decides.
	 * @return the tick, or {@code null} if there is none
	 */
	public @Nullable LockTick tick() {
		return this.tick;
	}

	/**
	 * Return the wait time in nanoseconds, at most {@link Long#MAX_VALUE}.
	 * @return the nanoseconds
	 */
	public long waitNanos() {
		Duration wait = waitTime();
		return (wait.getSeconds() >= Long.MAX_VALUE / 1_000_000_000L) ? Long.MAX_VALUE : wait.toNanos();
	}

	/**
	 * Return a copy that says what this request leaves open.
	 */
	LockRequest withDefaults(@Nullable Duration wait, @Nullable Boolean cache) {
		LockRequest waiting = (this.waitTime == null && wait != null) ? withWait(wait) : this;
		return (this.cache == null && cache != null) ? waiting.withCache(cache) : waiting;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other || (other instanceof LockRequest request && this.key.equals(request.key)
				&& this.mode.equals(request.mode) && Objects.equals(this.waitTime, request.waitTime)
				&& this.name.equals(request.name) && Objects.equals(this.owner, request.owner)
				&& this.reentrant == request.reentrant && this.permits == request.permits
				&& this.lockAtLeastFor.equals(request.lockAtLeastFor) && this.onLost.equals(request.onLost)
				&& Objects.equals(this.cache, request.cache) && Objects.equals(this.tick, request.tick));
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.key, this.mode, this.waitTime, this.name, this.owner, this.reentrant, this.permits,
				this.lockAtLeastFor, this.onLost, this.cache, this.tick);
	}

	@Override
	public String toString() {
		return LockKeys.describe(this.key, this.mode) + " named '" + LockKeys.abbreviate(this.name) + "', waits for "
				+ DurationText.of(waitTime());
	}

}
