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

package io.github.zklock.core.spi.support;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockPermitsException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.LockUpgradeException;
import io.github.zklock.core.internal.LockKeys;
import io.github.zklock.core.internal.LockOwners;
import io.github.zklock.core.internal.SharedHold;
import io.github.zklock.core.spi.LockProvider;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records which owner holds which key through a provider. A nested request of the same
 * owner is then granted without a request to the backend. A backend has one for each
 * {@link LockProvider}, asks it before each acquire, and registers what it grants. So all
 * backends keep the same rules of re-entrancy. {@link LockMode#EXCLUSIVE} and
 * {@link LockMode#WRITE} re-enter each other, and {@link LockMode#READ} is allowed within
 * both. More than {@code READ} within {@code READ} is refused. It holds an entry only
 * while a lock is held. Thread safe.
 * <p>
 * A lock that is acquired asynchronously outlives the call of the thread that requested
 * it, so it never belongs to a thread. Later tasks on that thread must not re-enter it. A
 * thread that holds a key lends it to such a request for as long as the request needs it.
 * It does not lend it to its own later tasks.
 * <p>
 * A lock that a thread acquires without naming an {@linkplain LockRequest#owner() owner}
 * belongs to that thread: another thread may release its handle, but not work with it. A
 * thread owns only the locks that it acquires itself, even if a request names it.
 *
 * @since 0.1.0
 */
public final class ReentrancyRegistry {

	private static final Logger logger = LoggerFactory.getLogger(ReentrancyRegistry.class);

	private static final int MOST_WARNED = 1000;

	// The names of locks and the schedules of ticks of which that was logged.
	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	private final ConcurrentHashMap<Claim, SharedHold> holds = new ConcurrentHashMap<>();

	/**
	 * Return a nested handle if the owner holds the key already.
	 * @param request the request
	 * @param owner the owner of the request
	 * @return the nested handle, or {@code null} if the backend is to be asked
	 * @throws LockUpgradeException if the owner holds the key in {@link LockMode#READ}
	 * and asks for more
	 * @throws LockLostException if the owner's lock on the key is not known to be held. A
	 * thread that has not named itself as owner is notified of a loss once, and then the
	 * backend is asked
	 * @throws LockNotAcquiredException if the request is not re-entrant
	 * @throws LockPermitsException if the owner holds the key with another number of
	 * permits
	 */
	public @Nullable LockHandle reenter(LockRequest request, Object owner) {
		return reenter(request, owner, false);
	}

	/**
	 * Return a nested handle for an asynchronous request if its owner holds the key
	 * already.
	 * @param request the request
	 * @return the nested handle, or {@code null} if the backend is to be asked
	 * @throws LockUpgradeException if the owner holds the key in {@link LockMode#READ}
	 * and asks for more
	 * @throws LockLostException if the owner's lock on the key is not known to be held
	 * @throws LockNotAcquiredException if the request is not re-entrant
	 * @throws LockPermitsException if the owner holds the key with another number of
	 * permits
	 */
	public @Nullable LockHandle reenterAsync(LockRequest request) {
		Object owner = request.owner();
		return (owner != null) ? reenter(request, owner, true) : null;
	}

	private @Nullable LockHandle reenter(LockRequest request, Object owner, boolean lent) {
		if (owner instanceof SharedHold given) {
			SharedHold hold = given.is(this, request.key()) ? given : LockOwners.aroundThread(this, request.key());
			return (hold != null) ? reenter(request, hold, true) : null;
		}
		SharedHold hold = this.holds.get(new Claim(owner, request.key()));
		return (hold != null) ? reenter(request, hold, lent) : null;
	}

	private @Nullable LockHandle reenter(LockRequest request, SharedHold hold, boolean lent) {
		// Read once: another thread may release it meanwhile, which is no loss.
		LockState state = hold.root().state();
		if (state == LockState.RELEASED) {
			return null;
		}
		LockMode held = hold.root().mode();
		if (!request.reentrant()) {
			throw new LockNotAcquiredException(request, Duration.ZERO, null,
					"held by the same owner, and the request is not re-entrant");
		}
		if (hold.permits() != request.permits()) {
			throw new LockPermitsException(request, Duration.ZERO, hold.permits());
		}
		if (held == LockMode.READ && request.mode() != LockMode.READ) {
			throw new LockUpgradeException(request);
		}
		if (state == LockState.LOST) {
			// Reported once, since a forgotten handle may never be released.
			hold.forget();
		}
		if (state != LockState.HELD) {
			throw new LockLostException(hold.root(), state);
		}
		logWithoutEffect(request);
		return hold.nest(request, lent);
	}

	private void logWithoutEffect(LockRequest request) {
		boolean atLeast = !request.lockAtLeastFor().isZero();
		if (atLeast || request.tick() != null) {
			String what = atLeast ? "lockAtLeastFor" : "the " + request.tick();
			String text = LockKeys.describe(request.key(), request.mode()) + " is held already by the same caller, so "
					+ what + " of the nested request has no effect: the outermost request decides";
			LockTick tick = request.tick();
			String named = (atLeast || tick == null) ? "hold " + request.name() : "tick " + tick.schedule();
			if (this.warned.size() < MOST_WARNED && this.warned.add(named)) {
				logger.warn("{} (further cases of this job or lock are logged at DEBUG)", text);
			}
			else {
				logger.debug(text);
			}
		}
	}

	/**
	 * Remember a lock that the backend granted.
	 * @param granted the backend's handle
	 * @param request the request
	 * @param owner the owner of the lock
	 * @return the handle to give to the owner; the backend's handle is released when the
	 * last handle nested in it is
	 */
	public LockHandle register(LockHandle granted, LockRequest request, Object owner) {
		Claim claim = claim(request, owner);
		SharedHold hold = hold(granted, request, claim);
		this.holds.put(claim, hold);
		return hold.first();
	}

	private static Claim claim(LockRequest request, Object owner) {
		// A hold that was released meanwhile owns nothing: the lock is a new one.
		Object holder = (owner instanceof Thread) ? Thread.currentThread()
				: (owner instanceof SharedHold) ? new Object() : owner;
		return new Claim(holder, request.key());
	}

	private SharedHold hold(LockHandle granted, LockRequest request, Claim claim) {
		return new SharedHold(granted, request, claim.owner(), this, (left) -> this.holds.remove(claim, left));
	}

	/**
	 * Remember a lock that the backend granted to an asynchronous request, unless it has
	 * no owner. If the owner is a thread, the lock belongs to its body alone.
	 * @param granted the backend's handle
	 * @param request the request
	 * @return the handle to give to the owner
	 */
	public LockHandle registerAsync(LockHandle granted, LockRequest request) {
		Object owner = request.owner();
		if (owner == null) {
			return granted;
		}
		// The body re-enters it, though not with a thread as the owner.
		Claim claim = claim(request, (owner instanceof Thread) ? new Object() : owner);
		SharedHold hold = hold(granted, request, claim);
		// A request that was cancelled just now must not replace a lock that its owner
		// has acquired after it.
		this.holds.compute(claim, (owned, later) -> (granted.state() != LockState.RELEASED) ? hold : later);
		return hold.first();
	}

	/**
	 * Return the locks of the backend that a thread holds: those that it owns, and those
	 * under which it runs.
	 * @return the handles of the backend
	 */
	public Set<LockHandle> heldByThread() {
		Set<LockHandle> held = LockOwners.rootsOfThread();
		this.holds.forEach((claim, hold) -> {
			if (claim.owner() == Thread.currentThread()) {
				held.add(hold.root());
			}
		});
		return held;
	}

	/**
	 * Forget the locks that were lost, so that later requests of their owners go to the
	 * backend instead. For backends of tests, between two tests.
	 */
	public void forgetLost() {
		this.holds.values().removeIf((hold) -> hold.root().state() == LockState.LOST);
	}

	/**
	 * Return how many keys are held, for tests and metrics.
	 * @return the number of pairs of an owner and a key
	 */
	public int size() {
		return this.holds.size();
	}

	private record Claim(Object owner, String key) {
	}

}
