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

package io.github.zklock.leader.internal;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import io.github.zklock.core.LockCallback;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.internal.DurationText;
import io.github.zklock.leader.Leadership;
import io.github.zklock.leader.LeadershipRevoked.Reason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A role that this node has got. It watches the lease, and revokes the role while enough
 * of the lease is left for {@code stop()}.
 */
final class HeldRole implements Leadership {

	private static final Logger logger = LoggerFactory.getLogger(HeldRole.class);

	// Of the longest lease so far. The other parts are for the connection to come back.
	private static final int PART_FOR_STOP = 3;

	private static final Duration SHORTEST_PAUSE = Duration.ofMillis(50);

	private final String role;

	private final LockHandle handle;

	private final Supplier<@Nullable Duration> lease;

	private final ScheduledExecutorService timer;

	private final Thread thread;

	private final Runnable overrun;

	private final boolean leased;

	private volatile Duration reserve = Duration.ZERO;

	private final long since = System.nanoTime();

	private final AtomicReference<State> state = new AtomicReference<>(State.LED);

	private final CompletableFuture<Reason> revoked = new CompletableFuture<>();

	/**
	 * Create it.
	 * @param lease returns the rest of the lease, or {@code null} if there is none
	 * @param thread the thread that stops the beans
	 * @param overrun called if they run on after the lease
	 */
	HeldRole(String role, LockHandle handle, Supplier<@Nullable Duration> lease, ScheduledExecutorService timer,
			Thread thread, Runnable overrun) {
		this.role = role;
		this.handle = handle;
		this.lease = lease;
		this.timer = timer;
		this.thread = thread;
		this.overrun = overrun;
		this.leased = lease.get() != null;
	}

	/**
	 * Begin to watch the lease.
	 */
	void watch() {
		this.handle.onLost((lost) -> look());
		next();
	}

	@Override
	public String role() {
		return this.role;
	}

	@Override
	public long fencingToken() {
		return this.handle.fencingToken();
	}

	// The state is read after the lease. If the lock is not lost then, the lease was the
	// lease of its session. A lease that is not known any more has been replaced.
	@Override
	public Duration remaining() {
		Duration left = this.lease.get();
		LockState now = this.handle.state();
		if (now == LockState.LOST || now == LockState.RELEASED) {
			return Duration.ZERO;
		}
		return (left != null) ? left : this.leased ? Duration.ZERO : LockRequest.FOREVER;
	}

	@Override
	public void assertLeader() {
		if (remaining().isZero()) {
			LockState now = this.handle.state();
			throw new LockLostException(this.handle, (now == LockState.RELEASED) ? now : LockState.LOST);
		}
	}

	@Override
	public <T extends @Nullable Object, E extends Throwable> T call(LockCallback<T, E> body) throws E {
		return this.handle.call(body);
	}

	Duration ledFor() {
		return Duration.ofNanos(System.nanoTime() - this.since);
	}

	/**
	 * Return what ends with the reason when the role is revoked.
	 */
	CompletableFuture<Reason> revoked() {
		return this.revoked;
	}

	boolean isLed() {
		return this.state.get() == State.LED;
	}

	/**
	 * Revoke the role, if it is not revoked yet.
	 * @return whether it was not
	 */
	boolean revoke(Reason reason) {
		return this.state.compareAndSet(State.LED, State.REVOKED) && this.revoked.complete(reason);
	}

	/**
	 * Release the role. Called when the beans have stopped.
	 */
	void end() {
		reportIfOver();
		this.state.set(State.ENDED);
		this.handle.release();
	}

	private void look() {
		switch (this.state.get()) {
			case LED -> {
				Reason reason = reason();
				if (reason != null) {
					revoke(reason);
				}
				next();
			}
			case REVOKED -> {
				reportIfOver();
				next();
			}
			case OVERRUN, ENDED -> {
			}
		}
	}

	private @Nullable Reason reason() {
		Duration left = remaining();
		if (left.isZero()) {
			return Reason.LOST;
		}
		boolean ending = left.compareTo(this.reserve) <= 0 && this.handle.state() == LockState.UNCERTAIN;
		return ending ? Reason.LEASE_ENDS : null;
	}

	// Without a lease only the notice of the loss shows the end.
	private void next() {
		Duration left = remaining();
		if (left.equals(LockRequest.FOREVER)) {
			return;
		}
		Duration part = left.dividedBy(PART_FOR_STOP);
		this.reserve = (part.compareTo(this.reserve) > 0) ? part : this.reserve;
		Duration pause = (this.state.get() == State.LED) ? left.minus(this.reserve) : left;
		long millis = Math.max(pause.toMillis(), SHORTEST_PAUSE.toMillis());
		try {
			this.timer.schedule(this::look, millis, TimeUnit.MILLISECONDS);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The lease of role '{}' is not watched any more, since the context is closed", this.role);
		}
	}

	private void reportIfOver() {
		if (!remaining().isZero() || !this.state.compareAndSet(State.REVOKED, State.OVERRUN)) {
			return;
		}
		logger.error(
				"The beans of role '{}' had not stopped when its lease ended (token {}, {}): another node may lead "
						+ "beside them, and what they write late is refused only where the token is checked. {}",
				this.role, fencingToken(), lossText(), advice(), whereItHangs());
		this.overrun.run();
	}

	private String advice() {
		return (this.revoked.getNow(null) == Reason.LOST)
				? "They were notified only after it: look for a pause of the process, or a deleted node of the lock"
				: "Let stop() return sooner, or raise zk-lock.session-timeout";
	}

	// Not of a thread that has stopped the beans, but too late.
	private @Nullable Throwable whereItHangs() {
		if (this.thread == Thread.currentThread()) {
			return null;
		}
		IllegalStateException place = new IllegalStateException("Thread '" + this.thread.getName() + "' at that time");
		place.setStackTrace(this.thread.getStackTrace());
		return place;
	}

	private String lossText() {
		return ((this.handle.loss() != null) ? this.handle.loss() + ", " : "") + "led for " + DurationText.of(ledFor());
	}

	/**
	 * The state of the role on this node.
	 */
	private enum State {

		/** The beans may run. */
		LED,

		/** The beans are to stop, and the lease goes on. */
		REVOKED,

		/** The lease was over before the beans had stopped. */
		OVERRUN,

		/** The beans have stopped. */
		ENDED

	}

}
